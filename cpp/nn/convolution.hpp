// A convolution along the sequence, for comparison with attention.
#pragma once

#include "ops/conv1d.hpp"
#include "tensor/state_dict.hpp"

namespace attn {

// weight (out, in, k), bias (out): uniform within 1 / sqrt(in k), as torch.nn.Conv1d.
ParameterSpecs convolution_parameters(std::size_t in, std::size_t out, std::size_t kernel);

// output[l] = bias + sum over t of weight[:, :, t] x[l + t - padding]
//
//   x   (B?, L, in)       positions before features, where torch.nn.Conv1d has features first
//   ->  (B?, L', out)     L' = L when padding is (k - 1) / 2
//
// Each output depends on k neighbouring inputs: about L / k layers connect the ends of the sequence, self-attention
// needs one. Throws InputError when a parameter is missing or the shapes disagree.
template <typename T>
Tensor<T> convolution(const Tensor<T>& x, const StateDict<T>& parameters, const Conv1dOptions& options = {},
                      const std::string& name = {});

}  // namespace attn
