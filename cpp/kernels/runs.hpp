// Parallel traversal of several arrays, each with its own strides.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "kernels/axes.hpp"

namespace attn::kernels {

// A run of cells in row-major order: the offset of the first cell among all cells, its offset in each array, and the
// step from one cell to the next there.
template <std::size_t kArrays>
struct Run {
  std::size_t count = 1;
  std::size_t place = 0;
  std::array<std::size_t, kArrays> start = {};
  std::array<std::size_t, kArrays> step = {};
};

// Calls visit(Run) until all cells of `sizes` are covered. Innermost axes that are contiguous in every array form one
// run.
template <std::size_t kArrays, typename Visit>
void each_run(std::span<const std::size_t> sizes, const std::array<std::span<const std::size_t>, kArrays>& strides,
              Visit visit) {
  Axes<kArrays> axes(sizes, strides);
  if (axes.empty()) return;
  const Axis<kArrays> last = axes.pop();
  do {
    visit(Run<kArrays>{last.size, axes.place, axes.seen, last.seen});
  } while (axes.next());
}

}  // namespace attn::kernels
