// Sinusoidal positional encoding: "Attention Is All You Need", section 3.5.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

// output[n, 2i]     = sin(positions[n] / base^(2i / dim))
// output[n, 2i + 1] = cos(positions[n] / base^(2i / dim))
//
//   positions  (N)
//   ->         (N, dim)     an odd dim ends with a sine
//
// Angles are computed in double. Throws InputError when positions has another rank, dim is 0, or base is not
// positive.
template <typename T>
Tensor<T> sinusoidal(const Tensor<T>& positions, std::size_t dim, double base = 10000, std::string name = {});

}  // namespace attn
