// A convolution along the sequence, for comparison with attention.
#include "nn/convolution.hpp"

#include <cmath>

#include "ops/transpose.hpp"

namespace attn {

ParameterSpecs convolution_parameters(std::size_t in, std::size_t out, std::size_t kernel) {
  const Initial initial{Initial::Kind::uniform, 1 / std::sqrt(static_cast<double>(in) * static_cast<double>(kernel))};
  return {{"weight", {out, in, kernel}, initial}, {"bias", {out}, initial}};
}

template <typename T>
Tensor<T> convolution(const Tensor<T>& x, const StateDict<T>& parameters, const Conv1dOptions& options,
                      const std::string& name) {
  const Shape& shape = x.shape();
  if (shape.size() < 2 || shape.size() > 3) {
    refuse_shape("convolution", "x", shape, "(length, width) or (batch, length, width)");
  }
  const bool observe = x.graph->observe();
  const auto step_name = [&](const char* step) { return observe ? name + step : std::string(); };
  const Tensor<T> features_first = transpose(x, {}, step_name("features_first"));
  const Tensor<T> convolved =
      conv1d(features_first, parameters.at("weight"), parameters.bias("bias"), options, step_name("convolved"));
  return transpose(convolved, {}, observe || !name.empty() ? name + "output" : std::string());
}

template Tensor<float> convolution(const Tensor<float>&, const StateDict<float>&, const Conv1dOptions&,
                                   const std::string&);
template Tensor<double> convolution(const Tensor<double>&, const StateDict<double>&, const Conv1dOptions&,
                                    const std::string&);

}  // namespace attn
