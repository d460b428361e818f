// Axes in another order, as numpy.transpose.
#pragma once

#include <vector>

#include "tensor/graph.hpp"

namespace attn {

// Axis i of the output is axis axes[i] of x. Without axes, the last two are exchanged. Throws InputError unless axes
// names each axis of x once.
template <typename T>
Tensor<T> transpose(const Tensor<T>& x, const std::vector<int>& axes = {}, std::string name = {});

}  // namespace attn
