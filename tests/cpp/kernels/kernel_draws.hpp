// Inputs for the tests of kernels: random numbers, every ninth of which is a special one.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "tensor/random.hpp"

namespace kernel_draws {

inline constexpr std::size_t kMost = 70;  // largest of the sizes that are all tested

template <typename T>
std::vector<T> drawn(std::size_t count, unsigned seed) {
  using Limits = std::numeric_limits<T>;
  attn::RandomState random(seed);
  std::vector<T> numbers(count);
  for (T& number : numbers) number = static_cast<T>(random.randn());
  const T odd[] = {Limits::infinity(),  Limits::denorm_min(), -T(0),
                   Limits::quiet_NaN(), -Limits::infinity(),  Limits::min()};
  for (std::size_t i = 3; i < count; i += 9) numbers[i] = odd[i % std::size(odd)];
  return numbers;
}

template <typename T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::isnan(a[i]) ? !std::isnan(b[i]) : a[i] != b[i]) return false;
  return a.size() == b.size();
}

}  // namespace kernel_draws
