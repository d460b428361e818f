// Hyperbolic tangent of every cell.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

// output = (e^x - e^-x) / (e^x + e^-x)
template <typename T>
Tensor<T> tanh(const Tensor<T>& x, std::string name = {});

}  // namespace attn
