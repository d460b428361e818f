// Cosine of the angle between rows.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

// output[...] = a[...] . b[...] / (|a[...]| |b[...]|); 0, with gradient 0, where either row is all zeros
//
//   a, b  (..., D)     leading axes broadcast: (N, 1, D) with (M, D) compares all pairs
//   ->    (...)
//
// Throws InputError when the shapes disagree or have no axis.
template <typename T>
Tensor<T> cosine_similarity(const Tensor<T>& a, const Tensor<T>& b, std::string name = {});

}  // namespace attn
