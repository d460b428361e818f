// The computation graph: every operation is a named node with its value and, after backward, its gradient.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tensor/memory.hpp"
#include "tensor/op.hpp"
#include "tensor/used_cells.hpp"

namespace attn {

template <typename T>
class Graph;

// A light handle on a node, valid as long as its graph.
template <typename T>
struct Tensor {
  Graph<T>* graph = nullptr;
  std::size_t id = 0;

  const Array<T>& value() const;
  const Shape& shape() const;
};

// An optional argument.
template <typename T>
using OptionalTensor = std::type_identity_t<std::optional<Tensor<T>>>;

// The origin of the numbers of a leaf, from which a program can create them again. The attribute "kind" is "literal",
// "draw" (seed, a number or a list; method; position in the stream) or "token_vectors" (tokens, seed).
using Origin = Attributes;

// The meaning of the numbers of a node. All are stored alike, and an op that only moves numbers preserves it.
struct Content {
  enum class Kind { numbers, ids, mask };
  Kind kind = Kind::numbers;
  std::optional<double> fill = {};  // replacement where a mask is 0; -infinity when absent
  bool operator==(const Content&) const = default;
};

// A cell of a leaf edited by hand, and its original number.
template <typename T>
struct Edit {
  std::size_t offset = 0;
  T original = 0;
};

// A node: its op, inputs and value, and its origin when it has no op.
template <typename T>
struct Node {
  std::string name;
  std::unique_ptr<Op<T>> op;  // null for a leaf
  std::vector<std::size_t> inputs;
  Shape shape;
  Array<T> value;
  std::optional<Array<T>> gradient;
  Origin origin;
  Content content;
  std::vector<Edit<T>> edited;      // by ascending offset; a cell set back to its original number is removed
  bool is_written = false;          // whether a leaf was written or edited, and so may be again
  bool is_passed_over = false;      // see Graph::pass_over
  bool is_skipped = false;          // whether the last replay skipped it
  bool leads_to_parameter = false;  // whether it is a parameter or its gradient adds to that of one

  std::optional<Array<T>> spare_gradient;  // the memory of an invalidated gradient, reused by the next backward

  // Set for a computed node, for as long as it exists.
  std::vector<const Array<T>*> input_values;
  std::vector<Array<T>*> input_gradients;  // as passed to the last backward
  std::uint64_t scratch_bytes = 0;
  std::uint64_t prepared_bytes = 0;
};

// The record of a call of a layer: its settings, its parameters by the names of PyTorch's state_dict, and its nodes,
// from `first` to `output`. The nodes define the computation; the record says which layer they form.
struct LayerCall {
  std::string kind;  // "linear", "encoder_layer"
  Attributes options = {};
  std::vector<std::size_t> inputs = {};
  std::vector<std::pair<std::string, std::size_t>> parameters = {};
  std::size_t first = 0;
  std::size_t output = 0;
};

// How much of an explanation is returned.
struct ExplainOptions {
  bool full = false;  // long rows show all their terms, up to kTermsAtMost
};

// How a cell of a gradient was computed: the part that came through every use of the node, and their sum.
struct GradientExplanation {
  struct Use {
    std::size_t consumer = 0;  // the node that reads it
    std::size_t input = 0;     // position of the node among its inputs
    Explanation explanation;   // "upstream", "local", "contributions"; inputs are counted among those of the consumer
  };
  std::vector<Use> uses;
  Row sum;  // "sum_over_uses": a term per use; "seed" for the node that backward started from; "unreached"
};

// The cells of one node, `consumer`, that are computed directly from a given cell of one of its inputs.
struct CellUse {
  std::size_t consumer = 0;
  Block cells;
};

// What a backward computes and keeps.
struct BackwardOptions {
  bool parameters_only = false;  // gradients of parameters only, and of the nodes between them and the start
  bool accumulate = false;       // adds to the gradients of the parameters from earlier backwards, which must exist
};

// The settings of a graph.
struct GraphOptions {
  bool observe = false;  // attention as separate steps, not as one fused node
  std::uint64_t max_bytes =
      kMaxBytes;  // limit for all memory of a graph, scratch included; at most the addressable size
};

// The nodes in the order they were made, which is an order of evaluation. All are freed together.
template <typename T>
class Graph {
 public:
  explicit Graph(GraphOptions options = {});
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  bool observe() const { return options_.observe; }

