// Division of the columns of a sequence into heads, in contiguous groups: "Attention Is All You Need", section 3.2.2.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

// output[..., h, l, c] = x[..., l, h d + c]
//
//   x  (..., L, D)
//   -> (..., H, L, d)   d = D / H
//
// Throws InputError when num_heads is 0 or does not divide D.
template <typename T>
Tensor<T> split_heads(const Tensor<T>& x, std::size_t num_heads, std::string name = {});

}  // namespace attn
