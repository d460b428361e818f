// Shapes and numbers drawn at random for uses of the operations.
#pragma once

#include <algorithm>

#include "tensor/graph.hpp"
#include "tensor/random.hpp"

namespace op_cases {

// A size from 1 to `most`.
inline std::size_t size(attn::RandomState& random, std::int64_t most = 4) {
  return static_cast<std::size_t>(random.randint(1, most + 1));
}

// A leaf of `shape`, its cells drawn one after another.
template <typename T, typename Draw>
attn::Tensor<T> drawn(attn::Graph<T>& graph, const attn::Shape& shape, Draw draw) {
  attn::Array<T> array = attn::full<T>(shape, T(0));
  for (std::size_t i = 0; i < array.size(); ++i) array.data()[i] = static_cast<T>(draw());
  return graph.leaf("", std::move(array));
}

template <typename T>
attn::Tensor<T> normal(attn::Graph<T>& graph, attn::RandomState& random, const attn::Shape& shape) {
  return drawn(graph, shape, [&] { return random.randn(); });
}

template <typename T>
attn::Tensor<T> uniform(attn::Graph<T>& graph, attn::RandomState& random, const attn::Shape& shape, double low,
                        double high) {
  return drawn(graph, shape, [&] { return random.uniform(low, high); });
}

// Whole numbers from 0 to `below` - 1.
template <typename T>
attn::Tensor<T> whole(attn::Graph<T>& graph, attn::RandomState& random, const attn::Shape& shape, std::size_t below) {
  return drawn(graph, shape, [&] { return random.randint(0, static_cast<std::int64_t>(below)); });
}

// `shape` with some axes made 1 and some leading ones left out, so that it broadcasts back.
inline attn::Shape narrowed(attn::RandomState& random, attn::Shape shape) {
  for (std::size_t& axis : shape)
    if (random.randint(0, 3) == 0) axis = 1;
  const std::int64_t leading = random.randint(0, static_cast<std::int64_t>(shape.size()) + 1);
  shape.erase(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(leading));
  return shape;
}

}  // namespace op_cases
