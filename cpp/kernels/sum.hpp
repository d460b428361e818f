// Sums of vectors of lanes, accumulated in double however many there are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "kernels/lanes.hpp"

namespace attn::kernels {

// term(0) + term(kLanes) + ...: one vector of lanes for every kLanes of `count` numbers, in that order. Floats are
// added as floats in blocks of 16 vectors, and the block sums are added in double: within 2^-20 of the sum for
// numbers of one sign, in nearly the time of adding floats. Doubles are added one vector after another.
template <typename T, typename Term>
double sum_of(std::size_t count, Term term) {
  Lanes<double> sums = splat(0.0);
  if constexpr (std::is_same_v<T, float>) {
    constexpr std::size_t kBlock = 16 * kLanes<float>;
    for (std::size_t start = 0; start < count; start += kBlock) {
      Lanes<float> block = splat(0.0f);
      const std::size_t end = std::min(count, start + kBlock);
      for (std::size_t i = start; i < end; i += kLanes<float>) block += term(i);
      sums += low_half(block) + high_half(block);
    }
  } else {
    for (std::size_t i = 0; i < count; i += kLanes<double>) sums += term(i);
  }
  return total(sums);
}

}  // namespace attn::kernels
