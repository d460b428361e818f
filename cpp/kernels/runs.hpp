// Several arrays walked side by side, each through strides of its own.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

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
  for (std::size_t size : sizes)
    if (size == 0) return;
  std::size_t rank = sizes.size();
  Run<kArrays> run;
  for (std::size_t k = 0; rank > 0 && k < kArrays; ++k) run.step[k] = strides[k][rank - 1];
  const auto goes_on = [&] {
    for (std::size_t k = 0; k < kArrays; ++k)
      if (strides[k][rank - 1] != run.count * run.step[k]) return false;
    return true;
  };
  while (rank > 0 && goes_on()) run.count *= sizes[--rank];
  std::vector<std::size_t> index(rank, 0);
  while (true) {
    visit(run);
    run.place += run.count;
    // To the next run, carrying into the outer axes.
    std::size_t axis = rank;
    while (true) {
      if (axis == 0) return;
      --axis;
      const bool carries = ++index[axis] == sizes[axis];
      for (std::size_t k = 0; k < kArrays; ++k)
        run.start[k] += strides[k][axis] - (carries ? strides[k][axis] * sizes[axis] : 0);
      if (!carries) break;
      index[axis] = 0;
    }
  }
}

}  // namespace attn::kernels
