// The position-wise feed-forward network: "Attention Is All You Need", section 3.3.
#pragma once

#include <string>
#include <string_view>

#include "nn/dropout.hpp"
#include "tensor/state_dict.hpp"

namespace attn {

// The function between the two linear layers: ReLU, or GELU with erf or with the tanh approximation.
enum class Activation { relu, gelu_erf, gelu_tanh };

// "relu", "gelu_erf" or "gelu_tanh"; "gelu" means gelu_erf, as in PyTorch. Throws InputError for another word.
Activation activation_named(std::string_view name);

// Applies the activation to every cell.
template <typename T>
Tensor<T> activate(const Tensor<T>& x, Activation activation, std::string name = {});

struct FeedForwardOptions {
  Activation activation = Activation::relu;
  Dropout dropout = {};   // of the hidden layer
  std::string name = {};  // prefix of the names of the steps
};

// The nodes of one feed-forward network.
template <typename T>
struct FeedForward {
  Tensor<T> linear1;  // (..., d_ff)  x W1^T + b1
  Tensor<T> hidden;   // (..., d_ff)  activation(linear1)
  Tensor<T> output;   // (..., D)     hidden W2^T + b2, called linear2
};

// linear1.weight (d_ff, D), linear1.bias, linear2.weight (D, d_ff), linear2.bias
ParameterSpecs feed_forward_parameters(std::size_t d_model, std::size_t d_ff);

// FFN(x) = activation(x W1^T + b1) W2^T + b2, the same for every position: two convolutions with a kernel of 1
//
//   x  (..., D)
//   -> (..., D)
//
// The paper writes x W1 + b1, where W1 is the transpose of the matrix that PyTorch stores. Throws InputError when a
// parameter is missing or the shapes disagree.
template <typename T>
FeedForward<T> feed_forward(const Tensor<T>& x, const StateDict<T>& parameters, const FeedForwardOptions& options = {});

}  // namespace attn
