// Layer normalisation of one row, one vector of lanes at a time, with sums in double.
#include "kernels/layer_norm.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "kernels/gradient_sums.hpp"
#include "kernels/lanes.hpp"

namespace attn::kernels {
namespace {

// The sum of the lanes of many vectors, accumulated in double.
template <typename T>
class Sum {
 public:
  void add(const Lanes<T>& x) { add_product(x, splat(T(1))); }

  void add_product(const Lanes<T>& x, const Lanes<T>& y) {
    if constexpr (std::is_same_v<T, float>) {
      low_ += low_half(x) * low_half(y);
      high_ += high_half(x) * high_half(y);
    } else {
      low_ += x * y;
    }
  }

  double total() const { return kernels::total(low_ + high_); }

 private:
  Lanes<double> low_ = splat(0.0), high_ = splat(0.0);
};

// The numbers of a row minus their mean. For floats the rounding error of the mean is subtracted as well, so that a
// large common offset cancels without using doubles.
template <typename T>
class Centred {
 public:
  Centred(const T* x, std::size_t n, double mean)
      : x_(x), n_(n), mean_(splat(static_cast<T>(mean))), rest_(splat(static_cast<T>(mean - mean_[0]))) {}

  // The centred numbers from position i on, with 0 beyond the end of the row.
  Lanes<T> operator()(std::size_t i) const {
    Lanes<T> away = load_partial(x_ + i, n_ - i) - mean_;
    if constexpr (std::is_same_v<T, float>) away -= rest_;
    if (n_ - i < kLanes<T>) zero_after<T>(away, n_ - i);
    return away;
  }

 private:
  const T* x_;
  std::size_t n_;
  Lanes<T> mean_, rest_;
};

// Normalises the numbers of a row by its mean and deviation.
template <typename T>
class Normaliser {
 public:
  Normaliser(const T* x, std::size_t n, double eps, const RowMoments& moments) : centred_(x, n, moments.mean) {
    const double deviation = std::sqrt(moments.variance + eps);
    double power = 1;
    if (deviation < 1e-18 || deviation > 1e18) {
      int exponent = 0;
      std::frexp(deviation, &exponent);
      power = std::ldexp(1.0, -exponent / 2);
    }
    power_ = splat(static_cast<T>(power));
    rest_ = splat(static_cast<T>(std::is_same_v<T, float> ? 1 / deviation / power : deviation));
  }

  // The normalised numbers from position i on.
  Lanes<T> normalised(std::size_t i) const { return over_deviation(centred_(i)); }

  // Floats are multiplied by the reciprocal deviation, split in two factors because it may exceed the largest float.
  Lanes<T> over_deviation(const Lanes<T>& lanes) const {
    if constexpr (std::is_same_v<T, float>) return lanes * power_ * rest_;
    return lanes / rest_;
  }

 private:
  Centred<T> centred_;
  Lanes<T> power_, rest_;
};

void add_to_doubles(float* at, const Lanes<double>& more) {
  Lanes<double> sum;
  std::memcpy(&sum, at, sizeof(sum));
  sum += more;
  std::memcpy(at, &sum, sizeof(sum));
}

// Adds `count` numbers to the sums from position i on.
void add_to_sums(float* sums, std::size_t i, const Lanes<float>& more, std::size_t) {
  add_to_doubles(sums + 2 * i, low_half(more));
  add_to_doubles(sums + 2 * i + kLanes<float>, high_half(more));
}

void add_to_sums(double* sums, std::size_t i, const Lanes<double>& more, std::size_t count) {
  store_partial(sums + i, load_partial(sums + i, count) + more, count);
}

}  // namespace

template <typename T>
RowMoments row_moments(const T* x, std::size_t n, bool unbiased) {
  const double count = static_cast<double>(n);
  Sum<T> sum;
  for (std::size_t i = 0; i < n; i += kLanes<T>) sum.add(load_partial(x + i, n - i));
  const double mean = sum.total() / count;
  const Centred<T> centred(x, n, mean);
  Sum<T> squares;
  for (std::size_t i = 0; i < n; i += kLanes<T>) {
    const Lanes<T> away = centred(i);
    squares.add_product(away, away);
  }
  return {mean, squares.total() / (count - (unbiased ? 1 : 0))};
}

template <typename T>
void layer_norm(const T* x, const T* weight, const T* bias, T* y, std::size_t n, double eps, bool unbiased) {
  const Normaliser<T> by(x, n, eps, row_moments(x, n, unbiased));
  for (std::size_t i = 0; i < n; i += kLanes<T>) {
    const std::size_t rest = n - i;
    Lanes<T> row = by.normalised(i);
    if (weight) row *= load_partial(weight + i, rest);
    if (bias) row += load_partial(bias + i, rest);
    store_partial(y + i, row, rest);
  }
}

template <typename T>
T normalised(const T* x, std::size_t n, double eps, const RowMoments& moments, std::size_t i) {
  return Normaliser<T>(x, n, eps, moments).normalised(i)[0];
}

template <typename T>
void layer_norm_backward(const T* x, const T* weight, const T* y_gradient, T* x_gradient, T* weight_sums, T* bias_sums,
                         std::size_t n, double eps, bool unbiased) {
  const Normaliser<T> by(x, n, eps, row_moments(x, n, unbiased));
  // The gradient of the normalised numbers from position i on.
  const auto reaching = [&](std::size_t i) {
    const Lanes<T> upstream = load_partial(y_gradient + i, n - i);
    return weight ? upstream * load_partial(weight + i, n - i) : upstream;
  };
  Sum<T> sum;
  Sum<T> along_row;  // the sum of (that gradient) * (the normalised numbers)
  for (std::size_t i = 0; i < n; i += kLanes<T>) {
    const Lanes<T> row = by.normalised(i);
    const Lanes<T> reach = reaching(i);
    const Lanes<T> upstream = load_partial(y_gradient + i, n - i);
    sum.add(reach);
    along_row.add_product(reach, row);
    if (weight_sums) add_to_sums(weight_sums, i, upstream * row, n - i);
    if (bias_sums) add_to_sums(bias_sums, i, upstream, n - i);
  }
  if (!x_gradient) return;
  const double count = static_cast<double>(n);
  const Lanes<T> mean = splat(static_cast<T>(sum.total() / count));
  const Lanes<T> slope = splat(static_cast<T>(along_row.total() / (count - (unbiased ? 1 : 0))));
  for (std::size_t i = 0; i < n; i += kLanes<T>) {
    const Lanes<T> more = by.over_deviation(reaching(i) - mean - by.normalised(i) * slope);
    store_partial(x_gradient + i, load_partial(x_gradient + i, n - i) + more, n - i);
  }
}

template RowMoments row_moments<float>(const float*, std::size_t, bool);
template RowMoments row_moments<double>(const double*, std::size_t, bool);
template void layer_norm<float>(const float*, const float*, const float*, float*, std::size_t, double, bool);
template void layer_norm<double>(const double*, const double*, const double*, double*, std::size_t, double, bool);
template float normalised<float>(const float*, std::size_t, double, const RowMoments&, std::size_t);
template double normalised<double>(const double*, std::size_t, double, const RowMoments&, std::size_t);
template void layer_norm_backward<float>(const float*, const float*, const float*, float*, float*, float*, std::size_t,
                                         double, bool);
template void layer_norm_backward<double>(const double*, const double*, const double*, double*, double*, double*,
                                          std::size_t, double, bool);

}  // namespace attn::kernels
