// Matrix product, batched as numpy.matmul.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

// output[i, j] = sum over k of a[i, k] b[k, j], added in the order of k
//
//   a  (..., n, m)
//   b  (..., m, p)      leading axes broadcast against those of a
//   -> (..., n, p)
//
// Throws InputError when the shapes disagree or a side has fewer than two axes.
template <typename T>
Tensor<T> matmul(const Tensor<T>& a, const Tensor<T>& b, std::string name = {});

}  // namespace attn
