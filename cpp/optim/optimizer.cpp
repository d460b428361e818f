// What all optimizers share: a step over parameters with gradients, and what they remember of each parameter.
#include "optim/optimizer.hpp"

#include <cmath>

namespace attn {

void check_setting(bool fits, std::string_view operation, std::string_view argument, double value,
                   std::string_view expected) {
  if (!fits) refuse_option(operation, argument, figure(value), expected);
}

void check_not_negative(std::string_view operation, std::string_view argument, double value) {
  check_setting(value >= 0 && std::isfinite(value), operation, argument, value, "a number from 0 up");
}

template <typename T>
Array<T>& OptimizerState<T>::buffer(std::string_view name, const Shape& shape, T fill) {
  const auto found = buffers.find(name);
  if (found != buffers.end()) return found->second;
  return buffers.emplace(std::string(name), full<T>(shape, fill)).first->second;
}

template <typename T>
Optimizer<T>::Optimizer(std::string_view kind, double lr) : kind_(kind) {
  set_lr(lr);
}

template <typename T>
void Optimizer<T>::set_lr(double lr) {
  check_not_negative(kind_, "lr", lr);
  lr_ = lr;
}

template <typename T>
void Optimizer<T>::step(Parameters<T>& parameters) {
  std::erase_if(states_, [](const auto& entry) { return entry.first.expired(); });
  States& states = states_[parameters.identity()];
  for (const Parameter<T>& parameter : parameters.list()) {
    if (!parameter.gradient) continue;
    const Shape expected = shape_of(parameter.value);
    const auto check = [&](const std::string& what, const Array<T>& array) {
      if (shape_of(array) == expected) return;
      refuse_shape(kind_, what + " of \"" + parameter.name + "\"", shape_of(array),
                   to_string(expected) + ", the shape of the parameter");
    };
    check("gradient", *parameter.gradient);
    const auto known = states.find(parameter.name);
    if (known == states.end()) continue;
    for (const auto& [name, buffer] : known->second.buffers) check(name, buffer);
  }
  for (Parameter<T>& parameter : parameters.list()) {
    if (!parameter.gradient) continue;
    OptimizerState<T>& state = states[parameter.name];
    ++state.step;
    update(parameter.value, *parameter.gradient, state);
    parameter.origin = {{"kind", "literal"}};
  }
}

template <typename T>
const typename Optimizer<T>::States& Optimizer<T>::state(const Parameters<T>& parameters) const {
  static const States none;
  const auto found = states_.find(parameters.identity());
  return found == states_.end() ? none : found->second;
}

template struct OptimizerState<float>;
template struct OptimizerState<double>;
template class Optimizer<float>;
template class Optimizer<double>;

}  // namespace attn
