// The axes along which one or several views of memory are walked in row-major order.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace attn::kernels {

// A tensor whose cells can be counted has fewer axes than this that are longer than 1.
inline constexpr std::size_t kAxesAtMost = 64;

// One axis: how long it is, and the steps to the next neighbour in row-major order and in each of kViews views.
template <std::size_t kViews>
struct Axis {
  std::size_t size = 1;
  std::size_t place = 1;
  std::array<std::size_t, kViews> seen{};
};

// Outermost first. Axes of size 1 are left out, and neighbours that every view walks as one are joined. Walks from the first
// cell on: `place` in row-major order, `seen` in the views.
template <std::size_t kViews>
class Axes {
 public:
  using Strides = std::array<std::span<const std::size_t>, kViews>;

  Axes(std::span<const std::size_t> sizes, const Strides& strides);

  bool empty() const { return empty_; }  // whether there is no cell at all
  std::size_t count() const { return count_; }
  const Axis<kViews>& operator[](std::size_t axis) const { return list_[axis]; }

  // Takes the innermost axis off; one of a single cell when there is none.
  Axis<kViews> pop() { return count_ > 0 ? list_[--count_] : Axis<kViews>(); }

  // Takes an axis out.
  void remove(std::size_t axis);

  // To the next cell; false after the last.
  bool next();

  std::size_t place = 0;
  std::array<std::size_t, kViews> seen{};

 private:
  std::array<Axis<kViews>, kAxesAtMost> list_;
  std::array<std::size_t, kAxesAtMost> index_;
  std::size_t count_ = 0;
  bool empty_ = false;
};

extern template class Axes<1>;
extern template class Axes<2>;

}  // namespace attn::kernels
