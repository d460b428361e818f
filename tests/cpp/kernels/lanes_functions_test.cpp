// Compares the vector functions with the C library's functions in a wider type, over the whole range of arguments.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <catch_amalgamated.hpp>

#include "kernels/erf.hpp"
#include "kernels/exp.hpp"
#include "kernels/log.hpp"
#include "kernels/tanh.hpp"
#include "tensor/random.hpp"

namespace kernels = attn::kernels;

namespace {

template <typename T>
using Wider = std::conditional_t<std::is_same_v<T, float>, double, long double>;

// The distance of `actual` from `exact` in units in the last place of T; equal infinities and NaN have distance 0.
template <typename T>
double ulps(T actual, Wider<T> exact) {
  const T nearest = static_cast<T>(exact);
  if (std::isnan(nearest) || std::isnan(actual)) return std::isnan(nearest) == std::isnan(actual) ? 0 : HUGE_VAL;
  if (std::isinf(nearest) || std::isinf(actual)) return nearest == actual ? 0 : HUGE_VAL;
  int exponent = 0;
  std::frexp(exact, &exponent);
  using Limits = std::numeric_limits<T>;
  const int last = std::max(exponent, Limits::min_exponent) - Limits::digits;
  return static_cast<double>(std::abs(std::ldexp(static_cast<Wider<T>>(actual) - exact, -last)));
}

// Numbers from the whole range: for floats every 2003rd bit pattern, including infinities and NaN; for doubles random
// bit patterns, and random numbers from the ranges where the functions are mostly neither 0 nor infinite.
std::vector<float> samples(float) {
  std::vector<float> numbers;
  for (std::uint64_t bits = 0; bits < (std::uint64_t(1) << 32); bits += 2003)
    numbers.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  return numbers;
}

std::vector<double> samples(double) {
  std::vector<double> numbers;
  attn::RandomState random(7);
  for (int i = 0; i < 20000; ++i)
    numbers.push_back(std::bit_cast<double>((std::uint64_t(random.uint32()) << 32) | random.uint32()));
  for (int i = 0; i < 20000; ++i) {
    numbers.push_back(random.uniform(-760, 760));
    numbers.push_back(random.uniform(-1, 1));
    numbers.push_back(random.uniform(-8, 8));
  }
  return numbers;
}

template <typename T>
std::vector<T> edges() {
  using Limits = std::numeric_limits<T>;
  return {0,
          -T(0),
          Limits::infinity(),
          -Limits::infinity(),
          Limits::quiet_NaN(),
          Limits::denorm_min(),
          -Limits::denorm_min(),
          Limits::min(),
          -Limits::min(),
          Limits::max(),
          -Limits::max(),
          1,
          -1};
}

// The long double functions of musl compute in double, so as a reference for doubles they are off by half a unit
// themselves.
template <typename T>
constexpr double kReferenceError = std::is_same_v<T, double> && std::numeric_limits<long double>::digits > 64 ? 0.5 : 0;

struct Measure {
  double error = 0;        // the largest, in units in the last place
  std::uint64_t bits = 0;  // a hash of the bits of all results
};

// Measures the error of `function`, which takes lanes, relative to `exact`.
template <typename T, typename Function, typename Exact>
Measure measure(Function function, Exact exact) {
  std::vector<T> numbers = samples(T());
  for (T edge : edges<T>()) numbers.push_back(edge);
  while (numbers.size() % kernels::kLanes<T>) numbers.push_back(0);
  Measure measure;
  for (std::size_t i = 0; i < numbers.size(); i += kernels::kLanes<T>) {
    const kernels::Lanes<T> actual = function(kernels::load(numbers.data() + i));
    for (std::size_t lane = 0; lane < kernels::kLanes<T>; ++lane) {
      const T x = numbers[i + lane];
      const T y = actual[lane];
      const double error = ulps<T>(y, exact(static_cast<Wider<T>>(x)));
      if (error > 3) FAIL(error << " ulp at " << x << ": " << y);
      measure.error = std::max(measure.error, error);
      measure.bits = (measure.bits ^ (std::isnan(y) ? 1 : std::bit_cast<kernels::Word<T>>(y))) * 0x100000001b3;
    }
  }
  return measure;
}

}  // namespace

TEMPLATE_TEST_CASE("exp of lanes is within 1 ulp, and exact where it is 0, 1, infinite or NaN", "", float, double) {
  using T = TestType;
  const auto exact = [](Wider<T> x) { return std::exp(x); };
  const Measure measured = measure<T>([](const kernels::Lanes<T>& x) { return kernels::exp(x); }, exact);
  CHECK(measured.error <= 1 + kReferenceError<T>);
  if (std::is_same_v<T, double>) CHECK(measured.bits == 0x3e78bcea681936be);  // the same in every build and engine
  const auto at = [](T x) { return kernels::exp(kernels::splat(x))[0]; };
  CHECK(at(0) == T(1));
  CHECK(at(-T(0)) == T(1));
  CHECK(at(-std::numeric_limits<T>::infinity()) == T(0));
  CHECK(at(std::numeric_limits<T>::lowest()) == T(0));
  CHECK(at(std::numeric_limits<T>::max()) == std::numeric_limits<T>::infinity());
}

