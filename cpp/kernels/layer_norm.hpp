// Layer normalisation of one row.
#pragma once

#include <cstddef>

#include "kernels/lanes.hpp"

namespace attn::kernels {

// What a row of n numbers is normalised by. Sums are kept in double: a large common offset cancels.
struct RowMoments {
  double mean = 0;
  double variance = 0;  // squared deviations divided by n, or by n - 1 (NaN when that is 0)
};

template <typename T>
RowMoments row_moments(const T* x, std::size_t n, bool unbiased);

// y = (x - mean) / sqrt(variance + eps) weight + bias; weight and bias (n) may be null.
template <typename T>
void layer_norm(const T* x, const T* weight, const T* bias, T* y, std::size_t n, double eps, bool unbiased);

// Number i of the row before weight and bias, as above, given the row's moments.
template <typename T>
T normalised(const T* x, std::size_t n, double eps, const RowMoments& moments, std::size_t i);

// Adds d(loss)/d(x, weight, bias), each of which may be null, given d(loss)/d(y). Those of weight and bias are added to sums
// as in gradient_sums.hpp; of doubles to the gradients themselves.
template <typename T>
void layer_norm_backward(const T* x, const T* weight, const T* y_gradient, T* x_gradient, T* weight_sums, T* bias_sums,
                         std::size_t n, double eps, bool unbiased);

}  // namespace attn::kernels
