// Sine and cosine of every lane. x = n pi / 2 + r with |r| <= pi / 4, where pi / 2 is split in three parts, of which
// the products of n with the first two are exact. Sine and cosine of r are polynomials, and n mod 4 selects between
// them. Within 2 ulp (measured in tests/cpp/kernels/sin_cos_test.cpp).
#pragma once

#include <cmath>

#include "kernels/lanes.hpp"

namespace attn::kernels {

struct SinCos {
  Lanes<double> sin, cos;
};

inline SinCos sin_cos(const Lanes<double>& x) {
  constexpr double kLargest = 0x1p+20;  // n has at most 20 bits, the parts of pi / 2 have 33 bits
  if (!(std::abs(x[0]) < kLargest && std::abs(x[1]) < kLargest))
    return {Lanes<double>{std::sin(x[0]), std::sin(x[1])}, Lanes<double>{std::cos(x[0]), std::cos(x[1])}};

  constexpr double kRound = 0x1.8p+52;  // adding it leaves an integer in the lowest bits
  constexpr double kPerQuarter = 0x1.45f306dc9c883p-1;
  constexpr double kQuarter = 0x1.921fb544p+0, kQuarterRest = 0x1.0b4611a6p-34, kQuarterLast = 0x1.3198a2e037073p-69;
  const Lanes<double> rounded = x * splat(kPerQuarter) + splat(kRound);
  const Lanes<double> n = rounded - splat(kRound);
  const Lanes<double> most = x - n * splat(kQuarter);
  const Lanes<double> rest = n * splat(kQuarterRest);
  const Lanes<double> whole = most - rest;
  const Lanes<double> r = whole + (((most - whole) - rest) - n * splat(kQuarterLast));

  // Found by the Remez algorithm: the largest relative error of sin r and of cos r over |r| <= pi / 4 is below 2^-57.
  static constexpr double kSin[] = {-0x1.5555555555548p-3, 0x1.111111110f7cdp-7,   -0x1.a01a019bfd847p-13,
                                    0x1.71de356773b29p-19, -0x1.ae5e5a4440573p-26, 0x1.5d8fba99d8dc7p-33};
  static constexpr double kCos[] = {0x1.555555555554bp-5,   -0x1.6c16c16c14f8ep-10, 0x1.a01a019c83f07p-16,
                                    -0x1.27e4f7ea7e574p-22, 0x1.1ee9d783d484ap-29,  -0x1.8fa4800699addp-37};
  const Lanes<double> square = r * r;
  const Lanes<double> sine = r + r * square * polynomial<double>(square, kSin);
  const Lanes<double> cosine = splat(1.0) - (splat(0.5) * square - square * square * polynomial<double>(square, kCos));

  // Selected by n mod 4: sin x is sin r, cos r, -sin r or -cos r, and cos x is the next one in that cycle.
  const Lanes<std::uint64_t> quarter = bits(rounded);
  const Lanes<std::uint64_t> odd = Lanes<std::uint64_t>{} - (quarter & 1);
  const Lanes<std::uint64_t> of_sin = (bits(cosine) & odd) | (bits(sine) & ~odd);
  const Lanes<std::uint64_t> of_cos = (bits(sine) & odd) | (bits(cosine) & ~odd);
  return {from_bits(of_sin ^ ((quarter & 2) << 62)), from_bits(of_cos ^ (((quarter + 1) & 2) << 62))};
}

}  // namespace attn::kernels
