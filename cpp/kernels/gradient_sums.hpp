// Accumulators of a gradient to which many terms are added. For floats they are doubles, because a running sum of
// floats would lose digits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "kernels/lanes.hpp"

namespace attn::kernels {

// Sums in double that start from a float gradient and are rounded back to it at the end. They take as much memory as
// floats_of_sums(n) floats.
template <typename Count>
constexpr Count floats_of_sums(Count n) {
  return (n + kLanes<float> - 1) / kLanes<float> * kLanes<float> * (sizeof(double) / sizeof(float));
}

inline void begin_sums(const float* gradient, std::size_t n, float* sums) {
  std::fill_n(sums, floats_of_sums(n), 0.0f);
  for (std::size_t i = 0; i < n; ++i) {
    const double sum = gradient[i];
    std::memcpy(sums + 2 * i, &sum, sizeof(sum));
  }
}

inline void end_sums(const float* sums, std::size_t n, float* gradient) {
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    std::memcpy(&sum, sums + 2 * i, sizeof(sum));
    gradient[i] = static_cast<float>(sum);
  }
}

// Adds to sum i. For doubles the sums are the gradient itself.
inline void add_to_sum(float* sums, std::size_t i, double more) {
  double sum = 0;
  std::memcpy(&sum, sums + 2 * i, sizeof(sum));
  sum += more;
  std::memcpy(sums + 2 * i, &sum, sizeof(sum));
}

inline void add_to_sum(double* sums, std::size_t i, double more) { sums[i] += more; }

}  // namespace attn::kernels
