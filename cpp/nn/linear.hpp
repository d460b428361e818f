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

// output = x weight + bias: the weight in row-vector form, as in NumPy programs, the papers and GPT-2 (its Conv1D)
//
//   x       (..., in)
//   weight  (in, out)
//   bias    (out)
//   -> (..., out)
//
// With a bias, the product is a node of its own, called `name`_projected. Throws InputError naming `operation` when the
// shapes disagree; `bias_name` is what it calls the bias.
template <typename T>
Tensor<T> row_vector_linear(const Tensor<T>& x, const Tensor<T>& weight, const OptionalTensor<T>& bias,
                            std::string_view operation, std::string_view bias_name, const std::string& name = {});

}  // namespace attn
