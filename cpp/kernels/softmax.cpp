// Softmax and its logarithm over one slice, a vector of lanes at a time.
#include "kernels/softmax.hpp"

#include <algorithm>
#include <limits>

#include "kernels/exp.hpp"
#include "kernels/log.hpp"

namespace attn::kernels {
namespace {

template <typename T>
constexpr T kNone = -std::numeric_limits<T>::infinity();

// The lanes of a slice from number i on; those beyond its end are `rest`.
template <typename T>
Lanes<T> load_slice(const T* x, const Slice& slice, std::size_t i, T rest = 0) {
  return load_apart(x + i * slice.step, slice.step, slice.count - i, rest);
}

template <typename T>
void store_slice(T* x, const Slice& slice, std::size_t i, const Lanes<T>& lanes) {
  store_apart(x + i * slice.step, slice.step, lanes, slice.count - i);
}

}  // namespace

template <typename T>
T largest(const T* x, Slice slice) {
  Lanes<T> most = splat(kNone<T>);
  for (std::size_t i = 0; i < slice.count; i += kLanes<T>) {
    const Lanes<T> lanes = load_slice(x, slice, i, kNone<T>);
    most = most < lanes ? lanes : most;
  }
  T max = kNone<T>;
  for (std::size_t lane = 0; lane < kLanes<T>; ++lane) max = std::max(max, T(most[lane]));
  return max;
}

template <typename T>
bool is_empty(const T* x, Slice slice) {
  for (std::size_t i = 0; i < slice.count; ++i)
    if (x[i * slice.step] != kNone<T>) return false;
  return true;
}

template <typename T>
void softmax(const T* x, T* y, Slice slice, bool empty_is_zero) {
  const T max = largest(x, slice);
  if (empty_is_zero && max == kNone<T> && is_empty(x, slice)) {
    for (std::size_t i = 0; i < slice.count; ++i) y[i * slice.step] = 0;
    return;
  }
  Lanes<T> sums = splat(T(0));
  for (std::size_t i = 0; i < slice.count; i += kLanes<T>) {
    const Lanes<T> power = exp_of_negative<T>(load_slice(x, slice, i, kNone<T>) - splat(max));
    store_slice(y, slice, i, power);
    sums += power;  // beyond the end e^-infinity, or NaN where every number of the slice gives NaN
  }
  const Lanes<T> sum = splat(total(sums));
  for (std::size_t i = 0; i < slice.count; i += kLanes<T>) store_slice(y, slice, i, load_slice(y, slice, i) / sum);
}

template <typename T>
void softmax_backward(const T* y, const T* y_gradient, T* x_gradient, Slice slice) {
  Lanes<T> sums = splat(T(0));
  for (std::size_t i = 0; i < slice.count; i += kLanes<T>)
    sums = multiply_add(load_slice(y, slice, i), load_slice(y_gradient, slice, i), sums);
  const Lanes<T> sum = splat(total(sums));
  for (std::size_t i = 0; i < slice.count; i += kLanes<T>)
    store_slice(x_gradient, slice, i,
                multiply_add(load_slice(y, slice, i), load_slice(y_gradient, slice, i) - sum,
                             load_slice(x_gradient, slice, i)));
}

template <typename T>
void log_softmax(const T* x, T* y, Slice slice) {
  const Lanes<T> max = splat(largest(x, slice));
  Lanes<T> sums = splat(T(0));
  for (std::size_t i = 0; i < slice.count; i += kLanes<T>)
    sums += exp_of_negative<T>(load_slice(x, slice, i, kNone<T>) - max);
  const Lanes<T> log_sum = log(splat(total(sums)));
  for (std::size_t i = 0; i < slice.count; i += kLanes<T>)
    store_slice(y, slice, i, (load_slice(x, slice, i) - max) - log_sum);
}

template <typename T>
void log_softmax_backward(const T* y, const T* y_gradient, T* x_gradient, Slice slice) {
  Lanes<T> sums = splat(T(0));
  for (std::size_t i = 0; i < slice.count; i += kLanes<T>) sums += load_slice(y_gradient, slice, i);
  const Lanes<T> sum = splat(total(sums));
  for (std::size_t i = 0; i < slice.count; i += kLanes<T>) {
    const Lanes<T> share = exp_of_negative<T>(load_slice(y, slice, i)) * sum;
    store_slice(x_gradient, slice, i, load_slice(x_gradient, slice, i) + (load_slice(y_gradient, slice, i) - share));
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
