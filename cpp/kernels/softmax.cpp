// Softmax and log-softmax of one slice, one vector of lanes at a time.
#include "kernels/softmax.hpp"

#include <algorithm>
#include <limits>

#include "kernels/exp.hpp"
#include "kernels/log.hpp"
#include "kernels/sum.hpp"

namespace attn::kernels {
namespace {

template <typename T>
constexpr T kNegativeInfinity = -std::numeric_limits<T>::infinity();

// Accessors of a contiguous and of a strided slice: load and store one vector of lanes from position i on. Lanes beyond
// the end of the slice are loaded as `fill` and are not stored.
struct ContiguousSlice {
  std::size_t count;

  template <typename T>
  Lanes<T> load(const T* x, std::size_t i, T fill = 0) const {
    return load_partial(x + i, count - i, fill);
  }
  template <typename T>
  void store(T* x, std::size_t i, const Lanes<T>& lanes) const {
    store_partial(x + i, lanes, count - i);
  }
};

struct StridedSlice {
  std::size_t count, stride;

  template <typename T>
  Lanes<T> load(const T* x, std::size_t i, T fill = 0) const {
    return load_strided(x + i * stride, stride, count - i, fill);
  }
  template <typename T>
  void store(T* x, std::size_t i, const Lanes<T>& lanes) const {
    store_strided(x + i * stride, stride, lanes, count - i);
  }
};

// Calls `visit` with the accessor of the slice.
template <typename Visit>
auto visit_slice(const Slice& slice, Visit visit) {
  return slice.stride == 1 ? visit(ContiguousSlice{slice.count}) : visit(StridedSlice{slice.count, slice.stride});
}

template <typename T, typename Access>
T largest_of(const T* x, const Access& access) {
  Lanes<T> max = splat(kNegativeInfinity<T>);
  for (std::size_t i = 0; i < access.count; i += kLanes<T>) {
    const Lanes<T> lanes = access.load(x, i, kNegativeInfinity<T>);
    max = max < lanes ? lanes : max;
  }
  return largest_lane(max);
}

// Lanes beyond the end of a slice are loaded as -infinity and add exp(-infinity) = 0 to a sum. They add NaN only if the
// maximum is -infinity; then the lanes of the slice give NaN as well.
template <typename T>
Lanes<T> exponentials(Exponentials version, const Lanes<T>& differences) {
  return version == Exponentials::softmax ? exp_of_score<T>(differences) : exp_of_negative<T>(differences);
}

// Returns the sum of exp(x - max). The exponentials are also written to `y` unless it is null.
template <typename T, typename Access>
T sum_exponentials(Exponentials version, const T* x, T* y, T max, const Access& access) {
  return static_cast<T>(sum_of<T>(access.count, [&](std::size_t i) {
    const Lanes<T> lanes = exponentials<T>(version, access.load(x, i, kNegativeInfinity<T>) - splat(max));
    if (y) access.store(y, i, lanes);
    return lanes;
  }));
}

}  // namespace

template <typename T>
T largest(const T* x, Slice slice) {
  return visit_slice(slice, [&](const auto& access) { return largest_of(x, access); });
}

template <typename T>
bool is_empty(const T* x, Slice slice) {
  for (std::size_t i = 0; i < slice.count; ++i)
    if (x[i * slice.stride] != kNegativeInfinity<T>) return false;
  return true;
}

template <typename T>
void softmax(const T* x, T* y, Slice slice, bool empty_is_zero) {
  visit_slice(slice, [&](const auto& access) {
    const T max = largest_of(x, access);
    if (empty_is_zero && max == kNegativeInfinity<T> && is_empty(x, slice)) {
      for (std::size_t i = 0; i < slice.count; ++i) y[i * slice.stride] = 0;
      return;
    }
    const Lanes<T> sum = splat(sum_exponentials(Exponentials::softmax, x, y, max, access));
    for (std::size_t i = 0; i < slice.count; i += kLanes<T>) access.store(y, i, access.load(y, i) / sum);
  });
}

template <typename T>
T exponential(Exponentials version, T difference) {
  return exponentials<T>(version, splat(difference))[0];
}

template <typename T>
T exponential_sum(Exponentials version, const T* x, Slice slice) {
  return visit_slice(slice, [&](const auto& access) {
    return sum_exponentials<T>(version, x, nullptr, largest_of(x, access), access);
  });
}

template <typename T>
void softmax_backward(const T* y, const T* y_gradient, T* x_gradient, Slice slice) {
  visit_slice(slice, [&](const auto& access) {
    const double dot_product =
        sum_of<T>(slice.count, [&](std::size_t i) { return access.load(y, i) * access.load(y_gradient, i); });
    const Lanes<T> dot_products = splat(static_cast<T>(dot_product));
    for (std::size_t i = 0; i < slice.count; i += kLanes<T>)
      access.store(
          x_gradient, i,
          multiply_add(access.load(y, i), access.load(y_gradient, i) - dot_products, access.load(x_gradient, i)));
  });
}

template <typename T>
void log_softmax(const T* x, T* y, Slice slice) {
  visit_slice(slice, [&](const auto& access) {
    const T largest = largest_of(x, access);
    const Lanes<T> max = splat(largest);
    const Lanes<T> log_sum = log(splat(sum_exponentials<T>(Exponentials::log_softmax, x, nullptr, largest, access)));
    for (std::size_t i = 0; i < slice.count; i += kLanes<T>) access.store(y, i, (access.load(x, i) - max) - log_sum);
  });
}

template <typename T>
void log_softmax_backward(const T* y, const T* y_gradient, T* x_gradient, Slice slice) {
  visit_slice(slice, [&](const auto& access) {
    const double sum = sum_of<T>(slice.count, [&](std::size_t i) { return access.load(y_gradient, i); });
    const Lanes<T> sums = splat(static_cast<T>(sum));
    for (std::size_t i = 0; i < slice.count; i += kLanes<T>) {
      const Lanes<T> scaled_softmax = exp_of_negative<T>(access.load(y, i)) * sums;
      access.store(x_gradient, i, access.load(x_gradient, i) + (access.load(y_gradient, i) - scaled_softmax));
    }
  });
}

template float largest<float>(const float*, Slice);
template double largest<double>(const double*, Slice);
template bool is_empty<float>(const float*, Slice);
template bool is_empty<double>(const double*, Slice);
template void softmax<float>(const float*, float*, Slice, bool);
template void softmax<double>(const double*, double*, Slice, bool);
template float exponential<float>(Exponentials, float);
template double exponential<double>(Exponentials, double);
template float exponential_sum<float>(Exponentials, const float*, Slice);
template double exponential_sum<double>(Exponentials, const double*, Slice);
template void softmax_backward<float>(const float*, const float*, float*, Slice);
template void softmax_backward<double>(const double*, const double*, double*, Slice);
template void log_softmax<float>(const float*, float*, Slice);
template void log_softmax<double>(const double*, double*, Slice);
template void log_softmax_backward<float>(const float*, const float*, float*, Slice);
template void log_softmax_backward<double>(const double*, const double*, double*, Slice);

}  // namespace attn::kernels
