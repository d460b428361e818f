// The smaller one of two tensors with NumPy's broadcasting.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

// output = minimum(a, b), cell by cell, as numpy.minimum and torch.minimum: NaN where either is NaN; of equal numbers each has half
// of the gradient. Throws InputError when the shapes do not broadcast.
template <typename T>
Tensor<T> minimum(const Tensor<T>& a, const Tensor<T>& b, std::string name = {});

}  // namespace attn
