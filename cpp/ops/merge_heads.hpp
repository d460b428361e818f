// Concatenation of the heads of a sequence: "Attention Is All You Need", section 3.2.2.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

// output[..., l, h d + c] = x[..., h, l, c]
//
//   x  (..., H, L, d)
//   -> (..., L, H d)
//
// Throws InputError when x has fewer than three axes.
template <typename T>
Tensor<T> merge_heads(const Tensor<T>& x, std::string name = {});

}  // namespace attn
