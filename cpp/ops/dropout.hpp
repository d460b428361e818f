// Inverted dropout with a given uniform draw: "Attention Is All You Need", section 5.4.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

// output = x / (1 - p) where u > p, else 0. In evaluation the op is not used.
//
//   x  (...)
//   u  (...)     as drawn from [0, 1)
//
// Throws InputError when the shapes differ, or p lies outside [0, 1): for p = 1 the factor would be 1 / 0.
template <typename T>
Tensor<T> dropout(const Tensor<T>& x, const Tensor<T>& u, double p, std::string name = {});

}  // namespace attn
