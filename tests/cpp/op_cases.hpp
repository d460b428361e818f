// One or more uses of every operation with random shapes, for the gradient and explanation tests.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "op_draws.hpp"
#include "tensor/graph.hpp"

namespace op_cases {

// Properties of an operation that its uses do not show.
struct Traits {
  // The reason why a source of a cell may change without changing the cell.
  const char* why_unchanged = "";
  // The operation refuses some sizes of 0 or 1: it needs a class, a row of a table, an edge, a head, a column, a
  // step, a kernel, a patch or a cell to choose; an axis of size 1 has no slice from 1 to 3.
  bool needs_cells = false;
  // A cell is a sum over arbitrarily many numbers: tests/cpp/float32_sums_test.cpp tests the operation with a
  // million.
  bool adds_many = false;
  // Computes the value of a cell from the rows before the last, by their roles. If absent, tests/cpp/recombine.cpp
  // does.
  std::function<double(const attn::Explanation&)> recombine = {};
};

template <typename T>
struct OpCase {
  std::string op;  // the expected name of the op
  std::string use;
  std::function<attn::Tensor<T>(attn::Graph<T>&, Draws&)> build;
  // Whether every source of a cell changes it: not where a mask hides it, a factor is 0, or a bias is the same for
  // all keys.
  bool every_source_changes_cell = true;
  Traits traits = {};
};

// Sets the properties of all uses of `op` added so far.
template <typename T>
void describe(std::vector<OpCase<T>>& cases, const std::string& op, const Traits& traits) {
  for (OpCase<T>& one : cases)
    if (one.op == op) one.traits = traits;
}

// All uses, and the groups they come from.
template <typename T>
std::vector<OpCase<T>> all();

// The uses whose output has a gradient, which excludes ids.
template <typename T>
std::vector<OpCase<T>> all_with_gradients();

// Whether a node has no input with a derivative.
template <typename T>
bool follows_nothing(const attn::Node<T>& node) {
  for (std::size_t input = 0; input < node.inputs.size(); ++input)
    if (node.op->differentiable(input)) return false;
  return true;
}

// Whether an operation has only settings and no inputs.
inline bool has_no_inputs(const std::string& op) { return op == "alibi_slopes" || op == "interpolation_matrix"; }

// Calls check(graph, output, draws) after building the use again for every size that it draws, replaced by 0 and then
// by 1. Returns the messages of the calls that were refused.
template <typename T, typename Check>
std::vector<std::string> with_edge_sizes(const OpCase<T>& test, Check check) {
  Draws counting(1);
  attn::Graph<T> counted;
  test.build(counted, counting);
  std::vector<std::string> refused;
  for (std::size_t position = 0; position < counting.drawn(); ++position) {
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}}) {
      Draws draws(1, position, size);
      attn::Graph<T> graph;
      std::optional<attn::Tensor<T>> output;
      try {
        output = test.build(graph, draws);
      } catch (const attn::InputError& error) {
        refused.push_back(error.what());
      }
      if (output) check(graph, *output, draws);
    }
  }
  return refused;
}

template <typename T>
void add_attention(std::vector<OpCase<T>>& cases);
template <typename T>
void add_indexing(std::vector<OpCase<T>>& cases);
template <typename T>
void add_arithmetic(std::vector<OpCase<T>>& cases);
template <typename T>
void add_losses(std::vector<OpCase<T>>& cases);

}  // namespace op_cases
