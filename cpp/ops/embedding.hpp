// Rows of a table looked up by id: "Attention Is All You Need", section 3.4.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

// output[..., :] = table[ids[...], :], times sqrt(D) if requested
//
//   ids    (...)       whole numbers from 0 to V - 1
//   table  (V, D)
//   ->     (..., D)
//
// Throws InputError for an id that is not a row of the table.
template <typename T>
Tensor<T> embedding(const Tensor<T>& ids, const Tensor<T>& table, bool scale_by_sqrt_dim = false,
                    std::string name = {});

}  // namespace attn
