// Layer normalisation over the last axis: "Layer Normalization", section 3.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

struct LayerNormOptions {
  double eps = 1e-5;
  bool unbiased = false;  // divide the squared deviations by n - 1, not by n
};

// output = (x - mean) / sqrt(variance + eps) weight + bias, with the mean and variance of the last axis
//
//   x       (..., n)
//   weight  (n)        gain; absent: 1
//   bias    (n)        shift; absent: 0
//   ->      (..., n)
//
// The paper and torch.nn.LayerNorm divide the squared deviations by n. Programs that call torch.var with its default
// divide by n - 1 (NaN for n = 1), which is the option `unbiased`. Throws InputError when the shapes disagree, x has no
// axis, or eps is negative or not finite.
template <typename T>
Tensor<T> layer_norm(const Tensor<T>& x, const OptionalTensor<T>& weight = {}, const OptionalTensor<T>& bias = {},
                     const LayerNormOptions& options = {}, std::string name = {});

}  // namespace attn
