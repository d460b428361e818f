// The record of how a layer of nn was called, stored on the graph.
#include "nn/layer_record.hpp"

#include <utility>

namespace attn {

template <typename T>
void record_layer(LayerCall layer, const StateDict<T>& parameters, const ParameterSpecs& specs,
                  const std::vector<Tensor<T>>& inputs, const Tensor<T>& output) {
  for (const ParameterSpec& spec : specs) {
    const std::optional<Tensor<T>> parameter = parameters.find(spec.name);
    if (!parameter) return;
    layer.parameters.emplace_back(spec.name, parameter->id);
  }
  for (const Tensor<T>& input : inputs) layer.inputs.push_back(input.id);
  layer.output = output.id;
  output.graph->record(std::move(layer));
}

template void record_layer(LayerCall, const StateDict<float>&, const ParameterSpecs&, const std::vector<Tensor<float>>&,
                           const Tensor<float>&);
template void record_layer(LayerCall, const StateDict<double>&, const ParameterSpecs&,
                           const std::vector<Tensor<double>>&, const Tensor<double>&);

}  // namespace attn
