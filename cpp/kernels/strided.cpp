// Numbers read through strides, a row of the last axis at a time.
#include "kernels/strided.hpp"

#include <vector>

namespace attn::kernels {
namespace {

// Calls visit(contiguous place, place in the view) for every cell in row-major order.
template <typename Visit>
void each_cell(View view, Visit visit) {
  const std::size_t rank = view.sizes.size();
  for (std::size_t size : view.sizes)
    if (size == 0) return;
  const std::size_t length = rank == 0 ? 1 : view.sizes[rank - 1];
  const std::size_t step = rank == 0 ? 0 : view.strides[rank - 1];
  std::vector<std::size_t> index(rank, 0);
  std::size_t place = 0;
  std::size_t row = 0;
  while (true) {
    for (std::size_t i = 0; i < length; ++i) visit(place + i, row + i * step);
    place += length;
    // To the next row, carrying into the outer axes.
    std::size_t axis = rank;
    while (true) {
      if (axis <= 1) return;
      --axis;
      if (++index[axis - 1] < view.sizes[axis - 1]) break;
      index[axis - 1] = 0;
      row -= view.strides[axis - 1] * (view.sizes[axis - 1] - 1);
    }
    row += view.strides[axis - 1];
  }
}

}  // namespace

template <typename T>
void gather(const T* in, View view, T* out) {
  each_cell(view, [&](std::size_t place, std::size_t seen) { out[place] = in[seen]; });
}

template <typename T>
void gather_add(const T* in, View view, T* out) {
  each_cell(view, [&](std::size_t place, std::size_t seen) { out[place] += in[seen]; });
}

template <typename T>
void scatter_add(const T* in, T* out, View view) {
  each_cell(view, [&](std::size_t place, std::size_t seen) { out[seen] += in[place]; });
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
