// Kullback-Leibler divergence, as torch.nn.functional.kl_div.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

struct KlDivergenceOptions {
  std::string reduction = "mean";  // "mean" over cells, "batchmean" over the first axis, "sum" or "none"
};

// loss = target (log(target) - input), where 0 log 0 = 0
//
//   input   (...)     log-probabilities
//   target  (...)     probabilities
//   ->      ()        or (...) for "none"
//
// A target of 0 has gradient 0. Throws InputError when the shapes differ, the reduction is none of the four, or
// "batchmean" is used with a scalar.
template <typename T>
Tensor<T> kl_divergence(const Tensor<T>& input, const Tensor<T>& target, const KlDivergenceOptions& options = {},
                        std::string name = {});

}  // namespace attn
