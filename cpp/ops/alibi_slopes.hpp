// The slope of each head's linear bias: "Train Short, Test Long" (ALiBi), section 3.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

// slopes[h - 1] = 2^(-8h / H), h = 1..H, when H is a power of two; otherwise the slopes of the largest power of two n
// below H, followed by the 1st, 3rd, ... slope of 2n
//
//   -> (H)
//
// Throws InputError when num_heads is 0.
template <typename T>
Tensor<T> alibi_slopes(Graph<T>& graph, std::size_t num_heads, std::string name = {});

}  // namespace attn
