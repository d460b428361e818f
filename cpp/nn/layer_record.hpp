// What a graph remembers of a layer of nn: how it was called.
#pragma once

#include "tensor/state_dict.hpp"

namespace attn {

// Records `layer`, whose parameters have the names of `specs`, on the graph of `output`; nothing when one is missing.
template <typename T>
void record_layer(LayerCall layer, const StateDict<T>& parameters, const ParameterSpecs& specs,
                  const std::vector<Tensor<T>>& inputs, const Tensor<T>& output);

}  // namespace attn
