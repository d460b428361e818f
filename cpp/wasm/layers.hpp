// The layers by name: calls that add several nodes.
#pragma once

#include <optional>

#include "nn/multi_head_attention.hpp"
#include "wasm/call.hpp"

namespace attn {

// The mask among the arguments: numbers to add, or 1 where a key may be attended and `fill` elsewhere. `of` is the
// prefix of its argument names: "target." for "target.mask".
template <typename T>
std::optional<AttentionMask<T>> attention_mask(const Call<T>& call, const std::string& of = {}) {
  const std::string argument = of + "mask";
  const std::string fill = of + "fill";
  if (!call.arguments.has(argument.c_str())) return std::nullopt;
  AttentionMask<T> mask{call.tensor(argument.c_str())};
  if (!call.arguments.flag((argument + "IsBoolean").c_str())) mask.kind = AttentionMask<T>::Kind::add;
  if (call.arguments.has(fill.c_str())) mask.fill = call.arguments.number(fill.c_str());
  return mask;
}

// The causal rule: "top_left" or "bottom_right". Throws InputError for another word.
Causal causal_of(const Arguments& arguments, const std::string& of = {});

// The dropout among the arguments; p is 0 where there is none.
Dropout dropout_of(const Arguments& arguments);

// The nodes of a multi-head attention by role.
template <typename T>
emscripten::val roles_of(const MultiHeadAttention<T>& steps);

// The nodes of a layer by role, { scores: 4, weights: 5, output: 6 }; nothing when no layer is called `layer`.
template <typename T>
std::optional<emscripten::val> apply_layer(std::string_view layer, const Call<T>& call);

}  // namespace attn
