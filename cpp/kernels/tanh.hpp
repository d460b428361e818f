// The hyperbolic tangent of every lane: x + x z P(z) with z = x^2 near 0, else 1 - 2 e^-2|x| / (1 + e^-2|x|) with the
// sign of x. Within 2 ulp in float and double (measured in tests/cpp/kernels/lanes_functions_test.cpp).
#pragma once

#include "kernels/exp.hpp"

namespace attn::kernels {

template <typename T>
struct TanhConstants;

// Coefficients of P, found by the Remez algorithm on (tanh(x) / x - 1) / z over |x| <= kNear, minimising the largest
// error of tanh(x) in ulp, then rounded.
template <>
struct TanhConstants<float> {
  static constexpr float kNear = 0.625f;
  // at most 0.07 ulp
  static constexpr float kCoefficients[] = {-0x1.555534p-2f, 0x1.11075ep-3f, -0x1.b842c4p-5f, 0x1.524c3ep-6f,
                                            -0x1.7679fap-8f};
};

template <>
struct TanhConstants<double> {
  static constexpr double kNear = 0.625;
  // at most 0.13 ulp
  static constexpr double kCoefficients[] = {-0x1.5555555555503p-2,  0x1.111111110b0bep-3,  -0x1.ba1ba1b530c75p-5,
                                             0x1.664f4781ef668p-6,   -0x1.226e16d971b5ep-7, 0x1.d6cf3c966cec9p-9,
                                             -0x1.7d6969edb710ap-10, 0x1.336ae2f575f78p-11, -0x1.df7a73412bf29p-13,
                                             0x1.43e146d945c12p-14,  -0x1.0e3d088dd7507p-16};
};

template <typename T>
Lanes<T> tanh_of(const Lanes<T>& x) {
  using C = TanhConstants<T>;
  const Lanes<T> z = x * x;
  const Lanes<T> near = multiply_add(x * z, polynomial<T>(z, C::kCoefficients), x);
  const Lanes<T> size = absolute(x);
  const Lanes<T> power = exp_of_negative<T>(size * splat(T(-2)));
  const Lanes<T> one = splat(T(1));
  const Lanes<T> far = one - (power + power) / (one + power);
  return size < splat(C::kNear) ? near : with_sign(far, x);
}

inline Lanes<float> tanh(const Lanes<float>& x) { return tanh_of<float>(x); }
inline Lanes<double> tanh(const Lanes<double>& x) { return tanh_of<double>(x); }

}  // namespace attn::kernels
