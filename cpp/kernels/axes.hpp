// Traversal of one or several strided views of memory in row-major order.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace attn::kernels {

// An upper bound on the number of axes longer than 1: the number of cells, at least 2 to that power, fits in 64 bits.
inline constexpr std::size_t kMaxAxes = 64;

// One axis: its size, its stride in a contiguous row-major array and its stride in each of the kViews views.
template <std::size_t kViews>
struct Axis {
  std::size_t size = 1;
  std::size_t stride = 1;
  std::array<std::size_t, kViews> view_strides{};
};

// The axes of several views with the same sizes, outermost first, and a current cell, at first the first one. Axes of
// size 1 are dropped, and adjacent axes that are contiguous in every view are merged. `offset` is the row-major offset
// of the current cell, and `view_offsets` are its offsets in the views.
template <std::size_t kViews>
class Axes {
 public:
  using Strides = std::array<std::span<const std::size_t>, kViews>;

  Axes(std::span<const std::size_t> sizes, const Strides& strides);

  bool empty() const { return empty_; }  // whether there are no cells
  std::size_t count() const { return count_; }
  const Axis<kViews>& operator[](std::size_t axis) const { return axes_[axis]; }

  // Removes the innermost axis and returns it, or returns an axis of size 1 when there is none.
  Axis<kViews> pop() { return count_ > 0 ? axes_[--count_] : Axis<kViews>(); }

  void remove(std::size_t axis);

  // Moves to the next cell. After the last cell, returns false and moves back to the first.
  bool next();

  std::size_t offset = 0;
  std::array<std::size_t, kViews> view_offsets{};

 private:
  std::array<Axis<kViews>, kMaxAxes> axes_;
  std::array<std::size_t, kMaxAxes> index_;
  std::size_t count_ = 0;
  bool empty_ = false;
};

extern template class Axes<1>;
extern template class Axes<2>;

}  // namespace attn::kernels
