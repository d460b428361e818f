// A recurrent layer, for comparison with attention: "Finding Structure in Time".
#include "nn/recurrent.hpp"

#include <cmath>

#include "ops/add.hpp"
#include "ops/concat.hpp"
#include "ops/linear.hpp"
#include "ops/slice.hpp"
#include "ops/tanh.hpp"
#include "tensor/filled_leaf.hpp"

namespace attn {

ParameterSpecs recurrent_parameters(std::size_t input_size, std::size_t hidden_size) {
  const Initial initial{Initial::Kind::uniform, 1 / std::sqrt(static_cast<double>(hidden_size))};
  return {{"weight_ih_l0", {hidden_size, input_size}, initial},
          {"weight_hh_l0", {hidden_size, hidden_size}, initial},
          {"bias_ih_l0", {hidden_size}, initial},
          {"bias_hh_l0", {hidden_size}, initial}};
}

template <typename T>
Recurrent<T> recurrent(const Tensor<T>& x, const StateDict<T>& parameters, const std::string& name) {
  const Shape& shape = x.shape();
  if (shape.size() < 2 || shape.size() > 3 || shape[shape.size() - 2] == 0) {
    refuse_shape("recurrent", "x", shape, "(length, width) or (batch, length, width)");
  }
  const Tensor<T> weight = parameters.at("weight_hh_l0");
  if (weight.shape().size() != 2 || weight.shape()[0] != weight.shape()[1]) {
    refuse_shape("recurrent", "weight_hh_l0", weight.shape(), "(h, h)");
  }
  Graph<T>& graph = *x.graph;
  const auto step_name = [&](const std::string& step) { return graph.observe() ? name + step : std::string(); };
  const Tensor<T> inputs = linear(x, parameters.at("weight_ih_l0"), parameters.bias("bias_ih_l0"), step_name("inputs"));
  Shape first = inputs.shape();
  first[first.size() - 2] = 1;
  if (first.back() != weight.shape()[0]) {
    refuse_shape("recurrent", "weight_ih_l0", parameters.at("weight_ih_l0").shape(),
                 std::to_string(weight.shape()[0]) + " rows");
  }
  Recurrent<T> steps;
  Tensor<T> hidden = filled_leaf(graph, first, T(0), "recurrent", step_name("hidden_start"));
  for (std::size_t t = 0; t < shape[shape.size() - 2]; ++t) {
    const std::string number = std::to_string(t);
    const Tensor<T> input = slice(inputs, -2, t, t + 1, step_name("input_" + number));
    const Tensor<T> carried = linear(hidden, weight, parameters.bias("bias_hh_l0"), step_name("carried_" + number));
    hidden = tanh(add(input, carried, step_name("sum_" + number)), step_name("hidden_" + number));
    steps.hidden.push_back(hidden);
  }
  steps.output = concat(steps.hidden, -2, graph.observe() || !name.empty() ? name + "output" : std::string());
  return steps;
}

template Recurrent<float> recurrent(const Tensor<float>&, const StateDict<float>&, const std::string&);
template Recurrent<double> recurrent(const Tensor<double>&, const StateDict<double>&, const std::string&);

}  // namespace attn
