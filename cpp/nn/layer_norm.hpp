// Layer normalisation with parameters read by name, as torch.nn.LayerNorm.
#pragma once

#include "ops/layer_norm.hpp"
#include "tensor/state_dict.hpp"

namespace attn {

// weight (D): ones, bias (D): zeros.
ParameterSpecs layer_norm_parameters(std::size_t dim);

// output = (x - mean) / sqrt(variance + eps) weight + bias over the last axis
//
//   x  (..., D)
//   -> (..., D)
//
// Throws InputError when a parameter is missing or the shapes disagree; see StateDict for when a bias may be absent.
template <typename T>
Tensor<T> layer_norm(const Tensor<T>& x, const StateDict<T>& parameters, const LayerNormOptions& options,
                     std::string name = {});

}  // namespace attn
