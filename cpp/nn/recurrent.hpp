// A recurrent layer, for comparison with attention: "Finding Structure in Time".
#pragma once

#include <vector>

#include "tensor/state_dict.hpp"

namespace attn {

// The nodes of one recurrent layer, with the names of the steps.
template <typename T>
struct Recurrent {
  std::vector<Tensor<T>> hidden = {};  // (B?, 1, h) for each position: hidden_t
  Tensor<T> output = {};               // (B?, L, h)  output
};

// weight_ih_l0 (h, D), weight_hh_l0 (h, h), bias_ih_l0 (h), bias_hh_l0 (h): uniform within 1 / sqrt(h), as
// torch.nn.RNN.
ParameterSpecs recurrent_parameters(std::size_t input_size, std::size_t hidden_size);

// h_t = tanh(x_t W_ih^T + b_ih + h_(t-1) W_hh^T + b_hh),   h_0 = 0
//
//   x   (B?, L, D)
//   ->  (B?, L, h)
//
// L sequential steps, and a path of L steps between the ends of the sequence; self-attention has one of each. Throws
// InputError when a parameter is missing or the shapes disagree.
template <typename T>
Recurrent<T> recurrent(const Tensor<T>& x, const StateDict<T>& parameters, const std::string& name = {});

}  // namespace attn
