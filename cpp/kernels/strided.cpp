// Copies and sums through strides: contiguous runs vector by vector, transposed planes block by block.
#include "kernels/strided.hpp"

#include <algorithm>

#include "kernels/axes.hpp"
#include "kernels/lanes.hpp"

namespace attn::kernels {
namespace {

// The three copies below add to the target when kAdd.

template <bool kAdd, typename T>
void copy_contiguous(const T* from, T* to, std::size_t count) {
  std::size_t i = 0;
  for (; i + kLanes<T> <= count; i += kLanes<T>) store(to + i, kAdd ? load(to + i) + load(from + i) : load(from + i));
  for (; i < count; ++i) to[i] = kAdd ? to[i] + from[i] : from[i];
}

// to[i, j] = from[j, i]. The rows of `from` and `to` are from_stride and to_stride apart.
template <bool kAdd, typename T>
void copy_transposed(const T* from, std::size_t from_stride, T* to, std::size_t to_stride, std::size_t rows,
                     std::size_t columns) {
  constexpr std::size_t kSide = kLanes<T>;
  constexpr std::size_t kBlock =
      16 * kSide / 4;  // number of rows of `to` that are written together, so that whole cache lines are used
  for (std::size_t first = 0; first < rows; first += kBlock) {
    const std::size_t last = std::min(rows, first + kBlock);
    std::size_t j = 0;
    for (; j + kSide <= columns; j += kSide) {
      std::size_t i = first;
      for (; i + kSide <= last; i += kSide) {
        Lanes<T> square[kSide];
        for (std::size_t r = 0; r < kSide; ++r) square[r] = load(from + (j + r) * from_stride + i);
        transpose(square);
        for (std::size_t r = 0; r < kSide; ++r) {
          T* row = to + (i + r) * to_stride + j;
          store(row, kAdd ? load(row) + square[r] : square[r]);
        }
      }
      for (; i < last; ++i)
        for (std::size_t r = j; r < j + kSide; ++r)
          to[i * to_stride + r] = (kAdd ? to[i * to_stride + r] : T(0)) + from[r * from_stride + i];
    }
    for (; j < columns; ++j)
      for (std::size_t i = first; i < last; ++i)
        to[i * to_stride + j] = (kAdd ? to[i * to_stride + j] : T(0)) + from[j * from_stride + i];
  }
}

// Copies `count` numbers that are from_stride apart to cells that are to_stride apart. Where to_stride is 0, the
// numbers are added to one cell, one after another.
template <bool kAdd, typename T>
void copy_strided(const T* from, std::size_t from_stride, T* to, std::size_t to_stride, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    T& cell = to[i * to_stride];
    cell = kAdd ? cell + from[i * from_stride] : from[i * from_stride];
  }
}

// Copies the numbers of a strided view to a contiguous array when kGather, else those of a contiguous array to the
// view; adds them to the target when kAdd.
template <bool kGather, bool kAdd, typename T>
void copy_view(const T* from, T* to, View view) {
  Axes<1> axes(view.sizes, {view.strides});
  if (axes.empty()) return;
  const Axis<1> last = axes.pop();
  const std::size_t stride = last.view_strides[0];
  const bool is_contiguous = stride == 1 || last.size == 1;
  // If another axis has stride 1 in the view, the plane of the two axes is transposed block by block, so that both
  // sides use whole cache lines. A gather that adds reads a broadcast tensor, which has no such plane.
  constexpr bool kTransposes = !(kGather && kAdd);
  Axis<1> unit_axis;
  for (std::size_t axis = 0; axis < axes.count() && kTransposes && !is_contiguous && stride != 0; ++axis) {
    if (axes[axis].view_strides[0] != 1) continue;
    unit_axis = axes[axis];
    axes.remove(axis);
  }
  do {
    const T* source = from + (kGather ? axes.view_offsets[0] : axes.offset);
    T* target = to + (kGather ? axes.offset : axes.view_offsets[0]);
    if (is_contiguous) {
      copy_contiguous<kAdd>(source, target, last.size);
    } else if (!kTransposes || unit_axis.size == 1) {
      copy_strided<kAdd>(source, kGather ? stride : 1, target, kGather ? 1 : stride, last.size);
    } else if (kGather) {
      copy_transposed<kAdd>(source, stride, target, unit_axis.stride, unit_axis.size, last.size);
    } else {
      copy_transposed<kAdd>(source, unit_axis.stride, target, stride, last.size, unit_axis.size);
    }
  } while (axes.next());
}

// Calls visit(row-major offset, offset in the view) for every cell in row-major order.
template <typename Visit>
void for_each_cell(View view, Visit visit) {
  Axes<1> axes(view.sizes, {view.strides});
  if (axes.empty()) return;
  const Axis<1> last = axes.pop();
  do {
    for (std::size_t i = 0; i < last.size; ++i) visit(axes.offset + i, axes.view_offsets[0] + i * last.view_strides[0]);
  } while (axes.next());
}

}  // namespace

template <typename T>
void gather(const T* in, View view, T* out) {
  copy_view<true, false>(in, out, view);
}

template <typename T>
void gather_add(const T* in, View view, T* out) {
  copy_view<true, true>(in, out, view);
}

template <typename T>
void scatter_add(const T* in, T* out, View view) {
  copy_view<false, true>(in, out, view);
}

template <typename T>
void select(const T* keep, View view, const T* x, T fill, T* out) {
  for_each_cell(view, [&](std::size_t offset, std::size_t view_offset) {
    out[offset] = keep[view_offset] != T(0) ? x[offset] : fill;
  });
}

template <typename T>
void select_add(const T* keep, View view, const T* in, T* out) {
  for_each_cell(view, [&](std::size_t offset, std::size_t view_offset) {
    if (keep[view_offset] != T(0)) out[offset] += in[offset];
  });
}

template void gather<float>(const float*, View, float*);
template void gather<double>(const double*, View, double*);
template void gather_add<float>(const float*, View, float*);
template void gather_add<double>(const double*, View, double*);
template void scatter_add<float>(const float*, float*, View);
template void scatter_add<double>(const double*, double*, View);
template void select<float>(const float*, View, const float*, float, float*);
template void select<double>(const double*, View, const double*, double, double*);
template void select_add<float>(const float*, View, const float*, float*);
template void select_add<double>(const double*, View, const double*, double*);

}  // namespace attn::kernels
