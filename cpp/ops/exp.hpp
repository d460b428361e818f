// Exponential of every cell.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

// output = e^x
template <typename T>
Tensor<T> exp(const Tensor<T>& x, std::string name = {});

}  // namespace attn
