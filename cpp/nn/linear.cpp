// A linear layer by the names of its parameters, as torch.nn.Linear.
#include "nn/linear.hpp"

#include <cmath>
#include <utility>

namespace attn {

ParameterSpecs linear_parameters(std::size_t in, std::size_t out, bool bias) {
  const Initial initial{Initial::Kind::uniform, 1 / std::sqrt(static_cast<double>(in))};
  ParameterSpecs specs = {{"weight", {out, in}, initial}};
  if (bias) specs.push_back({"bias", {out}, initial});
  return specs;
}

template <typename T>
Tensor<T> linear(const Tensor<T>& x, const StateDict<T>& parameters, std::string name) {
  return linear(x, parameters.at("weight"), parameters.find("bias"), std::move(name));
}

template Tensor<float> linear(const Tensor<float>&, const StateDict<float>&, std::string);
template Tensor<double> linear(const Tensor<double>&, const StateDict<double>&, std::string);

}  // namespace attn
