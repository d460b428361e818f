// The layers by their names: calls that make several nodes.
#pragma once

#include <optional>

#include "nn/attention_mask.hpp"
#include "wasm/call.hpp"

namespace attn {

// The mask that a call was given: numbers to add, or 1 where a key may be attended and `fill` elsewhere.
template <typename T>
std::optional<AttentionMask<T>> attention_mask(const Call<T>& call) {
  if (!call.given.has("mask")) return std::nullopt;
  AttentionMask<T> mask{call.tensor("mask")};
  if (!call.given.flag("maskIsBoolean")) mask.kind = AttentionMask<T>::Kind::add;
  if (call.given.has("fill")) mask.fill = call.given.number("fill");
  return mask;
}

// The rule that hides later keys: "top_left" or "bottom_right". Throws InputError for another word.
Causal causal_of(const Arguments& given);

// The nodes of a layer by role, { scores: 4, weights: 5, output: 6 }; nothing when `layer` is not the name of one.
template <typename T>
std::optional<emscripten::val> apply_layer(std::string_view layer, const Call<T>& call);

}  // namespace attn
