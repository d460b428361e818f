// The record of how a layer of nn was called, stored on the graph.
#pragma once

#include "tensor/state_dict.hpp"

namespace attn {

// Records `layer` on the graph of `output`, with the parameters named in `specs`; does nothing when one of them is
// missing.
template <typename T>
void record_layer(LayerCall layer, const StateDict<T>& parameters, const ParameterSpecs& specs,
                  const std::vector<Tensor<T>>& inputs, const Tensor<T>& output);

}  // namespace attn
