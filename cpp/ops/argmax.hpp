// Where the largest number of a slice stands, as torch.argmax.
#pragma once

#include <optional>

#include "tensor/graph.hpp"

namespace attn {

struct ArgmaxOptions {
  std::optional<int> axis = std::nullopt;  // absent: over all cells, in row-major order
  bool keepdim = false;                    // the axis stays, with size 1; without one all do
};

// output[...] = the first k for which x[..., k, ...] is the largest; NaN counts as larger than any number
//
//   x   (..., K, ...)
//   ->  (..., ...), ids
//
// Nothing has a gradient through it. Throws InputError when x has no such axis, nothing along it, or more than a number of the
// graph's precision can count.
// Source: https://pytorch.org/docs/stable/generated/torch.argmax.html; of equal ones the first, as numpy.argmax.
template <typename T>
Tensor<T> argmax(const Tensor<T>& x, const ArgmaxOptions& options = {}, std::string name = {});

}  // namespace attn
