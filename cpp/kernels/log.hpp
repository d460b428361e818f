// The natural logarithm of every lane: x = 2^k m with m from sqrt(1/2) to sqrt(2), f = m - 1, s = f / (2 + f), and
// log(m) = 2 atanh(s) = f - f^2/2 + s (f^2/2 + z R(z)), where z = s^2 and R is a polynomial. Within 1 ulp in float
// and double (measured in tests/cpp/kernels/lanes_functions_test.cpp).
#pragma once

#include <bit>
#include <limits>

#include "kernels/lanes.hpp"

namespace attn::kernels {

template <typename T>
struct LogConstants;

// Coefficients of R, found by the Remez algorithm on (2 atanh(s) / s - 2) / z over |s| <= (sqrt(2) - 1) / (sqrt(2) +
// 1), minimising the largest error of log(m) in ulp, then rounded.
template <>
struct LogConstants<float> {
  static constexpr float kLog2 = 0x1.62e4p-1f,
                         kLog2Rest = 0x1.7f7d1cp-20f;  // the product of k and the first part is exact
  static constexpr int kFraction = 23, kBias = 127;
  static constexpr float kWhole = 0x1p+23f;  // with an integer in its lowest bits it equals 2^23 plus that integer
  static constexpr float kLift = 0x1p+23f;   // scales a denormal to a normal number
  static constexpr float kRootHalf = 0x1.6a09e6p-1f;
  // at most 0.014 ulp
  static constexpr float kCoefficients[] = {0x1.55557ap-1f, 0x1.995eccp-2f, 0x1.31e23ep-2f};
};

template <>
struct LogConstants<double> {
  static constexpr double kLog2 = 0x1.62e42fefa4p-1, kLog2Rest = -0x1.8432a1b0e2634p-43;
  static constexpr int kFraction = 52, kBias = 1023;
  static constexpr double kWhole = 0x1p+52;
  static constexpr double kLift = 0x1p+52;
  static constexpr double kRootHalf = 0x1.6a09e667f3bcdp-1;
  // at most 0.012 ulp
  static constexpr double kCoefficients[] = {0x1.5555555555593p-1, 0x1.999999997fa61p-2, 0x1.249249421e0c9p-2,
                                             0x1.c71c51e63f0f5p-3, 0x1.746645f9f9f97p-3, 0x1.39a104b3385eap-3,
                                             0x1.2f0ca162bc33ep-3};
};

template <typename T>
Lanes<T> log_of(const Lanes<T>& x) {
  using C = LogConstants<T>;
  using Limits = std::numeric_limits<T>;
  constexpr Word<T> kOne = Word<T>(C::kBias) << C::kFraction;
  constexpr Word<T> kRootHalf = std::bit_cast<Word<T>>(C::kRootHalf);
  const auto denormal = x < splat(Limits::min());
  // Relative to sqrt(1/2), the exponent field is k.
  const Lanes<Word<T>> shifted_bits = bits(denormal ? x * splat(C::kLift) : x) + (kOne - kRootHalf);
  const Lanes<Word<T>> exponent = shifted_bits >> C::kFraction;
  const T from = C::kWhole + T(C::kBias);
  const Lanes<T> k = from_bits(exponent | std::bit_cast<Word<T>>(C::kWhole)) -
                     (denormal ? splat(from + T(C::kFraction)) : splat(from));
  const Lanes<T> f = from_bits((shifted_bits & ((Word<T>(1) << C::kFraction) - 1)) + kRootHalf) - splat(T(1));
  const Lanes<T> s = f / (f + splat(T(2)));
  const Lanes<T> z = s * s;
  const Lanes<T> half_square = splat(T(0.5)) * f * f;
  const Lanes<T> polynomial_term = z * polynomial<T>(z, C::kCoefficients);
  const Lanes<T> low = multiply_add(k, splat(C::kLog2Rest), s * (half_square + polynomial_term));
  const Lanes<T> y = multiply_add(k, splat(C::kLog2), f - (half_square - low));
  // Infinity and NaN are returned unchanged; 0 gives -infinity and a negative number NaN.
  const Lanes<T> special = x == splat(T(0)) ? splat(-Limits::infinity()) : splat(Limits::quiet_NaN());
  return x > splat(T(0)) ? (x < splat(Limits::infinity()) ? y : x) : special;
}

inline Lanes<float> log(const Lanes<float>& x) { return log_of<float>(x); }
inline Lanes<double> log(const Lanes<double>& x) { return log_of<double>(x); }

// log(1 + y) for y from 0 to 1; the rounding error of 1 + y is added back.
template <typename T>
Lanes<T> log_of_one_and(const Lanes<T>& y) {
  const Lanes<T> sum = y + splat(T(1));
  return log_of<T>(sum) + (y - (sum - splat(T(1)))) / sum;
}

}  // namespace attn::kernels
