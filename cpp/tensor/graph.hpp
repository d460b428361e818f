// The computation graph: every operation kept as a named node with its value and, after backward, its gradient.
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

// A light handle on a node. Valid as long as its graph.
template <typename T>
struct Tensor {
  Graph<T>* graph = nullptr;
  std::size_t id = 0;

  const Array<T>& value() const;
  const Shape& shape() const;
};

// An argument that may be left out.
template <typename T>
using OptionalTensor = std::type_identity_t<std::optional<Tensor<T>>>;

// Where the numbers of a leaf come from, so that a program can draw them again. The "kind" is known here:
// "literal", "draw" (seed, method, place in the stream) or "token_vectors" (tokens, seed).
using Origin = Attributes;

// What the numbers of a node stand for: all are kept alike, and what only moves them changes nothing of it.
struct Content {
  enum class Kind { numbers, ids, mask };
  Kind kind = Kind::numbers;
  std::optional<double> fill = {};  // what a mask puts where it is 0; -infinity when it does not say
  bool operator==(const Content&) const = default;
};

// A cell of a leaf changed by hand, and the number it had.
template <typename T>
struct Edit {
  std::size_t offset = 0;
  T original = 0;
};

// A node: an op, the nodes it reads, its value, and what its numbers came from when it has no op.
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
  std::vector<Edit<T>> edited;  // by rising offset; a cell set back to its number is edited no longer
  bool is_written = false;      // a leaf that was written or edited, and may be again
  bool is_passed_over = false;  // see Graph::pass_over

  std::optional<Array<T>> spare_gradient;  // the memory of a gradient that holds no longer, for the next backward

  // Of a computed node, for as long as it lives.
  std::vector<const Array<T>*> input_values;
  std::vector<Array<T>*> input_gradients;  // as the last backward was given them
  std::uint64_t scratch_bytes = 0;
  std::uint64_t prepared_bytes = 0;
};

// A layer as it was called: what it was told, its parameters by the names of PyTorch's state_dict, and its nodes, from
// `first` to `output`. The nodes say what is computed; this says what it was meant as.
struct LayerCall {
  std::string kind;  // "linear", "encoder_layer"
  Attributes options = {};
  std::vector<std::size_t> inputs = {};
  std::vector<std::pair<std::string, std::size_t>> parameters = {};
  std::size_t first = 0;
  std::size_t output = 0;
};

struct ExplainOptions {
  bool full = false;  // long rows show all their terms, up to kTermsAtMost
};

// How a cell of a gradient was made: what came through every use of the node, and the sum of it.
struct GradientExplanation {
  struct Use {
    std::size_t consumer = 0;  // the node that reads it
    std::size_t input = 0;     // as which of its inputs
    Explanation explanation;   // "upstream", "local", "contributions"; places are those of the consumer
  };
  std::vector<Use> uses;
  Row sum;  // "sum_over_uses": a term per use; "seed" for the node that backward started from, "unreached"
};

// Cells of one node that are computed directly from a cell: those of `consumer`, which reads its node.
struct CellUse {
  std::size_t consumer = 0;
  Block cells;
};

struct GraphOptions {
  bool observe = false;                 // attention as its steps, not as one fused node
  std::uint64_t max_bytes = kMaxBytes;  // of all that a graph holds, scratch included; at most what can be addressed
};

