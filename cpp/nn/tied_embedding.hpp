// Logits from the embedding table (weight tying): "Attention Is All You Need", section 3.4.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

// logits = hidden table^T, without bias and without the factor sqrt(D) that the embedding has
//
//   hidden  (..., D)
//   table   (V, D)
//   ->      (..., V)
//
// The embedding needs the factor to bring the rows, whose variance is about 1 / D, to the scale of the positional
// encoding. Throws InputError when the widths differ.
template <typename T>
Tensor<T> tied_logits(const Tensor<T>& hidden, const Tensor<T>& table, std::string name = {});

}  // namespace attn