  // A leaf holding `value`. Names are unique and do not start with "#"; an empty name becomes "#<id>".
  Tensor<T> leaf(std::string name, Array<T> value, Origin origin = {{"kind", "literal"}}, Content content = {});

  // A leaf that holds a parameter.
  Tensor<T> parameter(std::string name, Array<T> value, Origin origin = {{"kind", "literal"}});

  // A leaf of uniform numbers in [0, 1) that decide what a dropout drops: those of step 0, see redraw_dropout().
  Tensor<T> dropout_draw(std::string name, const Shape& shape, std::uint32_t seed);

  // Evaluates `op` and adds it as a node. Throws InputError, also for a stale graph, or MemoryError, and then adds
  // nothing.
  Tensor<T> apply(std::unique_ptr<Op<T>> op, const std::vector<Tensor<T>>& inputs, std::string name = {});

  // Throws InputError naming `operation` when no node has this name.
  Tensor<T> at(const std::string& name, std::string_view operation = "graph");
  const Node<T>& node(std::size_t id) const;
  std::size_t size() const { return nodes_.size(); }

  // Marks a node as an intermediate step that readers of explanations pass over: one that only changes the shape, a
  // part of what is joined, a sum that is only the argument of a function. Returns the node.
  Tensor<T> pass_over(const Tensor<T>& node) {
    nodes_[node.id].is_passed_over = true;
    return node;
  }

  // Stores the record of a layer's call. A layer inside another is recorded before it.
  void record(LayerCall layer) { layers_.push_back(std::move(layer)); }
  const std::vector<LayerCall>& layers() const { return layers_; }

  // Removes the nodes from `size` on; used by a call of several steps when a later step is refused.
  void truncate(std::size_t size);

  // The bytes held by values, gradients, edits, and the data that ops have prepared or stored; excludes the scratch
  // memory.
  std::uint64_t bytes() const { return bytes_; }

  // Throws InputError naming `operation` unless a new node may have the name `name`; an empty name is always allowed.
  void check_name(const std::string& name, std::string_view operation) const;

  // Throws MemoryError naming `operation` unless `more` bytes fit beside those held. The constants that a replay has
  // stored are freed first.
  void check_memory(std::uint64_t more, std::string_view operation);

  // Whether leaves were written in place after the last complete evaluation. The computed nodes then still hold the
  // results of that evaluation, which do not match the leaves; after a refused replay, or one for some nodes, some of
  // them hold new results already. A successful replay or edit of the whole graph ends this state.
  bool is_stale() const { return state_ != State::evaluated; }

  // Throws InputError naming `operation` when the graph is stale.
  void check_evaluated(std::string_view operation) const;

  // The same, except that after a replay for some nodes all nodes that it did not skip are allowed.
  void check_evaluated(std::size_t id, std::string_view operation) const;

  // Throws InputError naming `operation` for a node that the last replay skipped: it holds the result of an earlier
  // one, beside nodes that hold newer results.
  void check_not_skipped(std::size_t id, std::string_view operation) const;

  // Replaces the numbers of a leaf (of the same shape) or of one of its cells. Evaluates the dependents again in
  // order (in a stale graph every computed node), and returns them. Gradients are dropped. Throws InputError when an
  // op refuses the new numbers; the leaf then has its previous numbers, and the graph is evaluated with them.
  std::vector<std::size_t> set(std::size_t id, Array<T> value);
  std::vector<std::size_t> set_cell(std::size_t id, const Index& index, T value);

