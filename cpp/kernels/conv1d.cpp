// Convolution of one sequence with a bank of kernels.
#include "kernels/conv1d.hpp"

#include <algorithm>

namespace attn::kernels {
namespace {

// Calls visit(weight_offset, x_row, tap, y_row, first, last) for every tap of every kernel. x_row and y_row are the
// offsets of the rows of x and y; [first, last) are the steps.
template <typename Visit>
void for_each_tap(const Conv1dSizes& sizes, Visit visit) {
  for (std::size_t o = 0; o < sizes.out; ++o)
    for (std::size_t c = 0; c < sizes.channels; ++c)
      for (std::size_t t = 0; t < sizes.kernel; ++t)
        visit((o * sizes.channels + c) * sizes.kernel + t, c * sizes.length, t, o * sizes.steps, sizes.first_step(t),
              sizes.last_step(t));
}

}  // namespace

std::size_t Conv1dSizes::first_step(std::size_t tap) const {
  return tap >= padding ? 0 : std::min(steps, (padding - tap + stride - 1) / stride);
}

std::size_t Conv1dSizes::last_step(std::size_t tap) const {
  if (tap >= length + padding) return first_step(tap);
  return std::max(first_step(tap), std::min(steps, (length + padding - tap - 1) / stride + 1));
}

template <typename T>
void conv1d_add(const T* x, const T* weight, T* y, const Conv1dSizes& sizes) {
  for_each_tap(sizes, [&](std::size_t weight_offset, std::size_t x_row, std::size_t tap, std::size_t y_row,
                          std::size_t first, std::size_t last) {
    const T w = weight[weight_offset];
    for (std::size_t l = first; l < last; ++l) y[y_row + l] += w * x[x_row + l * sizes.stride + tap - sizes.padding];
  });
}

template <typename T>
void conv1d_backward(const T* x, const T* weight, const T* y_gradient, T* x_gradient, T* weight_gradient,
                     const Conv1dSizes& sizes) {
  for_each_tap(sizes, [&](std::size_t weight_offset, std::size_t x_row, std::size_t tap, std::size_t y_row,
                          std::size_t first, std::size_t last) {
    T sum = 0;
    for (std::size_t l = first; l < last; ++l) {
      const std::size_t x_offset = x_row + l * sizes.stride + tap - sizes.padding;
      sum += y_gradient[y_row + l] * x[x_offset];
      if (x_gradient) x_gradient[x_offset] += y_gradient[y_row + l] * weight[weight_offset];
    }
    if (weight_gradient) weight_gradient[weight_offset] += sum;
  });
}

template void conv1d_add<float>(const float*, const float*, float*, const Conv1dSizes&);
template void conv1d_add<double>(const double*, const double*, double*, const Conv1dSizes&);
template void conv1d_backward<float>(const float*, const float*, const float*, float*, float*, const Conv1dSizes&);
template void conv1d_backward<double>(const double*, const double*, const double*, double*, double*,
                                      const Conv1dSizes&);

}  // namespace attn::kernels
