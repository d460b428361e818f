// Logarithm of the logistic function of every cell.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

// output = -ln(1 + e^-x), without overflow for large |x|
template <typename T>
Tensor<T> log_sigmoid(const Tensor<T>& x, std::string name = {});

}  // namespace attn
