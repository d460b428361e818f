// A linear layer with parameters read by name, as torch.nn.Linear.
#include "nn/linear.hpp"

#include <cmath>
#include <utility>

#include "nn/layer_record.hpp"
#include "ops/add.hpp"
#include "ops/matmul.hpp"

namespace attn {

ParameterSpecs linear_parameters(std::size_t in, std::size_t out, bool bias) {
  const Initial initial{Initial::Kind::uniform, 1 / std::sqrt(static_cast<double>(in))};
  ParameterSpecs specs = {{"weight", {out, in}, initial}};
  if (bias) specs.push_back({"bias", {out}, initial});
  return specs;
}

template <typename T>
Tensor<T> linear(const Tensor<T>& x, const StateDict<T>& parameters, std::string name) {
  const std::size_t first = x.graph->size();
  const Tensor<T> weight = parameters.at("weight");
  const bool bias = parameters.has("bias");
  const Tensor<T> output = linear(x, weight, parameters.bias("bias"), std::move(name));
  const Shape& sizes = weight.shape();
  record_layer<T>(
      {.kind = "linear",
       .options = {{"in", static_cast<double>(sizes[1])}, {"out", static_cast<double>(sizes[0])}, {"bias", bias}},
       .first = first},
      parameters, linear_parameters(sizes[1], sizes[0], bias), {x}, output);
  return output;
}

template <typename T>
Tensor<T> row_vector_linear(const Tensor<T>& x, const Tensor<T>& weight, const OptionalTensor<T>& bias,
                            std::string_view operation, std::string_view bias_name, const std::string& name) {
  if (!bias) return matmul(x, weight, name);
  const Shape expected = {weight.shape().back()};
  if (bias->shape() != expected) refuse_shape(operation, bias_name, bias->shape(), to_string(expected));
  const Tensor<T> product = matmul(x, weight, name.empty() ? name : name + "_projected");
  return add(x.graph->pass_over(product), *bias, name);
}

template Tensor<float> linear(const Tensor<float>&, const StateDict<float>&, std::string);
template Tensor<double> linear(const Tensor<double>&, const StateDict<double>&, std::string);
template Tensor<float> row_vector_linear(const Tensor<float>&, const Tensor<float>&, const OptionalTensor<float>&,
                                         std::string_view, std::string_view, const std::string&);
template Tensor<double> row_vector_linear(const Tensor<double>&, const Tensor<double>&, const OptionalTensor<double>&,
                                          std::string_view, std::string_view, const std::string&);

}  // namespace attn
