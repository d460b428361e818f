// Layer normalisation with parameters read by name, as torch.nn.LayerNorm.
#include "nn/layer_norm.hpp"

#include <utility>

#include "nn/layer_record.hpp"

namespace attn {

ParameterSpecs layer_norm_parameters(std::size_t dim) {
  return {{"weight", {dim}, {Initial::Kind::ones}}, {"bias", {dim}}};
}

template <typename T>
Tensor<T> layer_norm(const Tensor<T>& x, const StateDict<T>& parameters, const LayerNormOptions& options,
                     std::string name) {
  const std::size_t first = x.graph->size();
  const Tensor<T> output = layer_norm(x, parameters.at("weight"), parameters.bias("bias"), options, std::move(name));
  const std::size_t dim = x.shape().back();
  if (!options.unbiased) {
    record_layer<T>(
        {.kind = "layer_norm", .options = {{"dim", static_cast<double>(dim)}, {"eps", options.eps}}, .first = first},
        parameters, layer_norm_parameters(dim), {x}, output);
  }
  return output;
}

template Tensor<float> layer_norm(const Tensor<float>&, const StateDict<float>&, const LayerNormOptions&, std::string);
template Tensor<double> layer_norm(const Tensor<double>&, const StateDict<double>&, const LayerNormOptions&,
                                   std::string);

}  // namespace attn
