// The computation graph: evaluation, edits, backward, explanations.
#include "tensor/graph.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

namespace attn {
namespace {

template <typename T>
std::uint64_t bytes_of(const Shape& shape) {
  return cell_count(shape) * sizeof(T);
}

template <typename T>
std::uint64_t edit_bytes(const std::vector<Edit<T>>& edited) {
  return std::uint64_t{edited.size()} * sizeof(Edit<T>);
}

template <typename T>
std::uint64_t bytes_held(const Node<T>& node) {
  const std::uint64_t cells = node.value.size() * (1 + node.gradient.has_value() + node.spare_gradient.has_value());
  return cells * sizeof(T) + edit_bytes(node.edited) + node.prepared_bytes;
}

// Runs `work`; memory that the machine does not have becomes a MemoryError.
template <typename Work>
void within_memory(std::string_view operation, std::uint64_t bytes, std::uint64_t limit, Work work) {
  try {
    work();
  } catch (const std::bad_alloc&) {
    refuse_memory(operation, bytes, limit);
  }
}

template <typename T>
bool same_number(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

template <typename T>
Array<T> uninitialised(const Shape& shape) {
  return Array<T>::from_shape(typename Array<T>::shape_type(shape.begin(), shape.end()));
}

// From one place, which becomes empty, to another that is: its memory stays where it is.
template <typename T>
void hand_over(std::optional<Array<T>>& from, std::optional<Array<T>>& to) {
  to.emplace(std::move(*from));
  from.reset();
}

// Says that the numbers of a leaf were typed; what says so already is left as it is.
void become_typed(Origin& origin) {
  const auto kind = origin.find("kind");
  if (origin.size() == 1 && kind != origin.end() && kind->second == Attribute("literal")) return;
  origin.clear();
  origin.emplace("kind", "literal");
}

}  // namespace

template <typename T>
Graph<T>::Graph(GraphOptions options) : options_(options) {
  check_limit("graph", options_.max_bytes);
}

template <typename T>
void Graph<T>::check_name(const std::string& name, std::string_view operation) const {
  if (!name.empty() && name[0] == '#')
    refuse_option(operation, "name", "\"" + name + "\"", "one that does not start with #");
  if (ids_.count(name)) refuse_option(operation, "name", "\"" + name + "\"", "one that no other node has");
}

// Gives a node without a name its own. Throws InputError when the name cannot be had.
template <typename T>
void Graph<T>::claim(std::string& name, std::string_view operation) const {
  check_name(name, operation);
  if (name.empty()) name = "#" + std::to_string(nodes_.size());
}

template <typename T>
Tensor<T> Graph<T>::keep(Node<T> node) {
  const std::size_t id = nodes_.size();
  nodes_.push_back(std::move(node));
  try {
    ids_.emplace(nodes_.back().name, id);
  } catch (...) {
    nodes_.pop_back();
    throw;
  }
  held_ += bytes_held(nodes_.back());
  if (nodes_.back().op) ++computed_;
  if (held_ + scratch_.size() * sizeof(T) > options_.max_bytes)
    std::vector<T, CountingAllocator<T>>().swap(scratch_);  // kept only where there is room
  return {this, id};
}

template <typename T>
Tensor<T> Graph<T>::leaf(std::string name, Array<T> value, Origin origin, Content content) {
  claim(name, "leaf");
  Node<T> node;
  node.shape = shape_of(value);
  check_memory(bytes_of<T>(node.shape), "leaf");
  size_of(node.shape);
  node.name = std::move(name);
  node.value = std::move(value);
  node.origin = std::move(origin);
  node.content = content;
  return keep(std::move(node));
}

template <typename T>
Tensor<T> Graph<T>::parameter(std::string name, Array<T> value, Origin origin) {
  parameters_.reserve(parameters_.size() + 1);
  const Tensor<T> made = leaf(std::move(name), std::move(value), std::move(origin));
  parameters_.push_back(made.id);
  return made;
}

template <typename T>
Tensor<T> Graph<T>::apply(std::unique_ptr<Op<T>> op, const std::vector<Tensor<T>>& inputs, std::string name) {
  const std::string_view operation = op->name();
  check_evaluated(operation);
  claim(name, operation);
  Node<T> node;
  std::vector<Shape> shapes;
  for (const Tensor<T>& input : inputs) {
    if (input.graph != this || input.id >= nodes_.size())
      refuse_option(operation, "input " + std::to_string(node.inputs.size()), "no node of this graph",
                    "all inputs in one graph");
    node.inputs.push_back(input.id);
    shapes.push_back(input.shape());
  }
  node.shape = op->shape(shapes);
  node.scratch_bytes = op->scratch_bytes(shapes);
  node.prepared_bytes = op->prepared_bytes(shapes);
  const std::uint64_t bytes = bytes_of<T>(node.shape) + node.scratch_bytes + node.prepared_bytes;
  check_memory(bytes, operation);
  size_of(node.shape);
  within_memory(operation, bytes, options_.max_bytes, [&] { op->prepare(shapes, node.shape); });
  for (std::size_t input : node.inputs) node.input_values.push_back(&nodes_[input].value);
  node.input_gradients.resize(node.inputs.size());
  node.name = std::move(name);
  const auto same = [&](std::size_t input) { return nodes_[input].content == nodes_[node.inputs[0]].content; };
  if (op->moves() && std::all_of(node.inputs.begin(), node.inputs.end(), same)) {
    node.content = nodes_[node.inputs[0]].content;
  }
  node.op = std::move(op);
  node.op->check(node.input_values);
  within_memory(operation, bytes, options_.max_bytes, [&] {
    node.value = uninitialised<T>(node.shape);
    evaluate(node);
  });
  forget_replay();
  return keep(std::move(node));
}

template <typename T>
Tensor<T> Graph<T>::at(const std::string& name, std::string_view operation) {
  const auto found = ids_.find(name);
  if (found == ids_.end()) refuse_option(operation, "name", "\"" + name + "\"", "the name of a node");
  return {this, found->second};
}

template <typename T>
const Node<T>& Graph<T>::node(std::size_t id) const {
  if (id >= nodes_.size())
    refuse_option("graph", "node", std::to_string(id), "one below " + std::to_string(nodes_.size()));
  return nodes_[id];
}

template <typename T>
void Graph<T>::truncate(std::size_t size) {
  forget_replay();
  while (nodes_.size() > size) {
    held_ -= bytes_held(nodes_.back());
    if (nodes_.back().op) --computed_;
    ids_.erase(nodes_.back().name);
    nodes_.pop_back();
  }
  while (!layers_.empty() && layers_.back().output >= size) layers_.pop_back();
  while (!parameters_.empty() && parameters_.back() >= size) parameters_.pop_back();
  std::erase_if(written_, [&](std::size_t id) { return id >= size; });
  is_stale_ = is_stale_ && computed_ > 0;
}

template <typename T>
void Graph<T>::check_memory(std::uint64_t more, std::string_view operation) {
  if (constant_bytes_ > 0 && (more > options_.max_bytes || held_ > options_.max_bytes - more)) forget_replay();
  attn::check_memory(operation, more, held_, options_.max_bytes);
}

// Working memory of at least `bytes`, until the next call.
template <typename T>
Scratch<T> Graph<T>::scratch(std::uint64_t bytes) {
  const std::uint64_t count = bytes / sizeof(T);
  if (count > scratch_.size()) {
    // What it held is needed no more: the old and the new need not stand side by side.
    std::vector<T, CountingAllocator<T>>().swap(scratch_);
    std::vector<T, CountingAllocator<T>>(static_cast<std::size_t>(count)).swap(scratch_);
  }
  return scratch_;
}

template <typename T>
void Graph<T>::evaluate(Node<T>& node) {
  node.op->forward(node.input_values, node.value, scratch(node.scratch_bytes));
  ++evaluations_;
}

template <typename T>
Node<T>& Graph<T>::leaf_at(std::size_t id, std::string_view operation) {
  if (node(id).op)
    refuse_option(operation, "node",
                  "\"" + nodes_[id].name + "\", which is computed by " + std::string(nodes_[id].op->name()), "a leaf");
  return nodes_[id];
}

template <typename T>
std::vector<std::size_t> Graph<T>::dependents(const std::vector<std::size_t>& nodes) const {
  std::vector<bool> changed(nodes_.size(), false);
  for (const std::size_t id : nodes) changed[id] = true;
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const std::vector<std::size_t>& inputs = nodes_[i].inputs;
    if (std::none_of(inputs.begin(), inputs.end(), [&](std::size_t input) { return changed[input]; })) continue;
    changed[i] = true;
    found.push_back(i);
  }
  return found;
}

template <typename T>
void Graph<T>::check_evaluated(std::string_view operation) const {
  if (is_stale_)
    refuse_option(operation, "graph", "stale, as leaves were written after it was evaluated", "a replay first");
}

// The computed nodes whose numbers an edit of leaf `id` makes untrue, in the order the nodes were made.
template <typename T>
std::vector<std::size_t> Graph<T>::outdated_by_edit(std::size_t id) const {
  if (!is_stale_) return dependents({id});
  std::vector<std::size_t> computed;
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (nodes_[i].op) computed.push_back(i);
  return computed;
}

// Evaluates all nodes that are outdated.
template <typename T>
void Graph<T>::evaluate_outdated(const std::vector<std::size_t>& nodes) {
  is_stale_ = true;
  for (const std::size_t id : nodes) {
    Node<T>& node = nodes_[id];
    within_memory(node.op->name(), bytes_of<T>(node.shape), options_.max_bytes, [&] { evaluate_again(node); });
  }
  is_stale_ = false;
}

template <typename T>
Array<T>& Graph<T>::numbers(std::size_t id) {
  mark_typed(id);
  count_as_written(id);
  is_stale_ = is_stale_ || computed_ > 0;
  return nodes_[id].value;
}

template <typename T>
void Graph<T>::count_as_written(std::size_t id) {
  if (nodes_[id].op || nodes_[id].is_written) return;
  written_.push_back(id);
  nodes_[id].is_written = true;
  forget_replay();
}

template <typename T>
void Graph<T>::mark_typed(std::size_t id) {
  Node<T>& leaf = leaf_at(id, "replay");
  held_ -= edit_bytes(leaf.edited);
  leaf.edited.clear();
  become_typed(leaf.origin);
}

template <typename T>
void Graph<T>::evaluate_again(Node<T>& node) {
  node.op->check(node.input_values);
  evaluate(node);
}

template <typename T>
void Graph<T>::replay() {
  if (!replayed_) prepare_replay();
  replay(*replayed_);
  is_stale_ = false;
}

// Finds what a replay evaluates, and has its ops keep what they make of the inputs that no replay changes, where there is memory.
template <typename T>
void Graph<T>::prepare_replay() {
  std::vector<std::size_t> replayed = dependents(written_);
  std::vector<bool> changes(nodes_.size(), false);
  for (const std::size_t id : written_) changes[id] = true;
  for (const std::size_t id : replayed) changes[id] = true;
  replayed_ = std::move(replayed);
  for (const std::size_t id : *replayed_) {
    Node<T>& node = nodes_[id];
    for (std::size_t input = 0; input < node.inputs.size(); ++input) {
      const std::uint64_t bytes = changes[node.inputs[input]] ? 0 : node.op->constant_bytes(node.input_values, input);
      if (bytes == 0 || held_ + bytes > options_.max_bytes) continue;
      try {
        node.op->keep_constant(input, *node.input_values[input]);
      } catch (const std::bad_alloc&) {
        continue;  // slower, and all else as it is
      }
      held_ += bytes;
      constant_bytes_ += bytes;
    }
  }
}

template <typename T>
void Graph<T>::forget_replay() {
  if (!replayed_) return;
  for (const std::size_t id : *replayed_) nodes_[id].op->forget_constants();
  held_ -= constant_bytes_;
  constant_bytes_ = 0;
  replayed_.reset();
}

template <typename T>
void Graph<T>::replay(const std::vector<std::size_t>& nodes) {
  is_stale_ = true;
  spare_gradients();
  for (const std::size_t id : nodes) evaluate_again(nodes_[id]);
}

template <typename T>
void Graph<T>::drop_gradient(Node<T>& node) {
  held_ -= bytes_of<T>(node.shape) * (node.gradient.has_value() + node.spare_gradient.has_value());
  node.gradient.reset();
  node.spare_gradient.reset();
}

template <typename T>
void Graph<T>::drop_gradients() {
  for (Node<T>& node : nodes_) drop_gradient(node);
}

// Drops gradients but for their memory.
template <typename T>
void Graph<T>::spare_gradients() {
  for (Node<T>& node : nodes_)
    if (node.gradient) hand_over(node.gradient, node.spare_gradient);
}

template <typename T>
std::vector<std::size_t> Graph<T>::set(std::size_t id, Array<T> value) {
  Node<T>& leaf = leaf_at(id, "set");
  if (shape_of(value) != leaf.shape)
    refuse_shape("set", "value", shape_of(value), to_string(leaf.shape) + ", the shape of \"" + leaf.name + "\"");
  // The numbers that count as not edited are the ones the leaf was made with.
  const auto each_edit = [&](auto visit) {
    auto known = leaf.edited.begin();
    for (std::size_t offset = 0; offset < value.size(); ++offset) {
      const bool by_hand = known != leaf.edited.end() && known->offset == offset;
      const T original = by_hand ? (known++)->original : leaf.value.data()[offset];
      if (!same_number(value.data()[offset], original)) visit(Edit<T>{offset, original});
    }
  };
  std::size_t count = 0;
  each_edit([&](const Edit<T>&) { ++count; });
  check_memory(count * sizeof(Edit<T>), "set");
  std::vector<Edit<T>> edited;
  edited.reserve(count);
  each_edit([&](const Edit<T>& edit) { edited.push_back(edit); });
  return replace(leaf, id, std::move(edited), [&] {
    // In place: who reads a node reads it where it is.
    std::swap_ranges(leaf.value.data(), leaf.value.data() + leaf.value.size(), value.data());
  });
}

template <typename T>
std::vector<std::size_t> Graph<T>::set_cell(std::size_t id, const Index& index, T value) {
  Node<T>& leaf = leaf_at(id, "set_cell");
  const std::size_t offset = offset_of(leaf.shape, index);
  check_memory((leaf.edited.size() + 1) * sizeof(Edit<T>), "set_cell");
  std::vector<Edit<T>> edited;
  edited.reserve(leaf.edited.size() + 1);
  edited = leaf.edited;
  auto edit = std::lower_bound(edited.begin(), edited.end(), offset,
                               [](const Edit<T>& before, std::size_t place) { return before.offset < place; });
  if (edit == edited.end() || edit->offset != offset) edit = edited.insert(edit, {offset, leaf.value.data()[offset]});
  if (same_number(edit->original, value)) edited.erase(edit);
  return replace(leaf, id, std::move(edited), [&] { std::swap(leaf.value.data()[offset], value); });
}

template <typename T>
std::vector<std::size_t> Graph<T>::reset(std::size_t id) {
  Node<T>& leaf = leaf_at(id, "reset");
  check_memory(leaf.edited.size() * sizeof(Edit<T>), "reset");
  std::vector<Edit<T>> numbers = leaf.edited;
  return replace(leaf, id, {}, [&] {
    for (Edit<T>& number : numbers) std::swap(leaf.value.data()[number.offset], number.original);
  });
}

// Exchanges the numbers of a leaf for others, which `exchange` does, and back when an op refuses them.
template <typename T>
template <typename Exchange>
std::vector<std::size_t> Graph<T>::replace(Node<T>& leaf, std::size_t id, std::vector<Edit<T>> edited,
                                           Exchange exchange) {
  const auto swap_numbers = [&] {
    exchange();
    held_ -= edit_bytes(leaf.edited);
    std::swap(leaf.edited, edited);
    held_ += edit_bytes(leaf.edited);
  };
  std::vector<std::size_t> outdated = outdated_by_edit(id);
  count_as_written(id);
  if (is_stale_) spare_gradients();  // they are of leaves that were written since
  swap_numbers();
  try {
    evaluate_outdated(outdated);
    drop_gradients();
    return outdated;
  } catch (...) {
    // The same numbers give the same values, so that no second copy of every dependent is needed.
    swap_numbers();
    try {
      evaluate_outdated(outdated);
    } catch (...) {
      is_stale_ = true;  // another leaf has numbers that are refused too; the first refusal is told
    }
    throw;
  }
}

// Gradients of what node `id` depends on: zeros, in the memory of earlier ones where there is some; the others are dropped.
template <typename T>
void Graph<T>::start_gradients(std::size_t id) {
  reached_.assign(nodes_.size(), false);
  reached_[id] = true;
  std::uint64_t bytes = 0;
  std::uint64_t scratch_bytes = 0;
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    Node<T>& node = nodes_[i];
    if (!reached_[i]) {
      drop_gradient(node);
      continue;
    }
    if (node.spare_gradient) hand_over(node.spare_gradient, node.gradient);
    if (!node.gradient) bytes += bytes_of<T>(node.shape);
    for (std::size_t input = 0; input < node.inputs.size(); ++input)
      if (node.op->differentiable(input)) reached_[node.inputs[input]] = true;
    scratch_bytes = std::max(scratch_bytes, node.scratch_bytes);
  }
  check_memory(bytes + scratch_bytes, "backward");
  within_memory("backward", bytes + scratch_bytes, options_.max_bytes, [&] {
    for (std::size_t i = 0; i <= id; ++i) {
      Node<T>& node = nodes_[i];
      if (!reached_[i]) continue;
      if (!node.gradient) {
        node.gradient.emplace(uninitialised<T>(node.shape));
        held_ += bytes_of<T>(node.shape);
      }
      std::fill_n(node.gradient->data(), node.gradient->size(), T(0));
    }
    scratch(scratch_bytes);
  });
}

