// The linear layer, with the weight stored as in torch.nn.Linear.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

// output = x weight^T + bias
//
//   x       (..., in)
//   weight  (out, in)
//   bias    (out)
//   ->      (..., out)
//
// Throws InputError when the shapes disagree.
template <typename T>
Tensor<T> linear(const Tensor<T>& x, const Tensor<T>& weight, const OptionalTensor<T>& bias = {},
                 std::string name = {});

}  // namespace attn
