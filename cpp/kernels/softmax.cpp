// Softmax and its logarithm over one slice, one vector of lanes at a time.
#include "kernels/softmax.hpp"

#include <algorithm>
#include <limits>

#include "kernels/exp.hpp"
#include "kernels/log.hpp"
#include "kernels/sum.hpp"

namespace attn::kernels {
namespace {

template <typename T>
constexpr T kNone = -std::numeric_limits<T>::infinity();

// Reads and writes a slice one vector of lanes at a time, from position i on; lanes beyond its end are read as
// `rest`.
struct Neighbours {
  std::size_t count;

  template <typename T>
  Lanes<T> load(const T* x, std::size_t i, T rest = 0) const {
    return load_partial(x + i, count - i, rest);
  }
  template <typename T>
  void store(T* x, std::size_t i, const Lanes<T>& lanes) const {
    store_partial(x + i, lanes, count - i);
  }
};

struct Apart {
  std::size_t count, step;

  template <typename T>
  Lanes<T> load(const T* x, std::size_t i, T rest = 0) const {
    return load_strided(x + i * step, step, count - i, rest);
  }
  template <typename T>
  void store(T* x, std::size_t i, const Lanes<T>& lanes) const {
    store_strided(x + i * step, step, lanes, count - i);
  }
};

// Calls `visit` with the accessor for the slice: contiguous or strided.
template <typename Visit>
auto with(const Slice& slice, Visit visit) {
  return slice.step == 1 ? visit(Neighbours{slice.count}) : visit(Apart{slice.count, slice.step});
}

template <typename T, typename Access>
T largest_of(const T* x, const Access& slice) {
  Lanes<T> most = splat(kNone<T>);
  for (std::size_t i = 0; i < slice.count; i += kLanes<T>) {
    const Lanes<T> lanes = slice.load(x, i, kNone<T>);
    most = most < lanes ? lanes : most;
  }
  return largest_lane(most);
}

// The lanes beyond the end of a slice are -infinity and add e^-infinity = 0, or NaN where every number of the slice
// gives NaN.
template <typename T>
Lanes<T> exponentials(Exponentials of, const Lanes<T>& differences) {
  return of == Exponentials::softmax ? exp_of_score<T>(differences) : exp_of_negative<T>(differences);
}

// Returns the sum of exp(x - max). The exponentials are also written to `y` unless it is null.
template <typename T, typename Access>
T add_exponentials(Exponentials of, const T* x, T* y, T max, const Access& slice) {
  return static_cast<T>(sum_of<T>(slice.count, [&](std::size_t i) {
    const Lanes<T> powers = exponentials<T>(of, slice.load(x, i, kNone<T>) - splat(max));
    if (y) slice.store(y, i, powers);
    return powers;
  }));
}

}  // namespace

template <typename T>
T largest(const T* x, Slice slice) {
  return with(slice, [&](const auto& cells) { return largest_of(x, cells); });
}

template <typename T>
bool is_empty(const T* x, Slice slice) {
  for (std::size_t i = 0; i < slice.count; ++i)
    if (x[i * slice.step] != kNone<T>) return false;
  return true;
}

template <typename T>
void softmax(const T* x, T* y, Slice slice, bool empty_is_zero) {
  with(slice, [&](const auto& cells) {
    const T max = largest_of(x, cells);
    if (empty_is_zero && max == kNone<T> && is_empty(x, slice)) {
      for (std::size_t i = 0; i < slice.count; ++i) y[i * slice.step] = 0;
      return;
    }
    const Lanes<T> sum = splat(add_exponentials(Exponentials::softmax, x, y, max, cells));
    for (std::size_t i = 0; i < slice.count; i += kLanes<T>) cells.store(y, i, cells.load(y, i) / sum);
  });
}

template <typename T>
T exponential(Exponentials of, T difference) {
  return exponentials<T>(of, splat(difference))[0];
}

template <typename T>
T exponential_sum(Exponentials of, const T* x, Slice slice) {
  return with(slice,
              [&](const auto& cells) { return add_exponentials<T>(of, x, nullptr, largest_of(x, cells), cells); });
}

template <typename T>
void softmax_backward(const T* y, const T* y_gradient, T* x_gradient, Slice slice) {
  with(slice, [&](const auto& cells) {
    const double total =
        sum_of<T>(slice.count, [&](std::size_t i) { return cells.load(y, i) * cells.load(y_gradient, i); });
    const Lanes<T> sum = splat(static_cast<T>(total));
    for (std::size_t i = 0; i < slice.count; i += kLanes<T>)
      cells.store(x_gradient, i,
                  multiply_add(cells.load(y, i), cells.load(y_gradient, i) - sum, cells.load(x_gradient, i)));
  });
}

template <typename T>
void log_softmax(const T* x, T* y, Slice slice) {
  with(slice, [&](const auto& cells) {
    const T largest = largest_of(x, cells);
    const Lanes<T> max = splat(largest);
    const Lanes<T> log_sum = log(splat(add_exponentials<T>(Exponentials::log_softmax, x, nullptr, largest, cells)));
    for (std::size_t i = 0; i < slice.count; i += kLanes<T>) cells.store(y, i, (cells.load(x, i) - max) - log_sum);
  });
}

template <typename T>
void log_softmax_backward(const T* y, const T* y_gradient, T* x_gradient, Slice slice) {
  with(slice, [&](const auto& cells) {
    const double total = sum_of<T>(slice.count, [&](std::size_t i) { return cells.load(y_gradient, i); });
    const Lanes<T> sum = splat(static_cast<T>(total));
    for (std::size_t i = 0; i < slice.count; i += kLanes<T>) {
      const Lanes<T> share = exp_of_negative<T>(cells.load(y, i)) * sum;
      cells.store(x_gradient, i, cells.load(x_gradient, i) + (cells.load(y_gradient, i) - share));
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
