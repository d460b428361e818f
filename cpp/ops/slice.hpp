// A contiguous part of a tensor along one axis.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

// output = x[..., start:stop, ...] along the axis, which counts from the end when negative. Throws InputError when x
// has no such axis, or start:stop is empty or out of range.
template <typename T>
Tensor<T> slice(const Tensor<T>& x, int axis, std::size_t start, std::size_t stop, std::string name = {});

}  // namespace attn
