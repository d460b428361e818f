// Softmax along one axis, with the largest value subtracted first.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

struct SoftmaxOptions {
  int axis = -1;               // counts from the end when negative
  bool empty_is_zero = false;  // a slice that is all -infinity gives zeros (a query with every key masked), not NaN
};

// output = exp(x - max(x)) / sum(exp(x - max(x))) along the axis
//
// A slice holding NaN or +infinity gives NaN. Throws InputError when x has no such axis.
template <typename T>
Tensor<T> softmax(const Tensor<T>& x, const SoftmaxOptions& options = {}, std::string name = {});

}  // namespace attn
