// Rotary position embedding: "RoFormer", section 3.2.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

struct RotaryOptions {
  double base = 10000;
  std::string layout = "interleaved";  // pairs (x[2i], x[2i + 1]); "half" pairs (x[i], x[i + d/2])
};

// Each pair (a, b) of row l becomes (a cos t - b sin t, a sin t + b cos t), t = positions[l] base^(-2i / d)
//
//   x          (..., L, d)     d even
//   positions  (L)
//   ->         (..., L, d)
//
// Angles are computed in double. Throws InputError when the shapes disagree, d is odd, base is not positive, or the
// layout is neither of the two.
template <typename T>
Tensor<T> rotary(const Tensor<T>& x, const Tensor<T>& positions, const RotaryOptions& options = {},
                 std::string name = {});

}  // namespace attn
