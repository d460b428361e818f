// Gradient clipping: "On the difficulty of training recurrent neural networks", section 3.2.
#pragma once

#include "tensor/parameters.hpp"

namespace attn {

// Added to the norm by which clip_grad_norm divides.
inline constexpr double kClipEpsilon = 1e-6;

// norm = the square root of the sum of squares of all gradients. Each gradient is multiplied by max_norm / (norm +
// kClipEpsilon) when that factor is below 1. Returns the norm before clipping. As in torch.nn.utils.clip_grad_norm_, a norm
// that is not finite makes every gradient NaN or 0. Throws InputError unless max_norm is above 0.
template <typename T>
double clip_grad_norm(Parameters<T>& parameters, double max_norm);

// The same for the leaves of a graph that hold parameters.
template <typename T>
double clip_grad_norm(Graph<T>& graph, double max_norm);

}  // namespace attn
