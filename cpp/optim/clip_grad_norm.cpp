// Gradient clipping: "On the difficulty of training recurrent neural networks", section 3.2.
#include "optim/clip_grad_norm.hpp"

#include <cmath>

#include "optim/optimizer.hpp"

namespace attn {

namespace {

// `each` calls its argument with every gradient.
template <typename T, typename Each>
double clip(double max_norm, Each each) {
  check_setting(max_norm > 0, "clip_grad_norm", "max_norm", max_norm, "a number above 0");
  double squares = 0;
  each([&](const Array<T>& gradient) {
    for (const T cell : gradient) squares += static_cast<double>(cell) * static_cast<double>(cell);
  });
  const double norm = std::sqrt(squares);
  const double factor = max_norm / (norm + kClipEpsilon);
  // The condition is written so that a NaN factor is applied as well.
  if (factor >= 1) return norm;
  each([&](Array<T>& gradient) {
    for (T& cell : gradient) cell *= static_cast<T>(factor);
  });
  return norm;
}

}  // namespace

template <typename T>
double clip_grad_norm(Parameters<T>& parameters, double max_norm) {
  return clip<T>(max_norm, [&](auto visit) {
    for (Parameter<T>& parameter : parameters.list())
      if (parameter.gradient) visit(*parameter.gradient);
  });
}

template <typename T>
double clip_grad_norm(Graph<T>& graph, double max_norm) {
  return clip<T>(max_norm, [&](auto visit) {
    for (const std::size_t id : graph.parameters())
      if (Array<T>* gradient = graph.gradient(id)) visit(*gradient);
  });
}

template double clip_grad_norm(Parameters<float>&, double);
template double clip_grad_norm(Parameters<double>&, double);
template double clip_grad_norm(Graph<float>&, double);
template double clip_grad_norm(Graph<double>&, double);

}  // namespace attn
