// Natural logarithm of every cell.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

// output = ln x; -infinity for 0, NaN for negative numbers
template <typename T>
Tensor<T> log(const Tensor<T>& x, std::string name = {});

}  // namespace attn
