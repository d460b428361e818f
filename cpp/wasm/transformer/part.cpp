// The operations that only the transformer part has: several tables, each in a file of its own.
#include "wasm/part.hpp"
#include "wasm/transformer/gpt2.hpp"
#include "wasm/transformer/models.hpp"
#include "wasm/transformer/operations.hpp"
#include "wasm/transformer/words.hpp"

namespace attn {

template <typename T>
std::optional<emscripten::val> apply_of_part(std::string_view operation, const Call<T>& call) {
  if (auto nodes = apply_arithmetic(operation, call)) return nodes;
  if (auto nodes = apply_words(operation, call)) return nodes;
  if (auto nodes = apply_model(operation, call)) return nodes;
  if (auto nodes = apply_sequence_model(operation, call)) return nodes;
#ifndef PLAYGROUND_FLOAT64_ALONE  // no lab uses it
  if (auto nodes = apply_gpt2(operation, call)) return nodes;
#endif
  return std::nullopt;
}

template std::optional<emscripten::val> apply_of_part(std::string_view, const Call<float>&);
template std::optional<emscripten::val> apply_of_part(std::string_view, const Call<double>&);

}  // namespace attn
