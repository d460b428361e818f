// One or more uses of every operation, over shapes drawn at random: what the gradient and explanation tests go through.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "op_draws.hpp"
#include "tensor/graph.hpp"

namespace op_cases {

// What an operation is like where its uses do not show it.
struct Traits {
  // Why a cell may be computed from another and yet stay when that is changed.
  const char* flat = "";
  // It refuses some sizes of 0 or 1: it needs a class, a row of a table, an edge, a head, a column, a step, a kernel, a patch, a cell
  // to choose; of an axis of 1 there is no slice from 1 to 3.
  bool needs_cells = false;
  // A cell is a sum of as many numbers as there are: tests/cpp/float32_sums_test.cpp tries it with a million.
  bool adds_many = false;
  // The value of a cell from the rows before the last, by the meaning of their roles. Absent: as tests/cpp/recombine.cpp has it.
  std::function<double(const attn::Explanation&)> recombine = {};
};

template <typename T>
struct OpCase {
  std::string op;  // the name it must have
  std::string use;
  std::function<attn::Tensor<T>(attn::Graph<T>&, Draws&)> build;
  // Whether every source of a cell moves it: not where a mask hides it, a factor is 0, or a bias is one for all keys.
  bool every_source_counts = true;
  Traits traits = {};
};

// Says of every use of `op` so far what the operation is like.
template <typename T>
void describe(std::vector<OpCase<T>>& cases, const std::string& op, const Traits& traits) {
  for (OpCase<T>& one : cases)
    if (one.op == op) one.traits = traits;
}

// All of them, and what they are put together from.
template <typename T>
std::vector<OpCase<T>> all();

// Those whose output has a gradient: not ids.
template <typename T>
std::vector<OpCase<T>> all_with_gradients();

// Whether a node reads nothing that has a derivative.
template <typename T>
bool follows_nothing(const attn::Node<T>& node) {
  for (std::size_t input = 0; input < node.inputs.size(); ++input)
    if (node.op->differentiable(input)) return false;
  return true;
}

// Calls check(graph, output, draws) with the use built anew for every size that it draws, 0 and then 1 in its place. Gives
// the words of the calls that were refused.
template <typename T, typename Check>
std::vector<std::string> with_edge_sizes(const OpCase<T>& test, Check check) {
  Draws counting(1);
  attn::Graph<T> counted;
  test.build(counted, counting);
  std::vector<std::string> refused;
  for (std::size_t place = 0; place < counting.drawn(); ++place) {
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}}) {
      Draws draws(1, place, size);
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
void add_places(std::vector<OpCase<T>>& cases);
template <typename T>
void add_arithmetic(std::vector<OpCase<T>>& cases);
template <typename T>
void add_losses(std::vector<OpCase<T>>& cases);

}  // namespace op_cases
