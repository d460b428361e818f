// e to the power of every lane, by Cody and Waite's range reduction: x = n log(2) + r with |r| <= log(2) / 2, e^x =
// 2^n e^r, and e^r a polynomial. Within 1 ulp in float and double, including denormal results, except for the last
// two functions (measured in tests/cpp/kernels/lanes_functions_test.cpp).
#pragma once

#include "kernels/lanes.hpp"

namespace attn::kernels {

template <typename T>
struct ExpConstants;

// Coefficients of r^2, r^3, ..., found by the Remez algorithm on (e^r - 1 - r) over |r| <= log(2) / 2, minimising the
// largest error of e^r in ulp, then rounded. log(2) is split in two parts; the first is short enough for its product
// with n to be exact.
template <>
struct ExpConstants<float> {
  static constexpr float kLowest = -104,
                         kHighest = 89;  // e^x is 0 at and below the first, infinity at and above the second
  static constexpr float kLowestNormal = -0x1.5d589e00p+6f;  // e^x is denormal below
  static constexpr float kPerLog2 = 0x1.715476p+0f;
  static constexpr float kLog2 = 0x1.62e4p-1f, kLog2Rest = 0x1.7f7d1cp-20f;
  static constexpr float kRound = 0x1.8p+23f;  // adding it leaves an integer in the lowest bits
  static constexpr int kFraction = 23, kBias = 127;
  static constexpr float kSmallest =
      0x1p-24f;  // 2^n of every result other than 0 is at least this times the smallest normal number
  // at most 0.054 ulp
  static constexpr float kCoefficients[] = {0x1.fffffap-2f, 0x1.55549p-3f, 0x1.555a68p-5f, 0x1.123b08p-7f,
                                            0x1.693f2p-10f};
};

template <>
struct ExpConstants<double> {
  static constexpr double kLowest = -746, kHighest = 710;
  static constexpr double kLowestNormal = -0x1.6232bdd7abcd2p+9;
  static constexpr double kPerLog2 = 0x1.71547652b82fep+0;
  static constexpr double kLog2 = 0x1.62e42fefa4p-1, kLog2Rest = -0x1.8432a1b0e2634p-43;
  static constexpr double kRound = 0x1.8p+52;
  static constexpr int kFraction = 52, kBias = 1023;
  static constexpr double kSmallest = 0x1p-54;
  // at most 0.058 ulp
  static constexpr double kCoefficients[] = {0x1.0000000000007p-1,  0x1.555555555556cp-3,  0x1.5555555551b56p-5,
                                             0x1.11111111159d2p-7,  0x1.6c16c1800ca1ap-10, 0x1.a01a016f06288p-13,
                                             0x1.a019a4acbc491p-16, 0x1.71deb2d1512f1p-19, 0x1.28a43285982bep-22,
                                             0x1.ae0da82f8e5f2p-26};
};

// e^x = power 2^n. The integer n is in the lowest bits of `n`, where the addition of kRound left it.
template <typename T>
struct ExpParts {
  Lanes<T> power;
  Lanes<Word<T>> n;
};

template <typename T>
ExpParts<T> exp_parts(const Lanes<T>& x) {
  using C = ExpConstants<T>;
  const Lanes<T> rounded = multiply_add(x, splat(C::kPerLog2), splat(C::kRound));
  const Lanes<T> n = rounded - splat(C::kRound);
  Lanes<T> r = multiply_add(n, splat(-C::kLog2), x);
  r = multiply_add(n, splat(-C::kLog2Rest), r);
  const Lanes<T> tail = polynomial<T>(r, C::kCoefficients);
  return {multiply_add(r * r, tail, r) + splat(T(1)), bits(rounded)};
}

// 2^n
template <typename T>
Lanes<T> power_of_two(const Lanes<Word<T>>& n) {
  using C = ExpConstants<T>;
  return from_bits((n << C::kFraction) + (Word<T>(C::kBias) << C::kFraction));
}

// The lanes, with 0 in those that are `dropped`.
template <typename T, typename Mask>
Lanes<T> without(const Lanes<T>& x, const Mask& dropped) {
  return from_bits(bits(x) & ~(Lanes<Word<T>>)dropped);
}

template <typename T>
Lanes<T> exp_of(const Lanes<T>& x) {
  using C = ExpConstants<T>;
  // Where e^x is 0, no intermediate result is denormal: processors take about a hundred times as long for those.
  const auto vanishes = x < splat(C::kLowest);
  const ExpParts<T> parts = exp_parts<T>(without<T>(at_most(x, C::kHighest), vanishes));
  const Lanes<Word<T>> half = parts.n >> 1;  // 2^n alone may overflow or underflow the normal numbers
  return without<T>(parts.power * power_of_two<T>(half) * power_of_two<T>(parts.n - half), vanishes);
}

// exp for x <= 0, as softmax needs it: the same results in fewer instructions.
template <typename T>
Lanes<T> exp_of_negative(const Lanes<T>& x) {
  using C = ExpConstants<T>;
  const auto vanishes = x < splat(C::kLowest);
  const ExpParts<T> parts = exp_parts<T>(without<T>(x, vanishes));
  constexpr Word<T> kLift = C::kFraction + (sizeof(T) == 4 ? 1 : 2);
  return without<T>(parts.power * splat(C::kSmallest) * power_of_two<T>(parts.n + kLift), vanishes);
}

// exp for x whose result is a normal number, in the fewest instructions: within 2 ulp.
template <typename T>
Lanes<T> exp_of_bounded(const Lanes<T>& x) {
  using C = ExpConstants<T>;
  constexpr T kRound = C::kRound + T(C::kBias);  // leaves n in the form of the exponent of 2^n
  const Lanes<T> rounded = multiply_add(x, splat(C::kPerLog2), splat(kRound));
  const Lanes<T> n = rounded - splat(kRound);
  Lanes<T> r = multiply_add(n, splat(-C::kLog2), x);
  r = multiply_add(n, splat(-C::kLog2Rest), r);
  const Lanes<T> slope = multiply_add(r, polynomial<T>(r, C::kCoefficients), splat(T(1)));
  return multiply_add(r, slope, splat(T(1))) * from_bits(bits(rounded) << C::kFraction);
}

// exp for x <= 0, with 0 for denormal results: the numerators of softmax, the largest of which is 1.
template <typename T>
Lanes<T> exp_of_score(const Lanes<T>& x) {
  return without<T>(exp_of_bounded<T>(x), x < splat(ExpConstants<T>::kLowestNormal));
}

inline Lanes<float> exp(const Lanes<float>& x) { return exp_of<float>(x); }
inline Lanes<double> exp(const Lanes<double>& x) { return exp_of<double>(x); }

}  // namespace attn::kernels