// Nodes in the order they were made, which is an order of evaluation. Freed as one.
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

  // Applies `op` now and keeps it. Throws InputError, of a stale graph as well, or MemoryError and keeps nothing.
  Tensor<T> apply(std::unique_ptr<Op<T>> op, const std::vector<Tensor<T>>& inputs, std::string name = {});

  // Throws InputError, naming `operation`, when no node has this name.
  Tensor<T> at(const std::string& name, std::string_view operation = "graph");
  const Node<T>& node(std::size_t id) const;
  std::size_t size() const { return nodes_.size(); }

  // Marks a node as a step in between, which nobody needs to see: what carries numbers from one shape to another, a part of
  // what is joined, a sum that is only the argument of a function. Readers of explanations pass over it. Gives it back.
  Tensor<T> pass_over(const Tensor<T>& node) {
    nodes_[node.id].is_passed_over = true;
    return node;
  }

  // Keeps how a layer was called. A layer inside another is recorded before it.
  void record(LayerCall layer) { layers_.push_back(std::move(layer)); }
  const std::vector<LayerCall>& layers() const { return layers_; }

  // Forgets the nodes from `size` on: what a call of several steps does when a later step is refused.
  void truncate(std::size_t size);

  // What values, gradients, edits and what ops have prepared or keep hold; not the working memory that is kept for the next call.
  std::uint64_t bytes() const { return held_; }

  // Throws InputError, naming `operation`, unless a new node may be called `name`; an empty name always may.
  void check_name(const std::string& name, std::string_view operation) const;

  // Throws MemoryError, naming `operation`, unless `more` bytes fit beside what is held. What a replay keeps of constants goes
  // first.
  void check_memory(std::uint64_t more, std::string_view operation);

  // Whether leaves were written in place after the last complete evaluation. Computed nodes then still hold that
  // evaluation, and their numbers do not follow from those of the leaves; when a replay was refused, some of them hold the
  // new one already. A replay ends it, and so does an edit.
  bool is_stale() const { return is_stale_; }

  // Throws InputError, naming `operation`, when the graph is stale.
  void check_evaluated(std::string_view operation) const;

  // Replaces the numbers of a leaf (same shape) or one of its cells. What depends on it, and in a stale graph every computed
  // node, is evaluated again, in order, and given back; gradients are dropped. Throws InputError when an op refuses the new
  // numbers: the leaf then has its numbers from before, and the graph is evaluated with them.
  std::vector<std::size_t> set(std::size_t id, Array<T> value);
  std::vector<std::size_t> set_cell(std::size_t id, const Index& index, T value);

  // Sets every edited cell of a leaf back, as `set` would.
  std::vector<std::size_t> reset(std::size_t id);

  // The numbers of a leaf, to be written in place, now and whenever the caller likes: every replay from now on evaluates what
  // reads it. They count as typed, and the graph as stale until replay(). Throws InputError for a node that is computed.
  Array<T>& numbers(std::size_t id);

  // Says that a leaf may be written in place from now on, which every replay takes into account. Nothing of a computed node.
  void count_as_written(std::size_t id);

  // Makes the numbers of a leaf count as typed, neither drawn nor edited. Throws InputError for a node that is computed.
  void mark_typed(std::size_t id);

  // Evaluates again, in place, every node that reads a leaf which was ever written or edited; the others, such as a slice of
  // a weight that never changes, hold what they would be given. The same steps, so that a dropout drops the same cells unless
  // its draw is written anew. Gradients are dropped, but for their memory. Throws InputError when an op refuses the numbers;
  // the graph is then stale, and the nodes from there on keep what they had.
  void replay();

  // The same of `nodes` alone, in their order: what dependents() gave for the leaves that were written. The graph counts as
  // stale after it, since other nodes may read what was written.
  void replay(const std::vector<std::size_t>& nodes);

  // The computed nodes that read any of `nodes`, directly or not, in the order they are evaluated in.
  std::vector<std::size_t> dependents(const std::vector<std::size_t>& nodes) const;

  // The leaves that hold parameters, in the order they were made.
  const std::vector<std::size_t>& parameters() const { return parameters_; }

  // The gradient that the last backward left on a leaf, to be changed; null when there is none.
  Array<T>* gradient(std::size_t id) { return nodes_[id].gradient ? &*nodes_[id].gradient : nullptr; }

  // What tells this graph from all others, for as long as anyone holds it.
  const std::shared_ptr<const char>& identity() const { return identity_; }

  // d(sum(seed * node)) / d(every node), kept on the nodes; seed is ones when absent. Earlier gradients are dropped; their
  // memory is used again. Throws InputError when the graph is stale, and for a node that holds ids or a mask.
  void backward(std::size_t id, std::optional<Array<T>> seed = std::nullopt);

  // Throws InputError, naming `operation`, unless the last backward says what the gradient of a node is: where it did not
  // reach the node, 0. Ids and masks have none, and after an edit or a replay no node has.
  void check_gradient(std::size_t id, std::string_view operation) const;

  // The arithmetic of a cell. A leaf answers with one row: "drawn", "looked_up" (token vectors) or, for a literal and
  // for a cell changed by hand, "typed"; its attributes are its origin. Throws InputError when the graph is stale.
  Explanation explain(std::size_t id, const Index& index, ExplainOptions options = {}) const;

  // The cells that are computed directly from a cell, in the order of their nodes; those of one node as one block where they
  // fill it. Needs no backward. Cells that follow an id, a mask or another input without a derivative are found by explaining
  // every cell of the node that reads it. Throws InputError when the graph is stale.
  std::vector<CellUse> uses(std::size_t id, const Index& index) const;

  // The arithmetic of a cell of a gradient; of a node that the last backward did not reach it is "unreached", 0. Throws
  // InputError when the graph is stale, and as check_gradient does.
  GradientExplanation explain_gradient(std::size_t id, const Index& index, ExplainOptions options = {}) const;

  // How many times an op has run: what an edit costs.
  std::uint64_t evaluations() const { return evaluations_; }

 private:
  void claim(std::string& name, std::string_view operation) const;
  void check_follows(std::size_t id, std::string_view operation) const;
  Tensor<T> keep(Node<T> node);
  Node<T>& leaf_at(std::size_t id, std::string_view operation);
  static std::vector<CellView> views_of(const Node<T>& node);
  Scratch<T> scratch(std::uint64_t bytes);
  void evaluate(Node<T>& node);
  template <typename Exchange>
  std::vector<std::size_t> replace(Node<T>& leaf, std::size_t id, std::vector<Edit<T>> edited, Exchange exchange);
  std::vector<std::size_t> outdated_by_edit(std::size_t id) const;
  void evaluate_outdated(const std::vector<std::size_t>& nodes);
  void evaluate_again(Node<T>& node);
  void prepare_replay();
  void forget_replay();
  void drop_gradient(Node<T>& node);
  void drop_gradients();
  void spare_gradients();
  void start_gradients(std::size_t id);

  GraphOptions options_;
  std::deque<Node<T>> nodes_;  // a deque, so that a value keeps its address while nodes are added
  std::unordered_map<std::string, std::size_t> ids_;
  std::vector<LayerCall> layers_;
  std::vector<T, CountingAllocator<T>> scratch_;  // of one op at a time, as large as any has asked for
  std::uint64_t held_ = 0;
  std::uint64_t evaluations_ = 0;
  std::size_t computed_ = 0;  // nodes with an op; a graph without one has nothing to evaluate again and is never stale
  std::vector<std::size_t> parameters_;
  std::vector<std::size_t> written_;                  // leaves
  std::optional<std::vector<std::size_t>> replayed_;  // the dependents of those, from a replay to the next change
  std::uint64_t constant_bytes_ = 0;                  // of what ops keep of their other inputs meanwhile
  std::vector<bool> reached_;                         // by the last backward; empty when its gradients are gone
  std::shared_ptr<const char> identity_ = std::make_shared<const char>();
  bool is_stale_ = false;
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
