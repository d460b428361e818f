// Square root of every cell.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

// output = sqrt(x); NaN below 0. The gradient at 0 is taken as 0
template <typename T>
Tensor<T> sqrt(const Tensor<T>& x, std::string name = {});

}  // namespace attn
