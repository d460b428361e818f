// A linear layer with parameters read by name, as torch.nn.Linear.
#pragma once

#include "ops/linear.hpp"
#include "tensor/state_dict.hpp"

namespace attn {

// weight (out, in), bias (out): uniform within 1 / sqrt(in), PyTorch's initial values.
ParameterSpecs linear_parameters(std::size_t in, std::size_t out, bool bias = true);

// output = x weight^T + bias; without a parameter "bias" nothing is added
//
//   x  (..., in)
//   -> (..., out)
//
// Throws InputError when "weight" is missing or the shapes disagree.
template <typename T>
Tensor<T> linear(const Tensor<T>& x, const StateDict<T>& parameters, std::string name = {});

}  // namespace attn
