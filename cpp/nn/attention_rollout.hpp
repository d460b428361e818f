// Attention rollout, attention accumulated over all layers: "Quantifying Attention Flow in Transformers", section 3.
#pragma once

#include <vector>

#include "tensor/graph.hpp"

namespace attn {

// rollout_l = A_l rollout_(l - 1),   A_l = (mean over heads of W_l + I) / its sum over keys,   rollout_0 = I
//
//   weights  each (B?, H, L, L), first layer first
//   ->       (B?, L, L)    row i: how much of each input token reaches token i
//
// The identity represents the residual connection. A query that attends to nothing keeps only itself. The steps are
// called mean_n, residual_n, normalised_n and rollout_n, n from 0, after the prefix `name`. Throws InputError when
// there are no weights, or when they are not square and of the same shape.
template <typename T>
Tensor<T> attention_rollout(const std::vector<Tensor<T>>& weights, const std::string& name = {});

}  // namespace attn
