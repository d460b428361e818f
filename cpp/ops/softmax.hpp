// Softmax along one axis, with the maximum subtracted first.
#pragma once

#include <span>

#include "tensor/graph.hpp"

namespace attn {

struct SoftmaxOptions {
  int axis = -1;               // counts from the end when negative
  bool empty_is_zero = false;  // an all -infinity slice (a query whose keys are all masked) gives zeros, not NaN
};

// output = exp(x - max(x)) / sum(exp(x - max(x))) along the axis
//
// A slice that contains NaN or +infinity gives NaN. Throws InputError when x has no such axis.
template <typename T>
Tensor<T> softmax(const Tensor<T>& x, const SoftmaxOptions& options = {}, std::string name = {});

// The same numbers without a graph: x becomes softmax(x).
void softmax(std::span<double> x);

}  // namespace attn
