// Random shapes and numbers for uses of the operations.
#pragma once

#include <algorithm>
#include <limits>

#include "tensor/graph.hpp"
#include "tensor/random.hpp"

namespace op_cases {

// The random source of a use: numbers, and sizes of axes, one of which may be prescribed.
class Draws : public attn::RandomState {
 public:
  explicit Draws(std::uint32_t seed) : RandomState(seed) {}

  // The size drawn at `position` is `size`, which may be 0; all other draws are unchanged.
  Draws(std::uint32_t seed, std::size_t position, std::size_t size)
      : RandomState(seed), position_(position), size_(size) {}

  std::size_t size(std::int64_t most, std::int64_t least) {
    const auto number = static_cast<std::size_t>(randint(least, most + 1));
    return drawn_++ == position_ ? size_ : number;
  }

  // How many sizes were drawn.
  std::size_t drawn() const { return drawn_; }

 private:
  std::size_t position_ = std::numeric_limits<std::size_t>::max();
  std::size_t size_ = 0;
  std::size_t drawn_ = 0;
};

// A size from `least` to `most`, unless it is prescribed.
inline std::size_t size(Draws& random, std::int64_t most = 4, std::int64_t least = 1) {
  return random.size(most, least);
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

// Whole numbers from 0 to `below` - 1; zeros if `below` is 0, which an op that reads a table must refuse.
template <typename T>
attn::Tensor<T> whole(attn::Graph<T>& graph, attn::RandomState& random, const attn::Shape& shape, std::size_t below) {
  return drawn(graph, shape,
               [&] { return random.randint(0, std::max<std::int64_t>(1, static_cast<std::int64_t>(below))); });
}

// `shape` with some axes set to 1 and some leading ones removed, so that it broadcasts to `shape`.
inline attn::Shape narrowed(attn::RandomState& random, attn::Shape shape) {
  for (std::size_t& axis : shape)
    if (random.randint(0, 3) == 0) axis = 1;
  const std::int64_t leading = random.randint(0, static_cast<std::int64_t>(shape.size()) + 1);
  shape.erase(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(leading));
  return shape;
}

}  // namespace op_cases
