// Layer normalisation by the names of its parameters, as torch.nn.LayerNorm.
#include "nn/layer_norm.hpp"

#include <utility>

namespace attn {

ParameterSpecs layer_norm_parameters(std::size_t dim) {
  return {{"weight", {dim}, {Initial::Kind::ones}}, {"bias", {dim}}};
}

template <typename T>
Tensor<T> layer_norm(const Tensor<T>& x, const StateDict<T>& parameters, const LayerNormOptions& options,
                     std::string name) {
  return layer_norm(x, parameters.find("weight"), parameters.find("bias"), options, std::move(name));
}

template Tensor<float> layer_norm(const Tensor<float>&, const StateDict<float>&, const LayerNormOptions&, std::string);
template Tensor<double> layer_norm(const Tensor<double>&, const StateDict<double>&, const LayerNormOptions&,
                                   std::string);

}  // namespace attn
