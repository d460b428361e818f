// Square root of every cell.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

// output = sqrt(x); NaN for negative numbers. The gradient at 0 is defined as 0
template <typename T>
Tensor<T> sqrt(const Tensor<T>& x, std::string name = {});

}  // namespace attn
