// Gradients kept from exploding: "On the difficulty of training recurrent neural networks", section 3.2.
#pragma once

#include "tensor/parameters.hpp"

namespace attn {

// norm = sqrt of the sum of squares of all gradients; each is multiplied by max_norm / (norm + 1e-6) when that is below
// 1. Gives the norm before. As torch.nn.utils.clip_grad_norm_: a norm that is not finite makes every gradient NaN or 0.
// Throws InputError unless max_norm is above 0.
template <typename T>
double clip_grad_norm(Parameters<T>& parameters, double max_norm);

// The same of the leaves of a graph that hold parameters.
template <typename T>
double clip_grad_norm(Graph<T>& graph, double max_norm);

}  // namespace attn
