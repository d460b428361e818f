// Sums of several terms per cell, accumulated in double.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <type_traits>

#include "kernels/axes.hpp"
#include "kernels/lanes.hpp"

namespace attn::kernels {

// The row-major offset of a cell, and its offset in each view.
template <std::size_t kViews>
struct CellOffsets {
  std::size_t offset = 0;
  std::array<std::size_t, kViews> view_offsets{};

  // The offsets of the cell that is `steps` further along an axis.
  CellOffsets advanced(const Axis<kViews>& axis, std::size_t steps) const {
    CellOffsets cell = *this;
    cell.offset += steps * axis.stride;
    for (std::size_t view = 0; view < kViews; ++view) cell.view_offsets[view] += steps * axis.view_strides[view];
    return cell;
  }
};

// out (through the first view) += term, over all cells of `sizes`. The axes along which that view has stride 0 are
// summed. The terms of a cell of out are added to it in double, one after another in row-major order, and the sum is
// rounded once. term(cell, axis, count) returns the terms of the cell and of its next neighbours along the axis,
// min(count, kLanes<T>) in all; the other lanes may hold anything.
template <std::size_t kViews, typename T, typename Term>
void sum_terms(std::span<const std::size_t> sizes, const typename Axes<kViews>::Strides& strides, T* out, Term term) {
  constexpr std::size_t kMaxCells = 64;  // adjacent cells of out that are accumulated together
  // Where the terms of a cell are adjacent in memory, only the terms of a few cells are read together, so that they
  // stay in the cache wherever they begin.
  constexpr std::size_t kMaxRows = 8;
  Axes<kViews> cells(sizes, strides);
  if (cells.empty()) return;
  Axes<kViews> terms = cells;  // the axes along which the terms of one cell are summed
  for (std::size_t axis = cells.count(); axis-- > 0;) (cells[axis].view_strides[0] == 0 ? cells : terms).remove(axis);
  const Axis<kViews> cell_axis = cells.pop();
  const Axis<kViews> term_axis = terms.pop();
  const std::size_t max_cells = term_axis.stride == 1 ? kMaxRows : kMaxCells;
  do {
    for (std::size_t first = 0; first < cell_axis.size; first += max_cells) {
      const std::size_t count = std::min(max_cells, cell_axis.size - first);
      const CellOffsets<kViews> cell = CellOffsets<kViews>{cells.offset, cells.view_offsets}.advanced(cell_axis, first);
      T* to = out + cell.view_offsets[0];
      double sums[kMaxCells] = {};
      for (std::size_t c = 0; c < count; ++c) sums[c] = to[c * cell_axis.view_strides[0]];
      do {
        CellOffsets<kViews> start = cell;
        start.offset += terms.offset;
        for (std::size_t view = 0; view < kViews; ++view) start.view_offsets[view] += terms.view_offsets[view];
        if (count == 1) {
          double sum = sums[0];  // stays in a register
          for (std::size_t i = 0; i < term_axis.size; i += kLanes<T>) {
            const Lanes<T> lanes = term(start.advanced(term_axis, i), term_axis, term_axis.size - i);
            for (std::size_t lane = 0; lane < std::min(kLanes<T>, term_axis.size - i); ++lane) sum += lanes[lane];
          }
          sums[0] = sum;
          continue;
        }
        for (std::size_t i = 0; i < term_axis.size; ++i) {
          const CellOffsets<kViews> term_offsets = start.advanced(term_axis, i);
          for (std::size_t c = 0; c < count; c += kLanes<T>) {
            const Lanes<T> lanes = term(term_offsets.advanced(cell_axis, c), cell_axis, count - c);
            if constexpr (std::is_same_v<T, float>) {
              store(sums + c, load(sums + c) + low_half(lanes));
              store(sums + c + 2, load(sums + c + 2) + high_half(lanes));
            } else {
              store(sums + c, load(sums + c) + lanes);
            }
          }
        }
      } while (terms.next());
      for (std::size_t c = 0; c < count; ++c) to[c * cell_axis.view_strides[0]] = static_cast<T>(sums[c]);
    }
  } while (cells.next());
}

}  // namespace attn::kernels
