// The permanent names of all operations.
#include "ops/op_names.hpp"

#include <array>

namespace attn {

std::span<const std::string_view> op_names() {
  static constexpr std::array<std::string_view, 46> kNames = {
      "absolute_index", "add",         "alibi",       "alibi_slopes",
      "attention",      "concat",      "conv1d",      "cosine_similarity",
      "cross_entropy",  "divide",      "dropout",     "embedding",
      "entropy",        "exp",         "gelu",        "histogram",
      "kl_divergence",  "layer_norm",  "linear",      "log",
      "log_sigmoid",    "log_softmax", "mask",        "matmul",
      "maximum",        "mean",        "merge_heads", "minimum",
      "mse_loss",       "multiply",    "one_hot",     "patchify",
      "relu",           "reshape",     "rotary",      "scale",
      "shift_matrix",   "sinusoidal",  "slice",       "softmax",
      "split_heads",    "sqrt",        "subtract",    "sum",
      "tanh",           "transpose"};
  return kNames;
}

}  // namespace attn
