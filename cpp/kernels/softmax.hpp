// Softmax and log-softmax of one slice: `count` numbers that are `stride` apart.
#pragma once

#include <cstddef>

namespace attn::kernels {

struct Slice {
  std::size_t count = 0;
  std::size_t stride = 1;
};

// The largest number; NaN is ignored, and an empty slice gives -infinity.
template <typename T>
T largest(const T* x, Slice slice);

// Whether every number is -infinity.
template <typename T>
bool is_empty(const T* x, Slice slice);

// y = exp(x - max) / sum(exp(x - max)). If `empty_is_zero`, a slice whose numbers are all -infinity gives zeros, not
// NaN. y may be x.
template <typename T>
void softmax(const T* x, T* y, Slice slice, bool empty_is_zero);

// The version of exp: softmax uses the one with the fewest instructions (exp_of_score), log_softmax the one
// with the bits of exp (exp_of_negative).
enum class Exponentials { softmax, log_softmax };

// exponential() is exp(difference), where the difference is x - max; exponential_sum() is the sum of exp(x - max) over
// a slice. Both have the bits that are computed by softmax() or log_softmax().
template <typename T>
T exponential(Exponentials version, T difference);
template <typename T>
T exponential_sum(Exponentials version, const T* x, Slice slice);

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
