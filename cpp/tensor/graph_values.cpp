// The values of a graph: adding and removing nodes, evaluation, edits, replay.
#include <algorithm>
#include <cstring>
#include <utility>

#include "tensor/graph.hpp"
#include "tensor/node_memory.hpp"
#include "tensor/random.hpp"

namespace attn {
namespace {

template <typename T>
std::uint64_t edit_bytes(const std::vector<Edit<T>>& edited) {
  return std::uint64_t{edited.size()} * sizeof(Edit<T>);
}

template <typename T>
std::uint64_t bytes_held(const Node<T>& node) {
  const std::uint64_t cells = node.value.size() * (1 + node.gradient.has_value() + node.spare_gradient.has_value());
  return cells * sizeof(T) + edit_bytes(node.edited) + node.prepared_bytes;
}

template <typename T>
bool same_number(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

// So many lists of targets keep their plans of a replay; a further one replaces the oldest.
constexpr std::size_t kPlansAtMost = 8;

// The generator of the numbers of a dropout.
RandomState dropout_random(std::uint32_t seed, std::uint32_t step) {
  if (step == 0) return RandomState(seed);
  const std::uint32_t words[] = {seed, step};
  return RandomState(std::span<const std::uint32_t>(words));
}

// Sets an origin to that draw; one that is already a draw keeps its memory.
void set_dropout_origin(Origin& origin, std::uint32_t seed, std::uint32_t step) {
  if (origin.find("method") == origin.end())
    origin = {{"kind", "draw"}, {"method", "uniform"}, {"low", 0.0}, {"high", 1.0}, {"skip", std::string()}};
  Attribute& of = origin["seed"];
  if (step == 0) {
    of = static_cast<double>(seed);
  } else {
    if (!std::holds_alternative<std::vector<double>>(of)) of = std::vector<double>();
    std::get<std::vector<double>>(of) = {static_cast<double>(seed), static_cast<double>(step)};
  }
}

// Sets an origin to "literal"; one that is already literal is left unchanged.
void set_literal(Origin& origin) {
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

// Throws InputError unless a new node may have this name; an empty name becomes "#<id>".
template <typename T>
void Graph<T>::complete_name(std::string& name, std::string_view operation) const {
  check_name(name, operation);
  if (name.empty()) name = "#" + std::to_string(nodes_.size());
}

template <typename T>
Tensor<T> Graph<T>::add_node(Node<T> node) {
  const std::size_t id = nodes_.size();
  nodes_.push_back(std::move(node));
  try {
    ids_.emplace(nodes_.back().name, id);
  } catch (...) {
    nodes_.pop_back();
    throw;
  }
  bytes_ += bytes_held(nodes_.back());
  if (nodes_.back().op) ++computed_;
  if (bytes_ + scratch_.size() * sizeof(T) > options_.max_bytes)
    std::vector<T, CountingAllocator<T>>().swap(scratch_);  // the scratch memory stays only where there is room
  return {this, id};
}

template <typename T>
Tensor<T> Graph<T>::leaf(std::string name, Array<T> value, Origin origin, Content content) {
  complete_name(name, "leaf");
  Node<T> node;
  node.shape = shape_of(value);
  check_memory(bytes_of<T>(node.shape), "leaf");
  size_of(node.shape);
  node.name = std::move(name);
  node.value = std::move(value);
  node.origin = std::move(origin);
  node.content = content;
  return add_node(std::move(node));
}

template <typename T>
Tensor<T> Graph<T>::parameter(std::string name, Array<T> value, Origin origin) {
  parameters_.reserve(parameters_.size() + 1);
  const Tensor<T> leaf_tensor = leaf(std::move(name), std::move(value), std::move(origin));
  parameters_.push_back(leaf_tensor.id);
  nodes_[leaf_tensor.id].leads_to_parameter = true;
  return leaf_tensor;
}

template <typename T>
Tensor<T> Graph<T>::dropout_draw(std::string name, const Shape& shape, std::uint32_t seed) {
  check_memory(cell_count(shape) * sizeof(T), "dropout");
  dropout_draws_.reserve(dropout_draws_.size() + 1);
  Array<T> numbers = uninitialised<T>(shape);
  dropout_random(seed, 0).fill_random_sample(std::span<T>(numbers.data(), numbers.size()));
  Origin origin;
  set_dropout_origin(origin, seed, 0);
  const Tensor<T> drawn = leaf(std::move(name), std::move(numbers), std::move(origin));
  dropout_draws_.emplace_back(drawn.id, seed);
  return drawn;
}

template <typename T>
Tensor<T> Graph<T>::apply(std::unique_ptr<Op<T>> op, const std::vector<Tensor<T>>& inputs, std::string name) {
  const std::string_view operation = op->name();
  check_evaluated(operation);
  complete_name(name, operation);
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
  for (std::size_t input = 0; input < node.inputs.size(); ++input)
    if (nodes_[node.inputs[input]].leads_to_parameter && op->differentiable(input)) node.leads_to_parameter = true;
  node.name = std::move(name);
  const auto same = [&](std::size_t input) { return nodes_[input].content == nodes_[node.inputs[0]].content; };
  if (op->copies_cells() && std::all_of(node.inputs.begin(), node.inputs.end(), same)) {
    node.content = nodes_[node.inputs[0]].content;
  }
  if (op->outputs_ids()) node.content.kind = Content::Kind::ids;
  node.op = std::move(op);
  node.op->check(node.input_values);
  within_memory(operation, bytes, options_.max_bytes, [&] {
    node.value = uninitialised<T>(node.shape);
    evaluate(node);
  });
  discard_replay_plans();
  return add_node(std::move(node));
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
  discard_replay_plans();
  while (nodes_.size() > size) {
    bytes_ -= bytes_held(nodes_.back());
    if (nodes_.back().op) --computed_;
    ids_.erase(nodes_.back().name);
    nodes_.pop_back();
  }
  while (!layers_.empty() && layers_.back().output >= size) layers_.pop_back();
  while (!parameters_.empty() && parameters_.back() >= size) parameters_.pop_back();
  std::erase_if(written_, [&](std::size_t id) { return id >= size; });
  std::erase_if(dropout_draws_, [&](const auto& draw) { return draw.first >= size; });
  bool skips = false;
  for (const Node<T>& node : nodes_) skips = skips || node.is_skipped;
  if (computed_ == 0 || (state_ == State::evaluated_in_part && !skips)) state_ = State::evaluated;
}

template <typename T>
void Graph<T>::check_memory(std::uint64_t more, std::string_view operation) {
  if (constant_bytes_ > 0 && (more > options_.max_bytes || bytes_ > options_.max_bytes - more)) discard_replay_plans();
  attn::check_memory(operation, more, bytes_, options_.max_bytes);
}

// Scratch memory of at least `bytes`, valid until the next call.
template <typename T>
Scratch<T> Graph<T>::scratch(std::uint64_t bytes) {
  const std::uint64_t count = bytes / sizeof(T);
  if (count > scratch_.size()) {
    // The old contents are not needed: free them first, so that the two do not take memory at once.
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
  if (is_stale())
    refuse_option(operation, "graph", "stale, as leaves were written after it was evaluated", "a replay first");
}

template <typename T>
void Graph<T>::check_evaluated(std::size_t id, std::string_view operation) const {
  if (state_ != State::evaluated_in_part) return check_evaluated(operation);
  check_not_skipped(id, operation);
}

template <typename T>
void Graph<T>::check_not_skipped(std::size_t id, std::string_view operation) const {
  if (node(id).is_skipped)
    refuse_option(operation, "node", "\"" + node(id).name + "\", which the last replay skipped",
                  "a node that it was for, or a replay of the whole graph first");
}

// The computed nodes that must be evaluated again after an edit of leaf `id`, in the order the nodes were made.
template <typename T>
std::vector<std::size_t> Graph<T>::outdated_by_edit(std::size_t id) const {
  if (!is_stale()) return dependents({id});
  std::vector<std::size_t> computed;
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (nodes_[i].op) computed.push_back(i);
  return computed;
}

// Evaluates all nodes in `nodes`.
template <typename T>
void Graph<T>::evaluate_outdated(const std::vector<std::size_t>& nodes) {
  state_ = State::written;
  for (const std::size_t id : nodes) {
    Node<T>& node = nodes_[id];
    within_memory(node.op->name(), bytes_of<T>(node.shape), options_.max_bytes, [&] { evaluate_again(node); });
  }
  mark_evaluated();
}

template <typename T>
Array<T>& Graph<T>::numbers(std::size_t id) {
  mark_typed(id);
  count_as_written(id);
  mark_written();
  return nodes_[id].value;
}

template <typename T>
void Graph<T>::mark_written() {
  if (computed_ > 0) state_ = State::written;
}

template <typename T>
void Graph<T>::mark_evaluated() {
  state_ = State::evaluated;
  for (Node<T>& node : nodes_) node.is_skipped = false;
}

template <typename T>
void Graph<T>::count_as_written(std::size_t id) {
  if (nodes_[id].op || nodes_[id].is_written) return;
  written_.push_back(id);
  nodes_[id].is_written = true;
  discard_replay_plans();
}

template <typename T>
void Graph<T>::mark_typed(std::size_t id) {
  Node<T>& leaf = leaf_at(id, "replay");
  bytes_ -= edit_bytes(leaf.edited);
  leaf.edited.clear();
  set_literal(leaf.origin);
}

template <typename T>
void Graph<T>::evaluate_again(Node<T>& node) {
  node.op->check(node.input_values);
  evaluate(node);
}

template <typename T>
void Graph<T>::redraw_dropout(std::uint32_t step) {
  for (const auto& [id, seed] : dropout_draws_) {
    Node<T>& leaf = nodes_[id];
    bytes_ -= edit_bytes(leaf.edited);
    leaf.edited.clear();
    count_as_written(id);
    mark_written();
    dropout_random(seed, step).fill_random_sample(std::span<T>(leaf.value.data(), leaf.value.size()));
    set_dropout_origin(leaf.origin, seed, step);
  }
}

template <typename T>
void Graph<T>::replay() {
  replay(replay_plan({}).nodes);
  mark_evaluated();
}

template <typename T>
void Graph<T>::replay_for(const std::vector<std::size_t>& targets) {
  if (targets.empty()) refuse_option("replay", "targets", "none", "at least one node");
  for (const std::size_t id : targets) node(id);
  const ReplayPlan& plan = replay_plan(targets);
  replay(plan.nodes);
  mark_evaluated();
  for (const std::size_t id : plan.skipped) nodes_[id].is_skipped = true;
  if (!plan.skipped.empty()) state_ = State::evaluated_in_part;
}

// Finds the nodes that a replay evaluates for `targets`, or for all nodes when there are none.
template <typename T>
const typename Graph<T>::ReplayPlan& Graph<T>::replay_plan(const std::vector<std::size_t>& targets) {
  for (const ReplayPlan& plan : plans_)
    if (plan.targets == targets) return plan;
  const std::vector<std::size_t> all = dependents(written_);
  store_constants(all);
  std::vector<bool> needed(nodes_.size(), targets.empty());
  for (const std::size_t id : targets) needed[id] = true;
  for (std::size_t i = nodes_.size(); i-- > 0;)
    if (needed[i])
      for (const std::size_t input : nodes_[i].inputs) needed[input] = true;
  ReplayPlan plan{.targets = targets, .nodes = {}, .skipped = {}};
  for (const std::size_t id : all) (needed[id] ? plan.nodes : plan.skipped).push_back(id);
  if (plans_.size() == kPlansAtMost) plans_.erase(plans_.begin());
  plans_.push_back(std::move(plan));
  return plans_.back();
}

// Lets the ops of `nodes`, all that replays evaluate, store what they derive from constant inputs, where there is
// memory.
template <typename T>
void Graph<T>::store_constants(const std::vector<std::size_t>& nodes) {
  if (!plans_.empty()) return;
  std::vector<bool> changes(nodes_.size(), false);
  for (const std::size_t id : written_) changes[id] = true;
  for (const std::size_t id : nodes) changes[id] = true;
  for (const std::size_t id : nodes) {
    Node<T>& node = nodes_[id];
    for (std::size_t input = 0; input < node.inputs.size(); ++input) {
      const std::uint64_t bytes = changes[node.inputs[input]] ? 0 : node.op->constant_bytes(node.input_values, input);
      if (bytes == 0 || bytes_ + bytes > options_.max_bytes) continue;
      try {
        node.op->store_constant(input, *node.input_values[input]);
      } catch (const std::bad_alloc&) {
        continue;  // the op still works without it, only slower
      }
      bytes_ += bytes;
      constant_bytes_ += bytes;
    }
  }
}

template <typename T>
void Graph<T>::discard_replay_plans() {
  plans_.clear();
  if (constant_bytes_ == 0) return;
  for (Node<T>& node : nodes_)
    if (node.op) node.op->discard_constants();
  bytes_ -= constant_bytes_;
  constant_bytes_ = 0;
}

template <typename T>
void Graph<T>::replay(const std::vector<std::size_t>& nodes) {
  state_ = State::written;
  invalidate_gradients();
  for (const std::size_t id : nodes) evaluate_again(nodes_[id]);
}

template <typename T>
std::vector<std::size_t> Graph<T>::set(std::size_t id, Array<T> value) {
  Node<T>& leaf = leaf_at(id, "set");
  if (shape_of(value) != leaf.shape)
    refuse_shape("set", "value", shape_of(value), to_string(leaf.shape) + ", the shape of \"" + leaf.name + "\"");
  // An edit is a difference from the numbers that the leaf was made with.
  const auto each_edit = [&](auto visit) {
    auto next_edit = leaf.edited.begin();
    for (std::size_t offset = 0; offset < value.size(); ++offset) {
      const bool is_edited = next_edit != leaf.edited.end() && next_edit->offset == offset;
      const T original = is_edited ? (next_edit++)->original : leaf.value.data()[offset];
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
    // Swap in place: other nodes point to this array.
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
  auto edit =
      std::lower_bound(edited.begin(), edited.end(), offset,
                       [](const Edit<T>& before, std::size_t wanted_offset) { return before.offset < wanted_offset; });
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

// Replaces the numbers of a leaf by calling `exchange`, and calls it again to restore them when an op refuses them.
template <typename T>
template <typename Exchange>
std::vector<std::size_t> Graph<T>::replace(Node<T>& leaf, std::size_t id, std::vector<Edit<T>> edited,
                                           Exchange exchange) {
  const auto swap_numbers = [&] {
    exchange();
    bytes_ -= edit_bytes(leaf.edited);
    std::swap(leaf.edited, edited);
    bytes_ += edit_bytes(leaf.edited);
  };
  std::vector<std::size_t> outdated = outdated_by_edit(id);
  count_as_written(id);
  if (is_stale()) invalidate_gradients();  // they belong to numbers that have been overwritten since
  swap_numbers();
  try {
    evaluate_outdated(outdated);
    drop_gradients();
    return outdated;
  } catch (...) {
    // The same numbers give the same values, so the previous values need not be copied.
    swap_numbers();
    try {
      evaluate_outdated(outdated);
    } catch (...) {
      state_ = State::written;  // another leaf has numbers that are refused too; the first error is reported
    }
    throw;
  }
}

// Instantiates the members defined here; the others are instantiated in their own files.
template class Graph<float>;
template class Graph<double>;

}  // namespace attn
