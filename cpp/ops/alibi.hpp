// Attention with linear biases: "Train Short, Test Long" (ALiBi), section 3.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

struct AlibiOptions {
  std::size_t query_length = 0;
  std::size_t key_length = 0;
  bool causal = false;  // -infinity for keys after the query
};

// bias[h, i, j] = -slopes[h] |p - j|, where query i is at position p = i + S - L
//
//   slopes  (H)
//   ->      (H, L, S)
//
// Throws InputError when slopes has another rank.
template <typename T>
Tensor<T> alibi(const Tensor<T>& slopes, const AlibiOptions& options, std::string name = {});

}  // namespace attn
