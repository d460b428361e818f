// Compares sin_cos with the standard library's sine and cosine in long double.
#include <cmath>
#include <limits>
#include <numbers>

#include <catch_amalgamated.hpp>

#include "kernels/sin_cos.hpp"
#include "tensor/random.hpp"

using attn::kernels::Lanes;

namespace {

// The distance of `actual` from `expected` in units in the last place of a double.
double ulps(double actual, long double expected) {
  const double nearest = std::abs(static_cast<double>(expected));
  const double unit = std::nextafter(nearest, std::numeric_limits<double>::infinity()) - nearest;
  return static_cast<double>(std::abs(static_cast<long double>(actual) - expected) / unit);
}

}  // namespace

TEST_CASE("Sine and cosine are within 2 ulp") {
  attn::RandomState random(11);
  double worst = 0;
  for (int i = 0; i < 300000; ++i) {
    // One number from the whole range, and one close to a zero of sine or cosine.
    const double wide_range = random.uniform(-1, 1) * std::ldexp(1.0, static_cast<int>(random.randint(-30, 20)));
    const double near_root = static_cast<double>(random.randint(-600000, 600000)) * (std::numbers::pi / 2) *
                             (1 + std::numeric_limits<double>::epsilon() * static_cast<double>(random.randint(-3, 4)));
    const auto [sin, cos] = attn::kernels::sin_cos(Lanes<double>{wide_range, near_root});
    for (int lane = 0; lane < 2; ++lane) {
      const long double x = lane == 0 ? wide_range : near_root;
      worst = std::max({worst, ulps(sin[lane], std::sin(x)), ulps(cos[lane], std::cos(x))});
    }
  }
  INFO("the worst is " << worst << " ulp");
  CHECK(worst <= 2);
  CHECK(worst > 0.5);  // fails if nothing was measured
}

TEST_CASE("Sine and cosine of zero, denormal, large, infinite and NaN arguments equal the standard library's") {
  for (const double x : {0.0, -0.0, 0x1p+20, 1e300, 5e-324, -1e-310}) {
    const auto [sin, cos] = attn::kernels::sin_cos(Lanes<double>{x, 1});
    CHECK(sin[0] == std::sin(x));
    CHECK(cos[0] == std::cos(x));
    CHECK(std::abs(sin[1] - std::sin(1.0)) <= 0x1p-53);
  }
  for (const double x : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    const auto [sin, cos] = attn::kernels::sin_cos(Lanes<double>{1, x});
    CHECK(std::isnan(sin[1]));
    CHECK(std::isnan(cos[1]));
    CHECK(std::abs(sin[0] - std::sin(1.0)) <= 0x1p-53);
  }
}
