// Layer normalisation of one row, a vector of lanes at a time, with sums in double.
#include "kernels/layer_norm.hpp"

#include <cmath>
#include <type_traits>

#include "kernels/lanes.hpp"

namespace attn::kernels {
namespace {

// A sum of the lanes of many vectors, in double.
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

// The numbers of a row less their mean. Of floats what rounding the mean lost is taken off as well: a large common offset
// cancels without doubles.
template <typename T>
class Centred {
 public:
  Centred(const T* x, std::size_t n, double mean)
      : x_(x), n_(n), mean_(splat(static_cast<T>(mean))), rest_(splat(static_cast<T>(mean - mean_[0]))) {}

  // Those from number i on; 0 beyond the end.
  Lanes<T> operator()(std::size_t i) const {
    Lanes<T> away = load_some(x_ + i, n_ - i) - mean_;
    if constexpr (std::is_same_v<T, float>) away -= rest_;
    if (n_ - i < kLanes<T>) keep_some<T>(away, n_ - i);
    return away;
  }

 private:
  const T* x_;
  std::size_t n_;
  Lanes<T> mean_, rest_;
};

// What a row's numbers are normalised with.
template <typename T>
class Normaliser {
 public:
  Normaliser(const T* x, std::size_t n, double eps, bool unbiased)
      : Normaliser(x, n, eps, row_moments(x, n, unbiased)) {}

  // Of the numbers from i on.
  Lanes<T> normalised(std::size_t i) const { return over_deviation(centred_(i)); }

  // Floats are multiplied by the reciprocal, in two factors: it could be beyond the largest float.
  Lanes<T> over_deviation(const Lanes<T>& lanes) const {
    if constexpr (std::is_same_v<T, float>) return lanes * power_ * rest_;
    return lanes / rest_;
  }

 private:
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

  Centred<T> centred_;
  Lanes<T> power_, rest_;
};

}  // namespace

template <typename T>
RowMoments row_moments(const T* x, std::size_t n, bool unbiased) {
  const double count = static_cast<double>(n);
  Sum<T> sum;
  for (std::size_t i = 0; i < n; i += kLanes<T>) sum.add(load_some(x + i, n - i));
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
  const Normaliser<T> by(x, n, eps, unbiased);
  for (std::size_t i = 0; i < n; i += kLanes<T>) {
    const std::size_t rest = n - i;
    Lanes<T> row = by.normalised(i);
    if (weight) row *= load_some(weight + i, rest);
    if (bias) row += load_some(bias + i, rest);
    store_some(y + i, row, rest);
  }
}

template <typename T>
void layer_norm_backward(const T* x, const T* weight, const T* y_gradient, T* x_gradient, T* weight_gradient,
                         T* bias_gradient, std::size_t n, double eps, bool unbiased) {
  const Normaliser<T> by(x, n, eps, unbiased);
  // What reaches the normalised numbers from i on.
  const auto reaching = [&](std::size_t i) {
    const Lanes<T> upstream = load_some(y_gradient + i, n - i);
    return weight ? upstream * load_some(weight + i, n - i) : upstream;
  };
  const auto add_to = [&](T* gradient, std::size_t i, const Lanes<T>& more) {
    if (gradient) store_some(gradient + i, load_some(gradient + i, n - i) + more, n - i);
  };
  Sum<T> sum;
  Sum<T> along_row;  // of the same times the normalised numbers
  for (std::size_t i = 0; i < n; i += kLanes<T>) {
    const Lanes<T> row = by.normalised(i);
    const Lanes<T> reach = reaching(i);
    const Lanes<T> upstream = load_some(y_gradient + i, n - i);
    sum.add(reach);
    along_row.add_product(reach, row);
    add_to(weight_gradient, i, upstream * row);
    add_to(bias_gradient, i, upstream);
  }
  if (!x_gradient) return;
  const double count = static_cast<double>(n);
  const Lanes<T> mean = splat(static_cast<T>(sum.total() / count));
  const Lanes<T> slope = splat(static_cast<T>(along_row.total() / (count - (unbiased ? 1 : 0))));
  for (std::size_t i = 0; i < n; i += kLanes<T>)
    add_to(x_gradient, i, by.over_deviation(reaching(i) - mean - by.normalised(i) * slope));
}

template RowMoments row_moments<float>(const float*, std::size_t, bool);
template RowMoments row_moments<double>(const double*, std::size_t, bool);
template void layer_norm<float>(const float*, const float*, const float*, float*, std::size_t, double, bool);
template void layer_norm<double>(const double*, const double*, const double*, double*, std::size_t, double, bool);
template void layer_norm_backward<float>(const float*, const float*, const float*, float*, float*, float*, std::size_t,
                                         double, bool);
template void layer_norm_backward<double>(const double*, const double*, const double*, double*, double*, double*,
                                          std::size_t, double, bool);

}  // namespace attn::kernels
