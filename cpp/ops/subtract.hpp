// Difference of two tensors with NumPy's broadcasting.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

// output = a - b. Throws InputError when the shapes do not broadcast.
template <typename T>
Tensor<T> subtract(const Tensor<T>& a, const Tensor<T>& b, std::string name = {});

}  // namespace attn
