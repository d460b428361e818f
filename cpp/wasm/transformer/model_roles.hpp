// The nodes of encoder and decoder layers by role.
#pragma once

#include "nn/transformer.hpp"
#include "wasm/layers.hpp"

namespace attn {

template <typename T>
emscripten::val roles_of(const FeedForward<T>& steps) {
  return Roles().with("linear1", steps.linear1).with("hidden", steps.hidden).with("output", steps.output).record();
}

template <typename T>
emscripten::val roles_of(const EncoderLayer<T>& layer) {
  return Roles()
      .with("norm1", layer.norm1)
      .with("selfAttention", roles_of(layer.self_attention))
      .with("residual1", layer.residual1)
      .with("norm2", layer.norm2)
      .with("feedForward", roles_of(layer.feed_forward))
      .with("residual2", layer.residual2)
      .with("output", layer.output)
      .record();
}

template <typename T>
emscripten::val roles_of(const DecoderLayer<T>& layer) {
  return Roles()
      .with("norm1", layer.norm1)
      .with("selfAttention", roles_of(layer.self_attention))
      .with("residual1", layer.residual1)
      .with("norm2", layer.norm2)
      .with("crossAttention", roles_of(layer.cross_attention))
      .with("residual2", layer.residual2)
      .with("norm3", layer.norm3)
      .with("feedForward", roles_of(layer.feed_forward))
      .with("residual3", layer.residual3)
      .with("output", layer.output)
      .record();
}

// The nodes of an Encoder or a Decoder.
template <typename Stack>
emscripten::val roles_of_stack(const Stack& stack) {
  emscripten::val layers = emscripten::val::array();
  for (const auto& layer : stack.layers) layers.call<void>("push", roles_of(layer));
  return Roles().with("layers", layers).with("output", stack.output).record();
}

template <typename T>
emscripten::val roles_of(const Transformer<T>& model) {
  return Roles()
      .with("encoder", roles_of_stack(model.encoder))
      .with("decoder", roles_of_stack(model.decoder))
      .with("memory", model.memory)
      .with("output", model.output)
      .record();
}

}  // namespace attn
