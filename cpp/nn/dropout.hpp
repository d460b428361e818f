// Dropout in training: "Attention Is All You Need", section 5.4.
#pragma once

#include <cstdint>
#include <string>

#include "tensor/graph.hpp"

namespace attn {

// The probability p of dropping a number, and the seed of the draw.
struct Dropout {
  double p = 0;  // 0 means evaluation: no dropout and no node
  std::uint32_t seed = 0;

  // The same p with the seed crc32(name) XOR seed, so that each dropout of a model draws different numbers.
  Dropout at(const std::string& name) const;
};

// output = x / (1 - p) where u > p, else 0; x itself when p is 0
//
//   x  (...)
//   -> (...)
//
// u is drawn as numpy.random.uniform(size = shape) after seeding with settings.seed, into a leaf called `name`.u;
// Graph::redraw_dropout draws it anew.
// Throws InputError when p lies outside [0, 1): for p = 1 the factor would be 1 / 0.
template <typename T>
Tensor<T> dropout(const Tensor<T>& x, const Dropout& settings, std::string name = {});

}  // namespace attn
