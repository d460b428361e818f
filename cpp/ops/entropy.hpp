// Entropy of rows of probabilities, in nats.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

// output[...] = -sum over k of p[..., k] log p[..., k], where 0 log 0 = 0 (and has gradient 0)
//
//   p   (..., K)
//   ->  (...)
//
// Throws InputError when p has no axis.
template <typename T>
Tensor<T> entropy(const Tensor<T>& p, std::string name = {});

}  // namespace attn
