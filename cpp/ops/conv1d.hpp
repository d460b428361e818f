// Convolution along a sequence, as torch.nn.functional.conv1d (a cross-correlation: the kernel is not flipped).
#pragma once

#include "tensor/graph.hpp"

namespace attn {

struct Conv1dOptions {
  std::size_t stride = 1;
  std::size_t padding = 0;  // zeros on both sides
};

// output[b, o, l] = bias[o] + sum over c and t of weight[o, c, t] x[b, c, l stride + t - padding]
//
//   x       (B?, C, L)
//   weight  (out, C, k)
//   bias    (out)
//   ->      (B?, out, (L + 2 padding - k) / stride + 1)
//
// Throws InputError when the shapes disagree, the kernel is empty or longer than the padded sequence, or stride is 0.
template <typename T>
Tensor<T> conv1d(const Tensor<T>& x, const Tensor<T>& weight, const OptionalTensor<T>& bias = {},
                 const Conv1dOptions& options = {}, std::string name = {});

}  // namespace attn
