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
Array<T>& OptimizerState<T>::buffer(std::string_view name, const Array<T>& like, T fill) {
  const auto found = buffers.find(name);
  if (found != buffers.end()) return found->second;
  return buffers.emplace(std::string(name), full<T>(shape_of(like), fill)).first->second;
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

// What is remembered under `identity`; what has gone is forgotten.
template <typename T>
typename Optimizer<T>::States& Optimizer<T>::begin_step(const Identity& identity) {
  std::erase_if(states_, [](const auto& entry) { return entry.first.expired(); });
  return states_[identity];
}

template <typename T>
void Optimizer<T>::check_shapes(const States& states, const std::string& name, const Array<T>& value,
                                const Array<T>& gradient) const {
  const auto check = [&](std::string_view what, const Array<T>& array) {
    if (array.shape() == value.shape()) return;
    refuse_shape(kind_, std::string(what) + " of \"" + name + "\"", shape_of(array),
                 to_string(shape_of(value)) + ", the shape of the parameter");
  };
  check("gradient", gradient);
  const auto known = states.find(name);
  if (known == states.end()) return;
  for (const auto& [buffer_name, buffer] : known->second.buffers) check(buffer_name, buffer);
}

template <typename T>
void Optimizer<T>::change(States& states, const std::string& name, Array<T>& value, const Array<T>& gradient) {
  OptimizerState<T>& state = states[name];
  ++state.step;
  update(value, gradient, state);
}

template <typename T>
void Optimizer<T>::step(Parameters<T>& parameters) {
  States& states = begin_step(parameters.identity());
  for (const Parameter<T>& parameter : parameters.list())
    if (parameter.gradient) check_shapes(states, parameter.name, parameter.value, *parameter.gradient);
  for (Parameter<T>& parameter : parameters.list()) {
    if (!parameter.gradient) continue;
    change(states, parameter.name, parameter.value, *parameter.gradient);
    parameter.origin = {{"kind", "literal"}};
  }
}

template <typename T>
void Optimizer<T>::step(Graph<T>& graph) {
  States& states = begin_step(graph.identity());
  for (const std::size_t id : graph.parameters())
    if (const Array<T>* gradient = graph.gradient(id)) {
      const Node<T>& leaf = graph.node(id);
      check_shapes(states, leaf.name, leaf.value, *gradient);
    }
  for (const std::size_t id : graph.parameters())
    if (const Array<T>* gradient = graph.gradient(id))
      change(states, graph.node(id).name, graph.numbers(id), *gradient);
}

template <typename T>
const typename Optimizer<T>::States& Optimizer<T>::states_of(const Identity& identity) const {
  static const States none;
  const auto found = states_.find(identity);
  return found == states_.end() ? none : found->second;
}

template struct OptimizerState<float>;
template struct OptimizerState<double>;
template class Optimizer<float>;
template class Optimizer<double>;

}  // namespace attn
