// The axes along which one or several strided views of memory are traversed in row-major order.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace attn::kernels {

// An upper bound on the number of axes longer than 1, since the number of cells is countable.
inline constexpr std::size_t kAxesAtMost = 64;

// One axis: its size, and the stride along it in row-major order and in each of the kViews views.
template <std::size_t kViews>
struct Axis {
  std::size_t size = 1;
  std::size_t place = 1;
  std::array<std::size_t, kViews> seen{};
};

// The axes, outermost first. Axes of size 1 are dropped, and adjacent axes that are contiguous in every view are
// merged. Iterates over the cells from the first one on: `place` is the row-major offset, `seen` the offset in each
// view.
template <std::size_t kViews>
class Axes {
 public:
  using Strides = std::array<std::span<const std::size_t>, kViews>;

  Axes(std::span<const std::size_t> sizes, const Strides& strides);

  bool empty() const { return empty_; }  // whether there are no cells at all
  std::size_t count() const { return count_; }
  const Axis<kViews>& operator[](std::size_t axis) const { return list_[axis]; }

  // Removes and returns the innermost axis, or an axis of size 1 when there is none.
  Axis<kViews> pop() { return count_ > 0 ? list_[--count_] : Axis<kViews>(); }

  // Removes an axis.
  void remove(std::size_t axis);

  // Advances to the next cell; returns false after the last one.
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
