// Softmax and its logarithm over one slice: `count` numbers that are `step` apart.
#pragma once

#include <cstddef>

namespace attn::kernels {

struct Slice {
  std::size_t count = 0;
  std::size_t step = 1;
};

// The largest number; NaN is ignored, and an empty slice gives -infinity.
template <typename T>
T largest(const T* x, Slice slice);

// Whether every number is -infinity.
template <typename T>
bool is_empty(const T* x, Slice slice);

// y = exp(x - max) / sum(exp(x - max)); an all -infinity slice gives zeros if `empty_is_zero`. y may be x.
template <typename T>
void softmax(const T* x, T* y, Slice slice, bool empty_is_zero);

// Which exponentials are summed: softmax uses the version with the fewest instructions, log_softmax uses exp.
enum class Exponentials { softmax, log_softmax };

// One of these exponentials, given x - max; and their sum with the same maximum and order of additions as in
// softmax() or log_softmax().
template <typename T>
T exponential(Exponentials of, T difference);
template <typename T>
T exponential_sum(Exponentials of, const T* x, Slice slice);

// x_gradient += y (y_gradient - sum(y y_gradient))
template <typename T>
void softmax_backward(const T* y, const T* y_gradient, T* x_gradient, Slice slice);

// y = (x - max) - log(sum(exp(x - max)))
template <typename T>
void log_softmax(const T* x, T* y, Slice slice);

// x_gradient += y_gradient - exp(y) sum(y_gradient)
template <typename T>
void log_softmax_backward(const T* y, const T* y_gradient, T* x_gradient, Slice slice);

}  // namespace attn::kernels
