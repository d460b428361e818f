// One-hot encoding of ids.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

// output[..., k] = 1 where k = ids[...], else 0
//
//   ids  (...)     whole numbers from 0 to num_classes - 1
//   ->   (..., num_classes)
//
// Throws InputError for an id that is no class, or when num_classes is 0.
template <typename T>
Tensor<T> one_hot(const Tensor<T>& ids, std::size_t num_classes, std::string name = {});

}  // namespace attn
