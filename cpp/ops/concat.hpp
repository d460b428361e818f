// Concatenation of tensors along one axis.
#pragma once

#include <vector>

#include "tensor/graph.hpp"

namespace attn {

// Throws InputError when there are no parts, or when their shapes differ in anything but the size of `axis`.
template <typename T>
Tensor<T> concat(const std::vector<Tensor<T>>& parts, int axis, std::string name = {});

}  // namespace attn
