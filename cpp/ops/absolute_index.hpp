// The naive positional encoding: every feature of a row is the position of the row.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

// output[n, j] = positions[n]
//
//   positions  (N)
//   ->         (N, dim)
//
// Throws InputError when positions has another rank, or dim is 0.
template <typename T>
Tensor<T> absolute_index(const Tensor<T>& positions, std::size_t dim, std::string name = {});

}  // namespace attn
