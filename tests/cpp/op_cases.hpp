// One or more uses of every operation, over shapes drawn at random: what the gradient and explanation tests go through.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "op_draws.hpp"
#include "tensor/graph.hpp"

namespace op_cases {

template <typename T>
struct OpCase {
  std::string op;  // the name it must have
  std::string use;
  std::function<attn::Tensor<T>(attn::Graph<T>&, Draws&)> build;
  // Whether every source of a cell moves it: not where a mask hides it, a factor is 0, or a bias is one for all keys.
  bool every_source_counts = true;
};

// All of them, and what they are put together from.
template <typename T>
std::vector<OpCase<T>> all();

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
