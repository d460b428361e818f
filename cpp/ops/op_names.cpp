// The permanent names of all operations.
#include "ops/op_names.hpp"

#include <array>

namespace attn {

std::span<const std::string_view> op_names() {
  static constexpr std::array<std::string_view, 22> kNames = {
      "absolute_index", "add",        "alibi",  "alibi_slopes", "attention",   "concat",   "embedding", "linear",
      "log_softmax",    "mask",       "matmul", "merge_heads",  "patchify",    "reshape",  "rotary",    "scale",
      "shift_matrix",   "sinusoidal", "slice",  "softmax",      "split_heads", "transpose"};
  return kNames;
}

}  // namespace attn
