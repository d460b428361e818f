// Traversal of several strided views at once, one run of cells at a time.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "kernels/axes.hpp"

namespace attn::kernels {

// `count` cells along the innermost axis: the row-major offset of the first cell, its offset in each view, and the
// stride from one cell to the next in each view.
template <std::size_t kViews>
struct Run {
  std::size_t count = 1;
  std::size_t offset = 0;
  std::array<std::size_t, kViews> view_offsets = {};
  std::array<std::size_t, kViews> view_strides = {};
};

// Calls visit(Run) for every run, in row-major order. The innermost axes form one run if they are contiguous in every
// view.
template <std::size_t kViews, typename Visit>
void for_each_run(std::span<const std::size_t> sizes, const std::array<std::span<const std::size_t>, kViews>& strides,
                  Visit visit) {
  Axes<kViews> axes(sizes, strides);
  if (axes.empty()) return;
  const Axis<kViews> last = axes.pop();
  do {
    visit(Run<kViews>{last.size, axes.offset, axes.view_offsets, last.view_strides});
  } while (axes.next());
}

}  // namespace attn::kernels
