// The number of cells between given edges, as numpy.histogram.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

// output[i] = number of cells of x with edges[i] <= x < edges[i + 1]; the last bin includes its upper edge
//
//   x      (...)     cells outside every bin, and NaN, are not counted
//   edges  (E)       rising; E is at least 2
//   ->     (E - 1)
//
// The gradient of x is zero. Throws InputError when edges has another rank, is too short, or is not ascending.
template <typename T>
Tensor<T> histogram(const Tensor<T>& x, const Tensor<T>& edges, std::string name = {});

}  // namespace attn
