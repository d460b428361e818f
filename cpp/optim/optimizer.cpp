// The base of all optimizers: a step over parameters with gradients, and the state of each parameter.
#include "optim/optimizer.hpp"

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

template <typename T>
typename Optimizer<T>::Shapes shapes_of(const Parameters<T>& parameters) {
  typename Optimizer<T>::Shapes shapes;
  for (const Parameter<T>& parameter : parameters.list()) shapes.emplace(parameter.name, shape_of(parameter.value));
  return shapes;
}

template <typename T>
typename Optimizer<T>::Shapes shapes_of(const Graph<T>& graph) {
  typename Optimizer<T>::Shapes shapes;
  for (const std::size_t id : graph.parameters()) shapes.emplace(graph.node(id).name, graph.node(id).shape);
  return shapes;
}

// The size in bytes of buffers with these shapes.
template <typename T>
std::uint64_t bytes_of(const typename Optimizer<T>::StateShapes& states) {
  std::uint64_t bytes = 0;
  for (const auto& [name, buffers] : states)
    for (const auto& [buffer_name, shape] : buffers) bytes += cell_count(shape) * sizeof(T);
  return bytes;
}

template <typename T>
std::uint64_t bytes_of(const typename Optimizer<T>::States& states) {
  std::uint64_t bytes = 0;
  for (const auto& [name, state] : states)
    for (const auto& [buffer_name, buffer] : state.buffers) bytes += std::uint64_t{buffer.size()} * sizeof(T);
  return bytes;
}

}  // namespace

void check_setting(bool fits, std::string_view operation, std::string_view argument, double value,
                   std::string_view expected) {
  if (!fits) refuse_option(operation, argument, format_number(value), expected);
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
Optimizer<T>::Optimizer(std::string_view kind, double lr, double weight_decay)
    : kind_(kind), weight_decay_(weight_decay) {
  set_lr(lr);
  check_not_negative(kind_, "weight_decay", weight_decay);
}

template <typename T>
void Optimizer<T>::set_lr(double lr) {
  check_not_negative(kind_, "lr", lr);
  lr_ = lr;
}

template <typename T>
void Optimizer<T>::set_no_decay(std::vector<std::string> names) {
  for (const std::string& name : names)
    if (name.empty()) refuse_option(kind_, "no_decay", "\"\"", "names of parameters, or their last parts");
  no_decay_ = std::move(names);
}

template <typename T>
double Optimizer<T>::weight_decay_of(std::string_view name) const {
  const auto is_named = [&](const std::string& part) {
    return name.ends_with(part) && (name.size() == part.size() || name[name.size() - part.size() - 1] == '.');
  };
  return std::any_of(no_decay_.begin(), no_decay_.end(), is_named) ? 0 : weight_decay_;
}

// The state stored under `identity`. States of owners that no longer exist are removed.
template <typename T>
typename Optimizer<T>::States& Optimizer<T>::states_to_change(const Identity& identity) {
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
  const auto state = states.find(name);
  if (state == states.end()) return;
  for (const auto& [buffer_name, buffer] : state->second.buffers) check(buffer_name, buffer);
}

template <typename T>
void Optimizer<T>::change(States& states, const std::string& name, Array<T>& value, const Array<T>& gradient) {
  OptimizerState<T>& state = states[name];
  ++state.step;
  update(value, gradient, state, weight_decay_of(name));
}

template <typename T>
void Optimizer<T>::step(Parameters<T>& parameters) {
  const std::span<const Parameter<T>> list = std::as_const(parameters).list();
  if (std::none_of(list.begin(), list.end(), [](const auto& parameter) { return parameter.gradient.has_value(); }))
    refuse_option(kind_, "gradient", "missing for every parameter",
                  "the gradients of a backward, added before the step");
  States& states = states_to_change(parameters.identity());
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
  const auto& ids = graph.parameters();
  if (std::none_of(ids.begin(), ids.end(), [&](std::size_t id) { return graph.gradient(id) != nullptr; }))
    refuse_option(kind_, "gradient", "missing for every parameter", "the gradients of a backward before the step");
  States& states = states_to_change(graph.identity());
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

template <typename T>
void Optimizer<T>::check_states(const Shapes& parameters, const StateShapes& states) const {
  const std::vector<std::string> expected_names = buffer_names();
  const auto listed_or_none = [](const std::vector<std::string>& names) {
    return names.empty() ? std::string("none") : listed(names);
  };
  for (const auto& [name, buffers] : states) {
    const auto parameter = parameters.find(name);
    if (parameter == parameters.end()) refuse_option(kind_, "name", "\"" + name + "\"", "the name of a parameter");
    std::vector<std::string> names;
    for (const auto& [buffer_name, shape] : buffers) names.push_back(buffer_name);
    if (names != expected_names)
      refuse_option(kind_, "buffers of \"" + name + "\"", listed_or_none(names), listed_or_none(expected_names));
    for (const auto& [buffer_name, shape] : buffers) {
      if (shape == parameter->second) continue;
      std::string argument = buffer_name;
      argument.append(" of \"").append(name).append("\"");
      refuse_shape(kind_, argument, shape, to_string(parameter->second) + ", the shape of the parameter");
    }
  }
}

template <typename T>
void Optimizer<T>::load_state(const Identity& identity, const Shapes& parameters, States states) {
  StateShapes shapes;
  for (const auto& [name, state] : states) {
    Shapes& buffers = shapes[name];
    for (const auto& [buffer_name, buffer] : state.buffers) buffers.emplace(buffer_name, shape_of(buffer));
  }
  check_states(parameters, shapes);
  states_to_change(identity) = std::move(states);
}

template <typename T>
void Optimizer<T>::load_state(const Parameters<T>& parameters, States states) {
  load_state(parameters.identity(), shapes_of(parameters), std::move(states));
}

template <typename T>
void Optimizer<T>::load_state(Graph<T>& graph, States states) {
  load_state(graph.identity(), shapes_of(graph), std::move(states));
}

template <typename T>
void Optimizer<T>::check_load(const Parameters<T>& parameters, const StateShapes& states,
                              std::string_view operation) const {
  check_states(shapes_of(parameters), states);
  parameters.check_memory(static_cast<double>(bytes_of<T>(states) + bytes_of<T>(state(parameters))), operation);
}

template <typename T>
void Optimizer<T>::check_load(Graph<T>& graph, const StateShapes& states, std::string_view operation) const {
  check_states(shapes_of(graph), states);
  graph.check_memory(bytes_of<T>(states) + bytes_of<T>(state(graph)), operation);
}

template struct OptimizerState<float>;
template struct OptimizerState<double>;
template class Optimizer<float>;
template class Optimizer<double>;

}  // namespace attn
