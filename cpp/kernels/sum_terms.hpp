// Sums of terms accumulated in double, several terms per cell.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <type_traits>

#include "kernels/axes.hpp"
#include "kernels/lanes.hpp"

namespace attn::kernels {

// A cell during a traversal: its offset in row-major order, and its offset in each view.
template <std::size_t kViews>
struct Reached {
  std::size_t place = 0;
  std::array<std::size_t, kViews> seen{};

  Reached after(const Axis<kViews>& axis, std::size_t steps) const {
    Reached other = *this;
    other.place += steps * axis.place;
    for (std::size_t view = 0; view < kViews; ++view) other.seen[view] += steps * axis.seen[view];
    return other;
  }
};

// out (through the first view) += term, over all cells of `sizes`. The axes on which that view has stride 0 are
// summed. A cell of out and its terms are added in double, one after another in row-major order, and rounded once.
// term(cell, axis, count) returns the terms of a cell and its neighbours along an axis, min(count, kLanes<T>) of
// them; further lanes may hold anything.
template <std::size_t kViews, typename T, typename Term>
void sum_terms(std::span<const std::size_t> sizes, const typename Axes<kViews>::Strides& strides, T* out, Term term) {
  constexpr std::size_t kSums = 64;  // adjacent cells of out that are accumulated together
  // When each row is summed to one number, only a few rows are read in parallel, so that they stay in the cache
  // wherever they begin.
  constexpr std::size_t kRows = 8;
  Axes<kViews> cells(sizes, strides);
  if (cells.empty()) return;
  Axes<kViews> terms = cells;  // the axes along which the terms of one cell are summed
  for (std::size_t axis = cells.count(); axis-- > 0;) (cells[axis].seen[0] == 0 ? cells : terms).remove(axis);
  const Axis<kViews> neighbours = cells.pop();
  const Axis<kViews> run = terms.pop();
  const std::size_t most = run.place == 1 ? kRows : kSums;
  do {
    for (std::size_t first = 0; first < neighbours.size; first += most) {
      const std::size_t count = std::min(most, neighbours.size - first);
      const Reached<kViews> cell = Reached<kViews>{cells.place, cells.seen}.after(neighbours, first);
      T* to = out + cell.seen[0];
      double sums[kSums] = {};
      for (std::size_t c = 0; c < count; ++c) sums[c] = to[c * neighbours.seen[0]];
      do {
        Reached<kViews> start = cell;
        start.place += terms.place;
        for (std::size_t view = 0; view < kViews; ++view) start.seen[view] += terms.seen[view];
        if (count == 1) {
          double sum = sums[0];  // kept in a register
          for (std::size_t i = 0; i < run.size; i += kLanes<T>) {
            const Lanes<T> lanes = term(start.after(run, i), run, run.size - i);
            for (std::size_t lane = 0; lane < std::min(kLanes<T>, run.size - i); ++lane) sum += lanes[lane];
          }
          sums[0] = sum;
          continue;
        }
        for (std::size_t i = 0; i < run.size; ++i) {
          const Reached<kViews> row = start.after(run, i);
          for (std::size_t c = 0; c < count; c += kLanes<T>) {
            const Lanes<T> lanes = term(row.after(neighbours, c), neighbours, count - c);
            if constexpr (std::is_same_v<T, float>) {
              store(sums + c, load(sums + c) + low_half(lanes));
              store(sums + c + 2, load(sums + c + 2) + high_half(lanes));
            } else {
              store(sums + c, load(sums + c) + lanes);
            }
          }
        }
      } while (terms.next());
      for (std::size_t c = 0; c < count; ++c) to[c * neighbours.seen[0]] = static_cast<T>(sums[c]);
    }
  } while (cells.next());
}

}  // namespace attn::kernels