template <typename T>
void Graph<T>::backward(std::size_t id, std::optional<Array<T>> seed) {
  check_evaluated("backward");
  const Shape& shape = node(id).shape;
  if (seed && shape_of(*seed) != shape)
    refuse_shape("backward", "gradient", shape_of(*seed),
                 to_string(shape) + ", the shape of \"" + nodes_[id].name + "\"");
  try {
    start_gradients(id);
    Array<T>& first = *nodes_[id].gradient;
    if (seed) {
      std::copy_n(seed->data(), seed->size(), first.data());
    } else {
      std::fill_n(first.data(), first.size(), T(1));
    }
    for (std::size_t i = id + 1; i-- > 0;) {
      Node<T>& node = nodes_[i];
      if (!reached_[i] || !node.op) continue;
      for (std::size_t input = 0; input < node.inputs.size(); ++input)
        node.input_gradients[input] = node.op->differentiable(input) ? gradient(node.inputs[input]) : nullptr;
      node.op->check(node.input_values);  // an id that became bad unnoticed must not be used as a place in memory
      node.op->backward(node.input_values, node.value, *node.gradient, node.input_gradients, scratch_);
    }
  } catch (...) {
    drop_gradients();
    throw;
  }
}

template <typename T>
std::vector<CellView> Graph<T>::views_of(const Node<T>& node) {
  std::vector<CellView> views;
  for (const Array<T>* value : node.input_values) views.emplace_back(*value);
  return views;
}

