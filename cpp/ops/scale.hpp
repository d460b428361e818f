// Multiplication or division of every cell by one number.
#pragma once

#include <optional>

#include "tensor/graph.hpp"

namespace attn {

// One of the two. A divisor really divides, so that x / sqrt(d) has the digits NumPy gives it.
struct ScaleOptions {
  std::optional<double> factor = std::nullopt;
  std::optional<double> divisor = std::nullopt;
};

// output = x factor, or x / divisor. Throws InputError unless exactly one is given, and for a divisor of 0.
template <typename T>
Tensor<T> scale(const Tensor<T>& x, const ScaleOptions& options, std::string name = {});

}  // namespace attn
