// The position of the largest number of a slice, as torch.argmax.
#pragma once

#include <optional>

#include "tensor/graph.hpp"

namespace attn {

struct ArgmaxOptions {
  std::optional<int> axis = std::nullopt;  // absent: over all cells, in row-major order
  bool keepdim = false;                    // the axis stays with size 1; without an axis all axes do
};

// output[...] = the smallest k for which x[..., k, ...] is the largest; NaN counts as larger than any number
//
//   x   (..., K, ...)
//   ->  (..., ...), ids
//
// The output has no gradient. Throws InputError when x has no such axis, no cell along it, or more cells than the
// graph's precision can count. Source: https://pytorch.org/docs/stable/generated/torch.argmax.html; among equal
// numbers the first, as numpy.argmax.
template <typename T>
Tensor<T> argmax(const Tensor<T>& x, const ArgmaxOptions& options = {}, std::string name = {});

}  // namespace attn