template <typename T>
Explanation Graph<T>::explain(std::size_t id, const Index& index, ExplainOptions options) const {
  check_evaluated("explain");
  const Node<T>& node = this->node(id);
  const std::size_t offset = offset_of(node.shape, index);
  if (node.op) {
    node.op->check(node.input_values);
    Explanation explanation = node.op->explain(views_of(node), CellView(node.value), index);
    explanation.attributes = node.op->attributes();
    explanation.compare_with_rounding(std::numeric_limits<T>::epsilon());
    explanation.shorten(options.full);
    return explanation;
  }
  const char* role = "typed";
  const bool by_hand =
      std::any_of(node.edited.begin(), node.edited.end(), [&](const Edit<T>& edit) { return edit.offset == offset; });
  if (const auto kind = node.origin.find("kind"); kind != node.origin.end() && !by_hand) {
    if (kind->second == Attribute("draw")) role = "drawn";
    if (kind->second == Attribute("token_vectors")) role = "looked_up";
  }
  const double value = node.value.data()[offset];
  Explanation explanation;
  explanation.row(role).term({kNowhere, index, value}).gives(value);
  explanation.attributes = node.origin;
  return explanation;
}

template <typename T>
GradientExplanation Graph<T>::explain_gradient(std::size_t id, const Index& index, ExplainOptions options) const {
  check_evaluated("explain_gradient");
  const Node<T>& node = this->node(id);
  const std::size_t offset = offset_of(node.shape, index);
  if (!node.gradient)
    refuse_option("explain_gradient", "node", "\"" + node.name + "\"", "one that the last backward reached");
  GradientExplanation explanation;
  TermList terms;
  double rounding_units = 0;  // of the terms themselves
  bool used = false;
  for (std::size_t consumer = id + 1; consumer < nodes_.size(); ++consumer) {
    const Node<T>& reader = nodes_[consumer];
    if (!reader.gradient) continue;
    for (std::size_t input = 0; input < reader.inputs.size(); ++input) {
      if (reader.inputs[input] != id || !reader.op->differentiable(input)) continue;
      reader.op->check(reader.input_values);
      Explanation use = reader.op->explain_gradient(views_of(reader), CellView(reader.value),
                                                    CellView(*reader.gradient), input, index);
      used = true;
      terms.add({kNowhere, {}, *use.rows.back().value});
      use.attributes = reader.op->attributes();
      rounding_units += use.rows.back().rounding_units;
      use.compare_with_rounding(std::numeric_limits<T>::epsilon());
      use.shorten(options.full);
      explanation.uses.push_back({consumer, input, std::move(use)});
    }
  }
  const double gradient = node.gradient->data()[offset];
  // Only the node that backward started from is reached without being used.
  explanation.sum.role = used ? "sum_over_uses" : "seed";
  if (!used) terms.add({kOutputGradient, index, gradient});
  terms.give_to(explanation.sum, used);
  explanation.sum.rounding_units += rounding_units;
  explanation.sum.gives(gradient).compare_with_rounding(std::numeric_limits<T>::epsilon());
  explanation.sum.shorten(options.full);
  return explanation;
}

template class Graph<float>;
template class Graph<double>;

}  // namespace attn
