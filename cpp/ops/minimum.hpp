// The smaller of two tensors, cell by cell, with NumPy's broadcasting.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

// output = minimum(a, b), as numpy.minimum and torch.minimum: NaN where either is NaN; two equal numbers get half of
// the gradient each. Throws InputError when the shapes do not broadcast.
template <typename T>
Tensor<T> minimum(const Tensor<T>& a, const Tensor<T>& b, std::string name = {});

}  // namespace attn
