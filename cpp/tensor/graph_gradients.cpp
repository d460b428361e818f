// The gradients of a graph: backward, and the memory of gradients.
#include <algorithm>
#include <utility>

#include "tensor/graph.hpp"
#include "tensor/node_memory.hpp"

namespace attn {
namespace {

// Moves an array from one optional to another, which must be empty; the array keeps its memory.
template <typename T>
void move_to(std::optional<Array<T>>& from, std::optional<Array<T>>& to) {
  to.emplace(std::move(*from));
  from.reset();
}

}  // namespace

template <typename T>
void Graph<T>::drop_gradient(Node<T>& node) {
  bytes_ -= bytes_of<T>(node.shape) * (node.gradient.has_value() + node.spare_gradient.has_value());
  node.gradient.reset();
  node.spare_gradient.reset();
}

template <typename T>
void Graph<T>::drop_gradients() {
  for (Node<T>& node : nodes_) drop_gradient(node);
  reached_.clear();
}

// Invalidates the gradients but keeps their memory.
template <typename T>
void Graph<T>::invalidate_gradients() {
  for (Node<T>& node : nodes_)
    if (node.gradient) move_to(node.gradient, node.spare_gradient);
  reached_.clear();
}

// Sets the gradients that a backward from node `id` computes to zero, reusing memory where there is some, except those
// that accumulate, and drops all others.
template <typename T>
void Graph<T>::zero_gradients(std::size_t id, const BackwardOptions& options) {
  reached_.assign(nodes_.size(), false);
  reached_[id] = true;
  const auto is_computed = [&](std::size_t i) {
    return reached_[i] && (!options.parameters_only || i == id || nodes_[i].leads_to_parameter);
  };
  std::uint64_t bytes = 0;
  std::uint64_t scratch_bytes = 0;
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    Node<T>& node = nodes_[i];
    for (std::size_t input = 0; reached_[i] && input < node.inputs.size(); ++input)
      if (node.op->differentiable(input)) reached_[node.inputs[input]] = true;
    if (!is_computed(i) && !(options.accumulate && is_parameter(node))) {
      drop_gradient(node);
      continue;
    }
    if (node.spare_gradient) move_to(node.spare_gradient, node.gradient);
    if (!is_computed(i)) continue;
    if (!node.gradient) bytes += bytes_of<T>(node.shape);
    scratch_bytes = std::max(scratch_bytes, node.scratch_bytes);
  }
  check_memory(bytes + scratch_bytes, "backward");
  within_memory("backward", bytes + scratch_bytes, options_.max_bytes, [&] {
    for (std::size_t i = 0; i <= id; ++i) {
      Node<T>& node = nodes_[i];
      if (!is_computed(i)) continue;
      if (!node.gradient) {
        node.gradient.emplace(uninitialised<T>(node.shape));
        bytes_ += bytes_of<T>(node.shape);
      } else if (options.accumulate && is_parameter(node)) {
        continue;
      }
      std::fill_n(node.gradient->data(), node.gradient->size(), T(0));
    }
    scratch(scratch_bytes);
  });
}

// Throws InputError for a node that has no gradient because it holds ids or a mask.
template <typename T>
void Graph<T>::check_has_gradient(std::size_t id, std::string_view operation) const {
  const Node<T>& node = this->node(id);
  if (node.content.kind == Content::Kind::numbers) return;
  const char* what = node.content.kind == Content::Kind::ids ? "\", which holds ids" : "\", which is a mask";
  refuse_option(operation, "node", "\"" + node.name + what, "one whose numbers have a gradient");
}

template <typename T>
void Graph<T>::check_gradient(std::size_t id, std::string_view operation) const {
  check_has_gradient(id, operation);
  if (reached_.empty())
    refuse_option(operation, "node", "\"" + node(id).name + "\"", "one of a graph that has gradients");
  if (id < reached_.size() && reached_[id] && !nodes_[id].gradient)
    refuse_option(operation, "node", "\"" + nodes_[id].name + "\", whose gradient was not asked for",
                  "a node that leads to a parameter, or a backward of all nodes first");
}

template <typename T>
void Graph<T>::backward(std::size_t id, std::optional<Array<T>> seed, BackwardOptions options) {
  check_evaluated(id, "backward");
  check_has_gradient(id, "backward");
  const Shape& shape = node(id).shape;
  if (seed && shape_of(*seed) != shape)
    refuse_shape("backward", "gradient", shape_of(*seed),
                 to_string(shape) + ", the shape of \"" + nodes_[id].name + "\"");
  const auto has_gradient = [&](std::size_t parameter) {
    return nodes_[parameter].gradient || nodes_[parameter].spare_gradient;
  };
  if (options.accumulate && std::none_of(parameters_.begin(), parameters_.end(), has_gradient))
    refuse_option("backward", "accumulate", "true", "false, as no parameter has a gradient to add to");
  try {
    zero_gradients(id, options);
    are_gradients_summed_ = options.accumulate;
    Array<T>& first = *nodes_[id].gradient;
    for (std::size_t i = 0; i < first.size(); ++i) {
      const T start = seed ? seed->data()[i] : T(1);
      first.data()[i] = options.accumulate ? first.data()[i] + start : start;
    }
    for (std::size_t i = id + 1; i-- > 0;) {
      Node<T>& node = nodes_[i];
      if (!node.gradient || !node.op) continue;
      bool is_used = false;
      for (std::size_t input = 0; input < node.inputs.size(); ++input) {
        node.input_gradients[input] = node.op->differentiable(input) ? gradient(node.inputs[input]) : nullptr;
        is_used = is_used || node.input_gradients[input];
      }
      if (!is_used) continue;
      node.op->check(node.input_values);  // an id that became invalid unnoticed must not be used as a memory offset
      node.op->backward(node.input_values, node.value, *node.gradient, node.input_gradients, scratch_);
    }
  } catch (...) {
    drop_gradients();
    throw;
  }
}

template void Graph<float>::drop_gradient(Node<float>&);
template void Graph<float>::drop_gradients();
template void Graph<float>::invalidate_gradients();
template void Graph<float>::zero_gradients(std::size_t, const BackwardOptions&);
template void Graph<float>::check_has_gradient(std::size_t, std::string_view) const;
template void Graph<float>::check_gradient(std::size_t, std::string_view) const;
template void Graph<float>::backward(std::size_t, std::optional<Array<float>>, BackwardOptions);
template void Graph<double>::drop_gradient(Node<double>&);
template void Graph<double>::drop_gradients();
template void Graph<double>::invalidate_gradients();
template void Graph<double>::zero_gradients(std::size_t, const BackwardOptions&);
template void Graph<double>::check_has_gradient(std::size_t, std::string_view) const;
template void Graph<double>::check_gradient(std::size_t, std::string_view) const;
template void Graph<double>::backward(std::size_t, std::optional<Array<double>>, BackwardOptions);

}  // namespace attn
