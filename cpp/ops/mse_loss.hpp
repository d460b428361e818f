// Mean squared error, as torch.nn.functional.mse_loss.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

struct MseLossOptions {
  std::string reduction = "mean";  // "mean", "sum" or "none"
};

// loss = (input - target)^2
//
//   input, target  (...)
//   ->             ()      or (...) for "none"
//
// Throws InputError when the shapes differ or the reduction is none of the three.
template <typename T>
Tensor<T> mse_loss(const Tensor<T>& input, const Tensor<T>& target, const MseLossOptions& options = {},
                   std::string name = {});

}  // namespace attn