  // Restores the original numbers of all edited cells of a leaf; else as `set`.
  std::vector<std::size_t> reset(std::size_t id);

  // The numbers of a leaf, which the caller may write in place now and later: every replay from now on evaluates the
  // nodes that read it. The numbers count as typed, and the graph is stale until replay(). Throws InputError for a
  // computed node.
  Array<T>& numbers(std::size_t id);

  // Declares that a leaf may be written in place from now on, so that every replay takes it into account. Does
  // nothing for a computed node.
  void count_as_written(std::size_t id);

  // Sets the origin of a leaf to typed numbers, neither drawn nor edited. Throws InputError for a computed node.
  void mark_typed(std::size_t id);

  // Evaluates again, in place, every node that depends on a leaf which was ever written or edited. The other nodes,
  // such as a slice of a constant weight, would get the values they have. The steps are the same, so a dropout drops
  // the same cells unless it is drawn again. Gradients are dropped, but their memory is reused. Throws InputError
  // when an op refuses its inputs; the graph is then stale, and the nodes from there on keep their previous values.
  void replay();

  // The same, but skips the nodes that none of `targets` depends on. If there are such nodes, the graph is stale
  // afterwards, and only the other ones may be explained or start a backward. The list of nodes is stored, so that a
  // repeated call does not search for them. Throws InputError also when there are no targets.
  void replay_for(const std::vector<std::size_t>& targets);

  // Evaluates only `nodes`, some of the result of dependents(), in their order. The graph is stale afterwards, since
  // other nodes may read the leaves that were written.
  void replay(const std::vector<std::size_t>& nodes);

  // Draws the numbers of every leaf of dropout_draw() anew, in place, so that the next replay drops other cells. They
  // are those of RandomState([seed, step]), or at step 0 of RandomState(seed); their origin says so. Edits of them are
  // dropped, and they count as written.
  void redraw_dropout(std::uint32_t step);

  // The computed nodes that depend on any of `nodes`, directly or not, in the order of evaluation.
  std::vector<std::size_t> dependents(const std::vector<std::size_t>& nodes) const;

  // The leaves that hold parameters, in the order they were made.
  const std::vector<std::size_t>& parameters() const { return parameters_; }

  // The gradient that the last backward left on a leaf, which the caller may change; null when there is none.
  Array<T>* gradient(std::size_t id) { return nodes_[id].gradient ? &*nodes_[id].gradient : nullptr; }

  // An identity that distinguishes this graph from all others, valid as long as someone holds it.
  const std::shared_ptr<const char>& identity() const { return identity_; }

  // Computes d(sum(seed * node)) / d(every node) and stores it on the nodes; an absent seed means ones. Earlier
  // gradients are dropped and their memory is reused. If the call accumulates, those of parameters stay, even where a
  // replay has made them unreadable. Throws InputError when the node is not evaluated, for one that holds ids or a
  // mask, and if the call accumulates but there is no gradient: before the first backward, after an edit or after a
  // refused backward.
  void backward(std::size_t id, std::optional<Array<T>> seed = std::nullopt, BackwardOptions options = {});

  // Throws InputError naming `operation` unless the gradient of a node is known from the last backward, which is 0
  // where it did not reach the node. Ids and masks have no gradient, no node has one after an edit or a replay, and
  // after a backward for parameters only the nodes that lead to none have none.
  void check_gradient(std::size_t id, std::string_view operation) const;

  // The arithmetic of a cell. A leaf gives one row: "drawn", "looked_up" (token vectors) or "typed" (a literal or an
  // edited cell); its attributes are its origin. Throws InputError when the graph is stale.
  Explanation explain(std::size_t id, const Index& index, ExplainOptions options = {}) const;

