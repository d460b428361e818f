// Layer normalisation of one row.
#include "kernels/layer_norm.hpp"

#include <cmath>

namespace attn::kernels {

template <typename T>
RowMoments row_moments(const T* x, std::size_t n, bool unbiased) {
  RowMoments moments;
  for (std::size_t i = 0; i < n; ++i) moments.mean += x[i];
  moments.mean /= static_cast<double>(n);
  for (std::size_t i = 0; i < n; ++i) moments.variance += (x[i] - moments.mean) * (x[i] - moments.mean);
  moments.variance /= static_cast<double>(n) - (unbiased ? 1 : 0);
  return moments;
}

template <typename T>
void layer_norm(const T* x, const T* weight, const T* bias, T* y, std::size_t n, double eps, bool unbiased) {
  const RowMoments moments = row_moments(x, n, unbiased);
  const double deviation = std::sqrt(moments.variance + eps);
  for (std::size_t i = 0; i < n; ++i) {
    y[i] = static_cast<T>((x[i] - moments.mean) / deviation);
    if (weight) y[i] *= weight[i];
    if (bias) y[i] += bias[i];
  }
}

template <typename T>
void layer_norm_backward(const T* x, const T* weight, const T* y_gradient, T* x_gradient, T* weight_gradient,
                         T* bias_gradient, std::size_t n, double eps, bool unbiased) {
  const RowMoments moments = row_moments(x, n, unbiased);
  const double deviation = std::sqrt(moments.variance + eps);
  double sum = 0;        // of what reaches the normalised numbers
  double along_row = 0;  // the same times the normalised numbers
  for (std::size_t i = 0; i < n; ++i) {
    const double normalised = (x[i] - moments.mean) / deviation;
    const double reaching = weight ? y_gradient[i] * weight[i] : y_gradient[i];
    sum += reaching;
    along_row += reaching * normalised;
    if (weight_gradient) weight_gradient[i] += static_cast<T>(y_gradient[i] * normalised);
    if (bias_gradient) bias_gradient[i] += y_gradient[i];
  }
  if (!x_gradient) return;
  const double count = static_cast<double>(n);
  const double divisor = count - (unbiased ? 1 : 0);
  for (std::size_t i = 0; i < n; ++i) {
    const double normalised = (x[i] - moments.mean) / deviation;
    const double reaching = weight ? y_gradient[i] * weight[i] : y_gradient[i];
    x_gradient[i] += static_cast<T>((reaching - sum / count - normalised * along_row / divisor) / deviation);
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
