// Layer normalisation of one row, two numbers at a time, in double.
#include "kernels/layer_norm.hpp"

#include <cmath>
#include <type_traits>

#include "kernels/lanes.hpp"

namespace attn::kernels {
namespace {

constexpr std::size_t kWidth = kLanes<double>;

// What a row's numbers are normalised with.
template <typename T>
class Normaliser {
 public:
  Normaliser(const T* x, std::size_t n, double eps, bool unbiased) : x_(x), n_(n) {
    const RowMoments moments = row_moments(x, n, unbiased);
    mean_ = moments.mean;
    deviation_ = std::sqrt(moments.variance + eps);
    per_deviation_ = 1 / deviation_;
  }

  // Of the numbers from i on.
  Lanes<double> normalised(std::size_t i) const { return over_deviation(load_wide(x_ + i, n_ - i) - splat(mean_)); }

  // Rounded to float, a product with the reciprocal is as good as the quotient.
  Lanes<double> over_deviation(const Lanes<double>& lanes) const {
    if constexpr (std::is_same_v<T, float>) return lanes * splat(per_deviation_);
    return lanes / splat(deviation_);
  }

 private:
  const T* x_;
  std::size_t n_;
  double mean_, deviation_, per_deviation_;
};

// The lanes that stand for numbers before the end of a row; 0 in the others.
Lanes<double> within(const Lanes<double>& lanes, std::size_t count) {
  return count >= kWidth ? lanes : Lanes<double>{lanes[0], 0};
}

}  // namespace

template <typename T>
RowMoments row_moments(const T* x, std::size_t n, bool unbiased) {
  const double count = static_cast<double>(n);
  Lanes<double> sum = splat(0.0);
  for (std::size_t i = 0; i < n; i += kWidth) sum += load_wide(x + i, n - i);
  const double mean = total(sum) / count;
  Lanes<double> squares = splat(0.0);
  for (std::size_t i = 0; i < n; i += kWidth) {
    const Lanes<double> away = within(load_wide(x + i, n - i) - splat(mean), n - i);
    squares += away * away;
  }
  return {mean, total(squares) / (count - (unbiased ? 1 : 0))};
}

template <typename T>
void layer_norm(const T* x, const T* weight, const T* bias, T* y, std::size_t n, double eps, bool unbiased) {
  const Normaliser<T> by(x, n, eps, unbiased);
  for (std::size_t i = 0; i < n; i += kWidth) {
    const std::size_t rest = n - i;
    Lanes<double> row = by.normalised(i);
    if (weight) row *= load_wide(weight + i, rest);
    if (bias) row += load_wide(bias + i, rest);
    store_wide(y + i, row, rest);
  }
}

template <typename T>
void layer_norm_backward(const T* x, const T* weight, const T* y_gradient, T* x_gradient, T* weight_gradient,
                         T* bias_gradient, std::size_t n, double eps, bool unbiased) {
  const Normaliser<T> by(x, n, eps, unbiased);
  // What reaches the normalised numbers.
  const auto reaching = [&](std::size_t i) {
    const Lanes<double> upstream = load_wide(y_gradient + i, n - i);
    return weight ? upstream * load_wide(weight + i, n - i) : upstream;
  };
  Lanes<double> sum = splat(0.0);
  Lanes<double> along_row = splat(0.0);  // of the same times the normalised numbers
  for (std::size_t i = 0; i < n; i += kWidth) {
    const std::size_t rest = n - i;
    const Lanes<double> row = within(by.normalised(i), rest);
    const Lanes<double> reach = reaching(i);
    const Lanes<double> upstream = load_wide(y_gradient + i, rest);
    sum += reach;
    along_row += reach * row;
    if (weight_gradient) store_wide(weight_gradient + i, load_wide(weight_gradient + i, rest) + upstream * row, rest);
    if (bias_gradient) store_wide(bias_gradient + i, load_wide(bias_gradient + i, rest) + upstream, rest);
  }
  if (!x_gradient) return;
  const double count = static_cast<double>(n);
  const Lanes<double> mean = splat(total(sum) / count);
  const Lanes<double> slope = splat(total(along_row) / (count - (unbiased ? 1 : 0)));
  for (std::size_t i = 0; i < n; i += kWidth) {
    const Lanes<double> change = by.over_deviation(reaching(i) - mean - by.normalised(i) * slope);
    store_wide(x_gradient + i, load_wide(x_gradient + i, n - i) + change, n - i);
  }
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