  // The cells that are computed directly from a cell, ordered by node; the cells of one node form one block where
  // they fill it. Needs no backward. The cells that depend on an id, a mask or another input without a derivative are
  // found by explaining every cell of the node that reads it. Throws InputError when the graph is stale.
  std::vector<CellUse> uses(std::size_t id, const Index& index) const;

  // The arithmetic of a cell of a gradient. For a node that the last backward did not reach it is "unreached", 0.
  // Throws InputError when the graph is stale, for a parameter whose gradient is accumulated from several backwards,
  // and as check_gradient does.
  GradientExplanation explain_gradient(std::size_t id, const Index& index, ExplainOptions options = {}) const;

  // The number of evaluations of ops so far, which measures the cost of an edit.
  std::uint64_t evaluations() const { return evaluations_; }

 private:
  enum class State { evaluated, evaluated_in_part, written };

  // The nodes that a replay evaluates for some targets, or for all nodes when there are no targets, and those that it
  // skips.
  struct ReplayPlan {
    std::vector<std::size_t> targets;
    std::vector<std::size_t> nodes;
    std::vector<std::size_t> skipped;
  };

  void complete_name(std::string& name, std::string_view operation) const;
  void check_has_gradient(std::size_t id, std::string_view operation) const;
  Tensor<T> add_node(Node<T> node);
  Node<T>& leaf_at(std::size_t id, std::string_view operation);
  static std::vector<CellView> views_of(const Node<T>& node);
  Scratch<T> scratch(std::uint64_t bytes);
  void evaluate(Node<T>& node);
  template <typename Exchange>
  std::vector<std::size_t> replace(Node<T>& leaf, std::size_t id, std::vector<Edit<T>> edited, Exchange exchange);
  std::vector<std::size_t> outdated_by_edit(std::size_t id) const;
  void evaluate_outdated(const std::vector<std::size_t>& nodes);
  void evaluate_again(Node<T>& node);
  const ReplayPlan& replay_plan(const std::vector<std::size_t>& targets);
  void store_constants(const std::vector<std::size_t>& nodes);
  void discard_replay_plans();
  void mark_written();
  void mark_evaluated();
  void drop_gradient(Node<T>& node);
  void drop_gradients();
  void invalidate_gradients();
  void zero_gradients(std::size_t id, const BackwardOptions& options);
  static bool is_parameter(const Node<T>& node) { return !node.op && node.leads_to_parameter; }

  GraphOptions options_;
  std::deque<Node<T>> nodes_;  // a deque, so that a value keeps its address while nodes are added
  std::unordered_map<std::string, std::size_t> ids_;
  std::vector<LayerCall> layers_;
  std::vector<T, CountingAllocator<T>> scratch_;  // shared by all ops, as large as the largest request so far
  std::uint64_t bytes_ = 0;
  std::uint64_t evaluations_ = 0;
  std::size_t computed_ = 0;  // number of nodes with an op; a graph without one is never stale
  std::vector<std::size_t> parameters_;
  std::vector<std::pair<std::size_t, std::uint32_t>> dropout_draws_;  // the leaves that redraw_dropout writes, seeds
  std::vector<std::size_t> written_;                                  // the leaves that were written
  std::vector<ReplayPlan> plans_;      // kept until the next change of the nodes or of the leaves that are written
  std::uint64_t constant_bytes_ = 0;   // bytes of the constant inputs that ops have stored meanwhile
  std::vector<bool> reached_;          // whether the last backward reached each node; empty when gradients are gone
  bool are_gradients_summed_ = false;  // whether the gradients of parameters are of several backwards
  std::shared_ptr<const char> identity_ = std::make_shared<const char>();
  State state_ = State::evaluated;
};

template <typename T>
const Array<T>& Tensor<T>::value() const {
  return graph->node(id).value;
}

template <typename T>
const Shape& Tensor<T>::shape() const {
  return graph->node(id).shape;
}

extern template class Graph<float>;
extern template class Graph<double>;

}  // namespace attn
