// Several arrays walked side by side, each through strides of its own.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "kernels/axes.hpp"

namespace attn::kernels {

// A stretch of cells in row-major order: the place of the first among all cells; where it is in each array, and the step
// from one to the next there.
template <std::size_t kArrays>
struct Run {
  std::size_t count = 1;
  std::size_t place = 0;
  std::array<std::size_t, kArrays> start = {};
  std::array<std::size_t, kArrays> step = {};
};

// Calls visit(Run) for all cells of `sizes`. Last axes that lie behind each other in every array are one run.
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
