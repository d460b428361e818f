// Dropout while training: "Attention Is All You Need", section 5.4.
#pragma once

#include <cstdint>

#include "tensor/graph.hpp"

namespace attn {

// Shared by all places of a model. Each place draws its own uniform numbers, NumPy's after seeding with
// crc32(name of the place) XOR seed, into a leaf called "<name>.u".
struct Dropout {
  double p = 0;  // 0: no dropout, no node; evaluation
  std::uint32_t seed = 0;
};

// output = x / (1 - p) where u > p, else 0; x itself when p is 0
//
//   x  (...)
//   -> (...)
//
// `place` names the draw; the node is called `name`. Throws InputError when p lies outside [0, 1): document 004 divides by
// zero for p = 1.
template <typename T>
Tensor<T> dropout(const Tensor<T>& x, const Dropout& settings, const std::string& place, std::string name = {});

}  // namespace attn
