// Softmax and its logarithm over one slice.
#include "kernels/softmax.hpp"

#include <cmath>
#include <limits>

namespace attn::kernels {

template <typename T>
T largest(const T* x, Slice slice) {
  T max = -std::numeric_limits<T>::infinity();
  for (std::size_t i = 0; i < slice.count; ++i)
    if (x[i * slice.step] > max) max = x[i * slice.step];
  return max;
}

template <typename T>
bool is_empty(const T* x, Slice slice) {
  for (std::size_t i = 0; i < slice.count; ++i)
    if (x[i * slice.step] != -std::numeric_limits<T>::infinity()) return false;
  return true;
}

template <typename T>
void softmax(const T* x, T* y, Slice slice, bool empty_is_zero) {
  const bool zero = empty_is_zero && is_empty(x, slice);
  const T max = largest(x, slice);
  T sum = 0;
  for (std::size_t i = 0; i < slice.count; ++i) {
    const std::size_t at = i * slice.step;
    y[at] = zero ? T(0) : std::exp(x[at] - max);
    sum += y[at];
  }
  if (zero) return;
  for (std::size_t i = 0; i < slice.count; ++i) y[i * slice.step] /= sum;
}

template <typename T>
void softmax_backward(const T* y, const T* y_gradient, T* x_gradient, Slice slice) {
  T sum = 0;
  for (std::size_t i = 0; i < slice.count; ++i) sum += y[i * slice.step] * y_gradient[i * slice.step];
  for (std::size_t i = 0; i < slice.count; ++i) {
    const std::size_t at = i * slice.step;
    x_gradient[at] += y[at] * (y_gradient[at] - sum);
  }
}

template <typename T>
void log_softmax(const T* x, T* y, Slice slice) {
  const T max = largest(x, slice);
  T sum = 0;
  for (std::size_t i = 0; i < slice.count; ++i) sum += std::exp(x[i * slice.step] - max);
  const T log_sum = std::log(sum);
  for (std::size_t i = 0; i < slice.count; ++i) y[i * slice.step] = (x[i * slice.step] - max) - log_sum;
}

template <typename T>
void log_softmax_backward(const T* y, const T* y_gradient, T* x_gradient, Slice slice) {
  T sum = 0;
  for (std::size_t i = 0; i < slice.count; ++i) sum += y_gradient[i * slice.step];
  for (std::size_t i = 0; i < slice.count; ++i) {
    const std::size_t at = i * slice.step;
    x_gradient[at] += y_gradient[at] - std::exp(y[at]) * sum;
  }
}

template float largest<float>(const float*, Slice);
template double largest<double>(const double*, Slice);
template bool is_empty<float>(const float*, Slice);
template bool is_empty<double>(const double*, Slice);
template void softmax<float>(const float*, float*, Slice, bool);
template void softmax<double>(const double*, double*, Slice, bool);
template void softmax_backward<float>(const float*, const float*, float*, Slice);
template void softmax_backward<double>(const double*, const double*, double*, Slice);
template void log_softmax<float>(const float*, float*, Slice);
template void log_softmax<double>(const double*, double*, Slice);
template void log_softmax_backward<float>(const float*, const float*, float*, Slice);
template void log_softmax_backward<double>(const double*, const double*, double*, Slice);

}  // namespace attn::kernels
