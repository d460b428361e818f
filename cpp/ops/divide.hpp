// Quotient of two tensors, cell by cell, with NumPy's broadcasting.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

// output = a / b. Throws InputError when the shapes do not broadcast.
template <typename T>
Tensor<T> divide(const Tensor<T>& a, const Tensor<T>& b, std::string name = {});

}  // namespace attn
