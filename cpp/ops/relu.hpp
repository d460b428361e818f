// Rectified linear unit of every cell: "Attention Is All You Need", section 3.3.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

// output = max(x, 0), NaN for NaN. The gradient at 0 is 0
template <typename T>
Tensor<T> relu(const Tensor<T>& x, std::string name = {});

}  // namespace attn
