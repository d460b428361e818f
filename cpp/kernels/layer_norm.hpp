// Layer normalisation of one row.
#pragma once

#include <cstddef>

#include "kernels/lanes.hpp"

namespace attn::kernels {

// The mean and variance of a row of n numbers. They are double, because a large common offset cancels.
struct RowMoments {
  double mean = 0;
  double variance = 0;  // the sum of squared deviations divided by n, or by n - 1 (NaN when that is 0)
};

template <typename T>
RowMoments row_moments(const T* x, std::size_t n, bool unbiased);

// y = (x - mean) / sqrt(variance + eps) weight + bias; weight and bias (n) may be null.
template <typename T>
void layer_norm(const T* x, const T* weight, const T* bias, T* y, std::size_t n, double eps, bool unbiased);

// Normalised number i of a row before weight and bias, given the moments of the row.
template <typename T>
T normalised(const T* x, std::size_t n, double eps, const RowMoments& moments, std::size_t i);

// Adds d(loss)/d(x, weight, bias) given d(loss)/d(y). Each gradient may be null. The gradients of weight and bias are
// accumulated in the sums of gradient_sums.hpp; for doubles these are the gradients themselves.
template <typename T>
void layer_norm_backward(const T* x, const T* weight, const T* y_gradient, T* x_gradient, T* weight_sums, T* bias_sums,
                         std::size_t n, double eps, bool unbiased);

}  // namespace attn::kernels
