// Gradients kept from exploding: "On the difficulty of training recurrent neural networks", section 3.2.
#include "optim/clip_grad_norm.hpp"

#include <cmath>

#include "optim/optimizer.hpp"

namespace attn {

template <typename T>
double clip_grad_norm(Parameters<T>& parameters, double max_norm) {
  check_setting(max_norm > 0, "clip_grad_norm", "max_norm", max_norm, "a number above 0");
  double squares = 0;
  for (const Parameter<T>& parameter : parameters.list()) {
    if (!parameter.gradient) continue;
    for (const T cell : *parameter.gradient) squares += static_cast<double>(cell) * static_cast<double>(cell);
  }
  const double norm = std::sqrt(squares);
  const double factor = max_norm / (norm + 1e-6);
  // Written so that a NaN factor is applied as well.
  if (factor >= 1) return norm;
  for (Parameter<T>& parameter : parameters.list()) {
    if (!parameter.gradient) continue;
    for (T& cell : *parameter.gradient) cell *= static_cast<T>(factor);
  }
  return norm;
}

template double clip_grad_norm(Parameters<float>&, double);
template double clip_grad_norm(Parameters<double>&, double);

}  // namespace attn
