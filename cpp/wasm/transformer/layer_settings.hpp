// The arguments of the layers of a Transformer: sizes, settings and masks.
#pragma once

#include "nn/layer_options.hpp"
#include "nn/transformer.hpp"
#include "wasm/layers.hpp"

namespace attn {

// Each reads the arguments with the names of its fields in camel case. Throws InputError as Arguments does.
LayerSizes layer_sizes_of(const Arguments& arguments);
LayerOptions layer_options_of(const Arguments& arguments);
StackOptions stack_options_of(const Arguments& arguments);
TransformerOptions transformer_options_of(const Arguments& arguments);

// `of` is the prefix of the argument names: "target." for "target.mask".
template <typename T>
AttentionMasks<T> masks_of(const Call<T>& call, const std::string& of = {}) {
  const std::string key_mask = of + "keyMask";
  return {.mask = attention_mask(call, of),
          .key_mask = call.optional_tensor(key_mask.c_str()),
          .causal = causal_of(call.arguments, of)};
}

}  // namespace attn
