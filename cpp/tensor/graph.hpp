// The computation graph: every operation kept as a named node with its value and, after backward, its gradient.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "tensor/op.hpp"

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

// Where the numbers of a leaf come from, so that a program can draw them again: {"kind": "literal"}, or
// {"kind": "draw", "seed": 42, "method": "randint", "skip": 9, ...}.
using Origin = Attributes;

// A node: an op, the nodes it reads, its value, and what its leaf came from when it has no op.
template <typename T>
struct Node {
  std::string name;
  std::unique_ptr<Op<T>> op;  // null for a leaf
  std::vector<std::size_t> inputs;
  Shape shape;
  Array<T> value;
  std::optional<Array<T>> gradient;
  Origin origin;
  std::vector<std::size_t> edited;  // offsets of cells of a leaf changed by hand
};

struct GraphOptions {
  bool observe = false;                       // attention as its steps, not as one fused node
  std::size_t max_bytes = 512 * 1024 * 1024;  // values, gradients and scratch together
};

// Nodes in the order they were made, which is an order of evaluation. Freed as one.
template <typename T>
class Graph {
 public:
  explicit Graph(GraphOptions options = {});

  bool observe() const;

  // A leaf holding `value`. Names are unique; an empty name becomes "#<id>".
  Tensor<T> leaf(std::string name, Array<T> value, Origin origin = {});

  // Applies `op` now and keeps it. Throws InputError or MemoryError and keeps nothing.
  Tensor<T> apply(std::unique_ptr<Op<T>> op, std::span<const Tensor<T>> inputs, std::string name = {});

  Tensor<T> at(const std::string& name);
  const Node<T>& node(std::size_t id) const;
  std::size_t size() const;
  std::size_t bytes() const;

  // Replaces the numbers of a leaf (same shape) or one of its cells; what depends on it is evaluated again.
  void set(std::size_t id, Array<T> value);
  void set_cell(std::size_t id, const Index& index, T value);

  // d(sum(seed * node)) / d(every node), kept on the nodes; seed is ones when absent.
  void backward(std::size_t id, std::optional<Array<T>> seed = std::nullopt);

  // The arithmetic of a cell; a leaf answers with one row: "drawn", "typed" or "looked_up".
  Explanation explain(std::size_t id, const Index& index) const;
};

}  // namespace attn
