// The same numbers in the same row-major order under another shape.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

// Throws InputError when `shape` has a different number of cells than x.
template <typename T>
Tensor<T> reshape(const Tensor<T>& x, const Shape& shape, std::string name = {});

}  // namespace attn
