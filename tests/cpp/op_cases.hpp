// One or more uses of every operation, over shapes drawn at random: what the gradient and explanation tests go through.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tensor/graph.hpp"
#include "tensor/random.hpp"

namespace op_cases {

template <typename T>
struct OpCase {
  std::string op;  // the name it must have
  std::string use;
  std::function<attn::Tensor<T>(attn::Graph<T>&, attn::RandomState&)> build;
  // Whether every source of a cell moves it: not where a mask hides it, a factor is 0, or a bias is one for all keys.
  bool every_source_counts = true;
};

// All of them, and what they are put together from.
template <typename T>
std::vector<OpCase<T>> all();

template <typename T>
void add_attention(std::vector<OpCase<T>>& cases);
template <typename T>
void add_places(std::vector<OpCase<T>>& cases);
template <typename T>
void add_arithmetic(std::vector<OpCase<T>>& cases);
template <typename T>
void add_losses(std::vector<OpCase<T>>& cases);

}  // namespace op_cases
