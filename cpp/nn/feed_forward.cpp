// The position-wise feed-forward network: "Attention Is All You Need", section 3.3.
#include "nn/feed_forward.hpp"

#include <utility>

#include "nn/linear.hpp"
#include "ops/gelu.hpp"
#include "ops/relu.hpp"

namespace attn {

Activation activation_named(std::string_view name) {
  if (name == "relu") return Activation::relu;
  if (name == "gelu" || name == "gelu_erf") return Activation::gelu_erf;
  if (name == "gelu_tanh") return Activation::gelu_tanh;
  refuse_option("feed_forward", "activation", "\"" + std::string(name) + "\"", "relu, gelu, gelu_erf or gelu_tanh");
}

template <typename T>
Tensor<T> activate(const Tensor<T>& x, Activation activation, std::string name) {
  if (activation == Activation::relu) return relu(x, std::move(name));
  return gelu(x, {.variant = activation == Activation::gelu_tanh ? "tanh" : "erf"}, std::move(name));
}

ParameterSpecs feed_forward_parameters(std::size_t d_model, std::size_t d_ff) {
  return join(
      {within("linear1", linear_parameters(d_model, d_ff)), within("linear2", linear_parameters(d_ff, d_model))});
}

template <typename T>
FeedForward<T> feed_forward(const Tensor<T>& x, const StateDict<T>& parameters, const FeedForwardOptions& options) {
  const bool observe = x.graph->observe();
  const auto step_name = [&](const char* step) { return observe ? options.name + step : std::string(); };
  FeedForward<T> steps;
  steps.linear1 = linear(x, parameters.within("linear1"), step_name("linear1"));
  steps.hidden = activate(steps.linear1, options.activation, step_name("activation"));
  const Tensor<T> after_dropout = dropout(steps.hidden, options.dropout, step_name("dropout"));
  steps.output = linear(after_dropout, parameters.within("linear2"),
                        observe || !options.name.empty() ? options.name + "linear2" : std::string());
  return steps;
}

template Tensor<float> activate(const Tensor<float>&, Activation, std::string);
template Tensor<double> activate(const Tensor<double>&, Activation, std::string);
template FeedForward<float> feed_forward(const Tensor<float>&, const StateDict<float>&, const FeedForwardOptions&);
template FeedForward<double> feed_forward(const Tensor<double>&, const StateDict<double>&, const FeedForwardOptions&);

}  // namespace attn