TEMPLATE_TEST_CASE("exp of numbers at most 0 gives the same bits as exp", "", float, double) {
  using T = TestType;
  for (T x : samples(T())) {
    if (x > 0) continue;
    const T actual = kernels::exp_of_negative<T>(kernels::splat(x))[0];
    const T expected = kernels::exp(kernels::splat(x))[0];
    if (std::isnan(x) ? !std::isnan(actual) : actual != expected) FAIL(x << ": " << actual << " and " << expected);
  }
  CHECK(kernels::exp_of_negative<T>(kernels::splat(-std::numeric_limits<T>::infinity()))[0] == T(0));
}

TEMPLATE_TEST_CASE("exp of scores is within 2 ulp, and 0 where it would be denormal", "", float, double) {
  using T = TestType;
  double error = 0;
  std::size_t denormal = 0;
  for (T x : samples(T())) {
    if (!(x <= 0)) continue;
    const T actual = kernels::exp_of_score<T>(kernels::splat(x))[0];
    const T exact = static_cast<T>(std::exp(static_cast<Wider<T>>(x)));
    if (exact >= std::numeric_limits<T>::min()) {
      error = std::max(error, ulps<T>(actual, std::exp(static_cast<Wider<T>>(x))));
    } else {
      ++denormal;
      if (actual > std::numeric_limits<T>::min() || actual < 0) FAIL(x << ": " << actual);
    }
  }
  INFO(error << " ulp");
  CHECK(error <= 2);
  CHECK(denormal > 0);
  CHECK(kernels::exp_of_score<T>(kernels::splat(T(0)))[0] == T(1));
  for (T x : {-std::numeric_limits<T>::infinity(), std::numeric_limits<T>::lowest(), T(-1e6)})
    CHECK(kernels::exp_of_score<T>(kernels::splat(x))[0] == T(0));
  CHECK(std::isnan(kernels::exp_of_score<T>(kernels::splat(std::numeric_limits<T>::quiet_NaN()))[0]));
}

TEMPLATE_TEST_CASE("exp of bounded numbers is within 2 ulp", "", float, double) {
  using T = TestType;
  double error = 0;
  for (T x : samples(T()))
    if (std::abs(x) <= 80)
      error = std::max(error,
                       ulps<T>(kernels::exp_of_bounded<T>(kernels::splat(x))[0], std::exp(static_cast<Wider<T>>(x))));
  INFO(error << " ulp");
  CHECK(error <= 2);
  CHECK(std::isnan(kernels::exp_of_bounded<T>(kernels::splat(std::numeric_limits<T>::quiet_NaN()))[0]));
}

TEMPLATE_TEST_CASE("log of lanes is within 1 ulp, -infinity at 0 and NaN for negative numbers", "", float, double) {
  using T = TestType;
  const auto exact = [](Wider<T> x) { return std::log(x); };
  const Measure measured = measure<T>([](const kernels::Lanes<T>& x) { return kernels::log(x); }, exact);
  CHECK(measured.error <= 1 + kReferenceError<T>);
  if (std::is_same_v<T, double>) CHECK(measured.bits == 0x7f873c9ede20558c);
}

TEMPLATE_TEST_CASE("log(1 + y) of lanes is within 2 ulp for y from 0 to 1", "", float, double) {
  using T = TestType;
  double error = 0;
  for (T y : samples(T()))
    if (y >= 0 && y <= 1)
      error = std::max(error, ulps<T>(kernels::log_of_one_and<T>(kernels::splat(y))[0], std::log1p(Wider<T>(y))));
  CHECK(error <= 2);
}

TEMPLATE_TEST_CASE("tanh of lanes is within 2 ulp", "", float, double) {
  using T = TestType;
  const auto exact = [](Wider<T> x) { return std::tanh(x); };
  const Measure measured = measure<T>([](const kernels::Lanes<T>& x) { return kernels::tanh(x); }, exact);
  CHECK(measured.error <= 2 + kReferenceError<T>);
  if (std::is_same_v<T, double>) CHECK(measured.bits == 0x41f7740496a25190);
}

TEMPLATE_TEST_CASE("erf of lanes is within 2 ulp", "", float, double) {
  using T = TestType;
  const auto exact = [](Wider<T> x) { return std::erf(x); };
  const Measure measured = measure<T>([](const kernels::Lanes<T>& x) { return kernels::erf(x); }, exact);
  CHECK(measured.error <= 2 + kReferenceError<T>);
  if (std::is_same_v<T, double>) CHECK(measured.bits == 0xfd4f2b94507f976);
}
