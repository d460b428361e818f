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

// The deviations of the numbers of a row from their mean. For floats the rounding error of the mean is subtracted as
// well, so that a large common offset cancels without using doubles.
template <typename T>
class Centred {
 public:
  Centred(const T* x, std::size_t n, double mean)
      : x_(x), n_(n), mean_(splat(static_cast<T>(mean))), mean_error_(splat(static_cast<T>(mean - mean_[0]))) {}

  // The deviations from position i on, with 0 beyond the end of the row.
  Lanes<T> operator()(std::size_t i) const {
    Lanes<T> deviation = load_partial(x_ + i, n_ - i) - mean_;
    if constexpr (std::is_same_v<T, float>) deviation -= mean_error_;
    if (n_ - i < kLanes<T>) zero_after<T>(deviation, n_ - i);
    return deviation;
  }

 private:
  const T* x_;
  std::size_t n_;
  Lanes<T> mean_, mean_error_;
};

// Normalises the numbers of a row: subtracts their mean and divides by their standard deviation.
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
    first_factor_ = splat(static_cast<T>(power));
    scale_ = splat(static_cast<T>(std::is_same_v<T, float> ? 1 / deviation / power : deviation));
  }

  // The normalised numbers from position i on.
  Lanes<T> normalised(std::size_t i) const { return divided_by_deviation(centred_(i)); }

  // Divides by the standard deviation. Floats are multiplied by its reciprocal, as two factors because the reciprocal
  // may exceed the largest float.
  Lanes<T> divided_by_deviation(const Lanes<T>& lanes) const {
    if constexpr (std::is_same_v<T, float>) return lanes * first_factor_ * scale_;
    return lanes / scale_;
  }

 private:
  Centred<T> centred_;
  Lanes<T> first_factor_;  // a power of 2, which is 1 for an ordinary deviation
  Lanes<T> scale_;         // floats: 1 / (deviation first_factor_); doubles: the deviation
};

void add_to_doubles(float* sums, const Lanes<double>& terms) {
  Lanes<double> updated;
  std::memcpy(&updated, sums, sizeof(updated));
  updated += terms;
  std::memcpy(sums, &updated, sizeof(updated));
}

// Adds the first `count` terms to the sums from position i on. The float version adds the
// other terms to the padding of the sums.
void add_to_sums(float* sums, std::size_t i, const Lanes<float>& terms, std::size_t) {
  add_to_doubles(sums + 2 * i, low_half(terms));
  add_to_doubles(sums + 2 * i + kLanes<float>, high_half(terms));
}

void add_to_sums(double* sums, std::size_t i, const Lanes<double>& terms, std::size_t count) {
  store_partial(sums + i, load_partial(sums + i, count) + terms, count);
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
    const Lanes<T> deviation = centred(i);
    squares.add_product(deviation, deviation);
  }
  return {mean, squares.total() / (count - (unbiased ? 1 : 0))};
}

template <typename T>
void layer_norm(const T* x, const T* weight, const T* bias, T* y, std::size_t n, double eps, bool unbiased) {
  const Normaliser<T> normaliser(x, n, eps, row_moments(x, n, unbiased));
  for (std::size_t i = 0; i < n; i += kLanes<T>) {
    const std::size_t remaining = n - i;
    Lanes<T> row = normaliser.normalised(i);
    if (weight) row *= load_partial(weight + i, remaining);
    if (bias) row += load_partial(bias + i, remaining);
    store_partial(y + i, row, remaining);
  }
}

template <typename T>
T normalised(const T* x, std::size_t n, double eps, const RowMoments& moments, std::size_t i) {
  return Normaliser<T>(x, n, eps, moments).normalised(i)[0];
}

template <typename T>
void layer_norm_backward(const T* x, const T* weight, const T* y_gradient, T* x_gradient, T* weight_sums, T* bias_sums,
                         std::size_t n, double eps, bool unbiased) {
  const Normaliser<T> normaliser(x, n, eps, row_moments(x, n, unbiased));
  // d(loss)/d(normalised numbers) from position i on.
  const auto normalised_gradient = [&](std::size_t i) {
    const Lanes<T> upstream = load_partial(y_gradient + i, n - i);
    return weight ? upstream * load_partial(weight + i, n - i) : upstream;
  };
  Sum<T> sum;
  Sum<T> gradient_dot_row;  // sum(normalised_gradient normalised)
  for (std::size_t i = 0; i < n; i += kLanes<T>) {
    const Lanes<T> row = normaliser.normalised(i);
    const Lanes<T> gradient = normalised_gradient(i);
    const Lanes<T> upstream = load_partial(y_gradient + i, n - i);
    sum.add(gradient);
    gradient_dot_row.add_product(gradient, row);
    if (weight_sums) add_to_sums(weight_sums, i, upstream * row, n - i);
    if (bias_sums) add_to_sums(bias_sums, i, upstream, n - i);
  }
  if (!x_gradient) return;
  const double count = static_cast<double>(n);
  const Lanes<T> gradient_mean = splat(static_cast<T>(sum.total() / count));
  const Lanes<T> projection = splat(static_cast<T>(gradient_dot_row.total() / (count - (unbiased ? 1 : 0))));
  for (std::size_t i = 0; i < n; i += kLanes<T>) {
    const Lanes<T> terms =
        normaliser.divided_by_deviation(normalised_gradient(i) - gradient_mean - normaliser.normalised(i) * projection);
    store_partial(x_gradient + i, load_partial(x_gradient + i, n - i) + terms, n - i);
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
