// Convolution of one sequence with a bank of kernels.
#pragma once

#include <cstddef>

namespace attn::kernels {

struct Conv1dSizes {
  std::size_t channels = 0;  // C of x (C, length) and weight (out, C, kernel)
  std::size_t length = 0;
  std::size_t out = 0;
  std::size_t kernel = 0;
  std::size_t steps = 0;  // of y (out, steps)
  std::size_t stride = 1;
  std::size_t padding = 0;

  // The steps [first, last) at which tap `tap` of a kernel lies inside the sequence rather than in the padding.
  std::size_t first_step(std::size_t tap) const;
  std::size_t last_step(std::size_t tap) const;
};

// y += weight * x. The taps of the first channel are added first, then those of the second, and so on.
template <typename T>
void conv1d_add(const T* x, const T* weight, T* y, const Conv1dSizes& sizes);

// Adds d(loss)/d(x) and d(loss)/d(weight) given d(loss)/d(y). Either gradient may be null.
template <typename T>
void conv1d_backward(const T* x, const T* weight, const T* y_gradient, T* x_gradient, T* weight_gradient,
                     const Conv1dSizes& sizes);

}  // namespace attn::kernels
