// Multiplication or division of every cell by one number.
#pragma once

#include <optional>

#include "tensor/graph.hpp"

namespace attn {

// Exactly one of the three is given. A divisor divides, so that x / sqrt(d) has the same digits as in NumPy.
struct ScaleOptions {
  std::optional<double> factor = std::nullopt;
  std::optional<double> divisor = std::nullopt;
  std::optional<double> sqrt_divisor = std::nullopt;  // the divisor is its square root
};

// output = x factor, x / divisor, or x / sqrt(sqrt_divisor).
// Throws InputError unless exactly one is given, for a divisor of 0, and for a sqrt_divisor that is not positive.
template <typename T>
Tensor<T> scale(const Tensor<T>& x, const ScaleOptions& options, std::string name = {});

}  // namespace attn
