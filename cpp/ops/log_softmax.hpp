// Logarithm of the softmax along one axis, without computing the softmax.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

// output = (x - max(x)) - log(sum(exp(x - max(x)))) along the axis. Throws InputError when x has no such axis.
template <typename T>
Tensor<T> log_softmax(const Tensor<T>& x, int axis = -1, std::string name = {});

}  // namespace attn
