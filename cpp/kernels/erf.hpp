// The error function of every lane: x + x P(x^2) near 0, else 1 - e^Q(|x|) with the sign of x, where Q approximates
// log(1 - erf). Within 2 ulp in float and double (measured in tests/cpp/kernels/lanes_functions_test.cpp).
#pragma once

#include "kernels/exp.hpp"

namespace attn::kernels {

template <typename T>
struct ErfConstants;

// Coefficients of P for |x| <= 0.95, and of Q in |x| - kCentre for 0.9 <= |x| <= kLargest. Found by the Remez
// algorithm, minimising the largest error of erf(x) in ulp, then rounded. From kLargest on erf(x) is 1.
template <>
struct ErfConstants<float> {
  static constexpr float kNear = 0.925f, kLargest = 4, kCentre = 0;
  // at most 0.016 ulp
  static constexpr float kNearCoefficients[] = {0x1.06eba8p-3f, -0x1.812740p-2f,  0x1.ce2d64p-4f, -0x1.b80124p-6f,
                                                0x1.544b08p-8f, -0x1.a61812p-11f, 0x1.4fa936p-14f};
  // at most 0.085 ulp
  static constexpr float kFarCoefficients[] = {-0x1.74331ep-13f, -0x1.20b434p+0f, -0x1.462cacp-1f, -0x1.aa2342p-4f,
                                               0x1.6cfd4cp-6f,   -0x1.908232p-9f, 0x1.9d871ep-13f};
};

template <>
struct ErfConstants<double> {
  static constexpr double kNear = 0.925, kLargest = 6, kCentre = 1;
  // at most 0.34 ulp
  static constexpr double kNearCoefficients[] = {
      0x1.06eba8214db68p-3,  -0x1.812746b0379d9p-2,  0x1.ce2f21a042075p-4,  -0x1.b82ce3124e3cap-6,
      0x1.565bcd04b9704p-8,  -0x1.c02db219b2168p-11, 0x1.f9a2ea4cc28dcp-14, -0x1.f4cd5c66979a4p-17,
      0x1.b9a013a52ae67p-20, -0x1.5cda110eda1c0p-23, 0x1.dd30a3f3cd4fcp-27, -0x1.bf116fe1f7ce2p-31};
  // at most 0.033 ulp
  static constexpr double kFarCoefficients[] = {
      -0x1.d97fbf27aa2a1p+0,  -0x1.51c9b0006c23cp+1,  -0x1.afabc11a28fb3p-1,  -0x1.5477f09cad6d8p-5,
      0x1.48c9d40d80dbbp-7,   -0x1.033f699f38650p-9,  0x1.f1b4ab01bca42p-13,  0x1.b8c2b2c17f7f1p-16,
      -0x1.c76b2c4b8318fp-16, 0x1.41aff4cc02fcdp-17,  -0x1.111ac4730784ep-19, 0x1.056b6bcb8b5b3p-23,
      0x1.dc00bff434d1ep-24,  -0x1.f3e1acc2f1c9ep-25, 0x1.23c859e559cbcp-26,  -0x1.cd339ba7f9143p-29,
      0x1.ea5da4445a702p-32,  -0x1.3e06a3c86e7b6p-35, 0x1.7c71bed1f3f29p-40};
};

template <typename T>
Lanes<T> erf_of(const Lanes<T>& x) {
  using C = ErfConstants<T>;
  const Lanes<T> near = multiply_add(x, polynomial<T>(x * x, C::kNearCoefficients), x);
  const Lanes<T> size = at_most(absolute(x), C::kLargest);
  const Lanes<T> power = exp_of_negative<T>(polynomial<T>(size - splat(C::kCentre), C::kFarCoefficients));
  return size < splat(C::kNear) ? near : with_sign(splat(T(1)) - power, x);
}

inline Lanes<float> erf(const Lanes<float>& x) { return erf_of<float>(x); }
inline Lanes<double> erf(const Lanes<double>& x) { return erf_of<double>(x); }

}  // namespace attn::kernels
