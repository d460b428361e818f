// What all optimizers share: a step over parameters with gradients, and what they remember of each parameter.
#include "optim/optimizer.hpp"

#include <cmath>

namespace attn {

void check_setting(bool fits, std::string_view operation, std::string_view argument, double value,
                   std::string_view expected) {
  if (!fits) refuse_option(operation, argument, figure(value), expected);
}

template <typename T>
Array<T>& OptimizerState<T>::buffer(std::string_view name, const Shape& shape, T fill) {
  const auto found = buffers.find(name);
  if (found != buffers.end()) return found->second;
  return buffers.emplace(std::string(name), full<T>(shape, fill)).first->second;
}

template <typename T>
Optimizer<T>::Optimizer(double lr) : lr_(0) {
  set_lr(lr);
}

template <typename T>
void Optimizer<T>::set_lr(double lr) {
  check_setting(lr >= 0 && std::isfinite(lr), "optimizer", "lr", lr, "a number from 0 up");
  lr_ = lr;
}

template <typename T>
void Optimizer<T>::step(Parameters<T>& parameters) {
  for (Parameter<T>& parameter : parameters.list()) {
    if (!parameter.gradient) continue;
    OptimizerState<T>& state = state_[parameter.name];
    for (const auto& [name, buffer] : state.buffers) {
      if (shape_of(buffer) != shape_of(parameter.value)) {
        refuse_shape("optimizer", "\"" + parameter.name + "\"", shape_of(parameter.value),
                     to_string(shape_of(buffer)) + ", the shape it had");
      }
    }
    ++state.step;
    update(parameter.value, *parameter.gradient, state);
    parameter.origin = {{"kind", "literal"}};
  }
}

template struct OptimizerState<float>;
template struct OptimizerState<double>;
template class Optimizer<float>;
template class Optimizer<double>;

}  // namespace attn
