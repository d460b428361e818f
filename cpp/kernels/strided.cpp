// Copies and sums through strides: contiguous runs at once, transposed planes in blocks.
#include "kernels/strided.hpp"

#include <algorithm>

#include "kernels/axes.hpp"
#include "kernels/lanes.hpp"

namespace attn::kernels {
namespace {

template <bool kAdd, typename T>
void move_run(const T* from, T* to, std::size_t count) {
  std::size_t i = 0;
  for (; i + kLanes<T> <= count; i += kLanes<T>) store(to + i, kAdd ? load(to + i) + load(from + i) : load(from + i));
  for (; i < count; ++i) to[i] = kAdd ? to[i] + from[i] : from[i];
}

// Transposed copy: to[i, j] = from[j, i], or += when kAdd. The rows of `to` are to_row apart, those of `from`
// from_row.
template <bool kAdd, typename T>
void move_turned(const T* from, std::size_t from_row, T* to, std::size_t to_row, std::size_t rows,
                 std::size_t columns) {
  constexpr std::size_t kSide = kLanes<T>;
  constexpr std::size_t kBlock =
      16 * kSide / 4;  // rows of `to` that are filled together, so that whole cache lines are used
  for (std::size_t first = 0; first < rows; first += kBlock) {
    const std::size_t last = std::min(rows, first + kBlock);
    std::size_t j = 0;
    for (; j + kSide <= columns; j += kSide) {
      std::size_t i = first;
      for (; i + kSide <= last; i += kSide) {
        Lanes<T> square[kSide];
        for (std::size_t r = 0; r < kSide; ++r) square[r] = load(from + (j + r) * from_row + i);
        transpose(square);
        for (std::size_t r = 0; r < kSide; ++r) {
          T* row = to + (i + r) * to_row + j;
          store(row, kAdd ? load(row) + square[r] : square[r]);
        }
      }
      for (; i < last; ++i)
        for (std::size_t r = j; r < j + kSide; ++r)
          to[i * to_row + r] = (kAdd ? to[i * to_row + r] : T(0)) + from[r * from_row + i];
    }
    for (; j < columns; ++j)
      for (std::size_t i = first; i < last; ++i)
        to[i * to_row + j] = (kAdd ? to[i * to_row + j] : T(0)) + from[j * from_row + i];
  }
}

// Moves `count` numbers that are from_step and to_step apart. Numbers for the same cell are added one after another.
template <bool kAdd, typename T>
void move_apart(const T* from, std::size_t from_step, T* to, std::size_t to_step, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    T& cell = to[i * to_step];
    cell = kAdd ? cell + from[i * from_step] : from[i * from_step];
  }
}

// Moves numbers between a contiguous array and a strided view: from the view when kGather, else to it.
template <bool kGather, bool kAdd, typename T>
void move(const T* from, T* to, View view) {
  Axes<1> axes(view.sizes, {view.strides});
  if (axes.empty()) return;
  const Axis<1> last = axes.pop();
  const std::size_t step = last.seen[0];
  const bool in_runs = step == 1 || last.size == 1;
  // If another axis is contiguous in the view, the plane of the two axes is transposed in blocks, so that both sides
  // use whole cache lines. A gather that adds reads a broadcast tensor, which has no such plane.
  constexpr bool kTurned = !(kGather && kAdd);
  Axis<1> other;
  for (std::size_t axis = 0; axis < axes.count() && kTurned && !in_runs && step != 0; ++axis) {
    if (axes[axis].seen[0] != 1) continue;
    other = axes[axis];
    axes.remove(axis);
  }
  do {
    const T* source = from + (kGather ? axes.seen[0] : axes.place);
    T* target = to + (kGather ? axes.place : axes.seen[0]);
    if (in_runs) {
      move_run<kAdd>(source, target, last.size);
    } else if (!kTurned || other.size == 1) {
      move_apart<kAdd>(source, kGather ? step : 1, target, kGather ? 1 : step, last.size);
    } else if (kGather) {
      move_turned<kAdd>(source, step, target, other.place, other.size, last.size);
    } else {
      move_turned<kAdd>(source, other.place, target, step, last.size, other.size);
    }
  } while (axes.next());
}

// Calls visit(contiguous offset, offset in the view) for every cell in row-major order.
template <typename Visit>
void each_cell(View view, Visit visit) {
  Axes<1> axes(view.sizes, {view.strides});
  if (axes.empty()) return;
  const Axis<1> last = axes.pop();
  do {
    for (std::size_t i = 0; i < last.size; ++i) visit(axes.place + i, axes.seen[0] + i * last.seen[0]);
  } while (axes.next());
}

}  // namespace

template <typename T>
void gather(const T* in, View view, T* out) {
  move<true, false>(in, out, view);
}

template <typename T>
void gather_add(const T* in, View view, T* out) {
  move<true, true>(in, out, view);
}

template <typename T>
void scatter_add(const T* in, T* out, View view) {
  move<false, true>(in, out, view);
}

template <typename T>
void select(const T* keep, View view, const T* x, T fill, T* out) {
  each_cell(view, [&](std::size_t place, std::size_t seen) { out[place] = keep[seen] != T(0) ? x[place] : fill; });
}

template <typename T>
void select_add(const T* keep, View view, const T* in, T* out) {
  each_cell(view, [&](std::size_t place, std::size_t seen) {
    if (keep[seen] != T(0)) out[place] += in[place];
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
