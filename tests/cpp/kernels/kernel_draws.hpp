// Random inputs for the tests of kernels: every ninth number is an infinity, a NaN, a denormal, -0 or the smallest
// normal number.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "tensor/random.hpp"

namespace kernel_draws {

inline constexpr std::size_t kMaxSize = 70;  // most tests use every size from 0 to this one

template <typename T>
std::vector<T> random_numbers(std::size_t count, unsigned seed) {
  using Limits = std::numeric_limits<T>;
  attn::RandomState random(seed);
  std::vector<T> numbers(count);
  for (T& number : numbers) number = static_cast<T>(random.randn());
  const T special[] = {Limits::infinity(),  Limits::denorm_min(), -T(0),
                       Limits::quiet_NaN(), -Limits::infinity(),  Limits::min()};
  for (std::size_t i = 3; i < count; i += 9) numbers[i] = special[i % std::size(special)];
  return numbers;
}

// Whether a and b are equal, where NaN equals NaN.
template <typename T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::isnan(a[i]) ? !std::isnan(b[i]) : a[i] != b[i]) return false;
  return a.size() == b.size();
}

}  // namespace kernel_draws
