// Gaussian error linear unit of every cell: "Gaussian Error Linear Units (GELUs)", section 2.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

struct GeluOptions {
  std::string variant = "erf";  // or "tanh", an approximation
};

// "erf":   output = x/2 (1 + erf(x / sqrt(2)))
// "tanh":  output = x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))
//
// Throws InputError for another variant.
template <typename T>
Tensor<T> gelu(const Tensor<T>& x, const GeluOptions& options = {}, std::string name = {});

}  // namespace attn
