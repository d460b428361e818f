// Compares the elementwise kernels with the C library's functions in double, for many sizes, unaligned starts and
// special numbers.
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <catch_amalgamated.hpp>

#include "kernels/elementwise.hpp"
#include "tensor/random.hpp"

namespace kernels = attn::kernels;
using kernels::Function;

namespace {

constexpr Function kFunctions[] = {Function::exp,         Function::log,  Function::sqrt,     Function::tanh,
                                   Function::log_sigmoid, Function::relu, Function::gelu_erf, Function::gelu_tanh};

// The value of a function and its derivative, and the errors that a direct computation in T may have, in units of
// epsilon.
struct Expected {
  double value = 0;
  double derivative = 0;
  double value_error = 0;
  double derivative_error = 0;
};

Expected expected(Function function, double x) {
  const double e = std::exp(-std::abs(x));
  switch (function) {
    case Function::exp:
      return {std::exp(x), std::exp(x), 0, 0};
    case Function::log:
      return {std::log(x), 1 / x, 0, 0};
    case Function::sqrt:
      return {std::sqrt(x), x == 0 ? 0 : 0.5 / std::sqrt(x), 0, 0};
    case Function::tanh:
      return {std::tanh(x), 1 - std::tanh(x) * std::tanh(x), 0, 1};
    case Function::log_sigmoid:
      return {(x < 0 ? x : 0) - std::log1p(e), (x < 0 ? 1 : e) / (1 + e), 0, 0};
    case Function::relu:
      return {x <= 0 ? 0 : x, x > 0 ? 1. : 0., 0, 0};
    case Function::gelu_erf: {
      const double gate = (1 + std::erf(x / std::numbers::sqrt2)) / 2;
      const double density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
      return {x * gate, gate + (density == 0 ? 0 : x * density), std::abs(x), 2};
    }
    case Function::gelu_tanh: {
      const double outer = std::sqrt(2 / std::numbers::pi);
      const double tanh = std::tanh(outer * (x + 0.044715 * x * x * x));
      const double tanh_derivative = 1 - tanh * tanh;
      const double tanh_term = tanh_derivative == 0 ? 0 : x * tanh_derivative * outer * (1 + 3 * 0.044715 * x * x) / 2;
      return {x * (1 + tanh) / 2, (1 + tanh) / 2 + tanh_term, std::abs(x), 4};
    }
  }
  return {};
}

template <typename T>
bool same(T a, T b) {
  return std::isnan(a) ? std::isnan(b) : a == b;
}

template <typename T>
void check(T actual, double exact, double error) {
  const T nearest = static_cast<T>(exact);
  if (same(actual, nearest)) return;
  using Limits = std::numeric_limits<T>;
  const double bound = 8 * (double(Limits::epsilon()) * (std::abs(exact) + error) + double(Limits::denorm_min()));
  if (!(std::abs(double(actual) - exact) <= bound)) FAIL_CHECK(actual << " is not " << exact);
}

template <typename T>
std::vector<T> special_and_random(std::size_t count) {
  using Limits = std::numeric_limits<T>;
  attn::RandomState random(3);
  std::vector<T> numbers = {Limits::infinity(),
                            -Limits::infinity(),
                            Limits::quiet_NaN(),
                            0,
                            -T(0),
                            Limits::denorm_min(),
                            -Limits::denorm_min(),
                            Limits::min() / 3,
                            Limits::max(),
                            Limits::lowest()};
  while (numbers.size() < count) numbers.push_back(static_cast<T>(3 * random.randn()));
  return numbers;
}

}  // namespace

TEMPLATE_TEST_CASE("Elementwise functions and their derivatives agree with the C library", "", float, double) {
  using T = TestType;
  const std::vector<T> x = special_and_random<T>(400);
  for (Function function : kFunctions) {
    for (T number : x) {
      // y may overflow as a float where it does not as a double; the derivative is computed from that y.
      const T y = kernels::value(function, number);
      const Expected exact = expected(function, number);
      INFO("function " << static_cast<int>(function) << " at " << number);
      if (std::isinf(number) && (function == Function::gelu_erf || function == Function::gelu_tanh)) {
        CHECK((number > 0 ? y == number : std::isnan(y)));
        continue;
      }
      check<T>(y, exact.value, exact.value_error);
      if (std::isinf(static_cast<T>(exact.derivative)) || std::abs(number) > std::sqrt(std::numeric_limits<T>::max()))
        continue;
      T derivative = 0;
      const T one = 1;
      kernels::apply_backward(function, &number, &y, &one, &derivative, 1);
      check<T>(derivative, exact.derivative, exact.derivative_error);
    }
  }
}

TEMPLATE_TEST_CASE("An elementwise function depends neither on the position nor on the count of the numbers", "", float,
                   double) {
  using T = TestType;
  constexpr std::size_t kMaxSize = 70;
  const std::vector<T> x = special_and_random<T>(kMaxSize + 4);
  const std::vector<T> upstream(x.rbegin(), x.rend());
  for (Function function : kFunctions) {
    for (std::size_t count = 0; count <= kMaxSize; ++count) {
      const std::size_t start = count % 4;
      std::vector<T> y(x.size(), T(7));
      kernels::apply(function, x.data() + start, y.data() + start, count);
      std::vector<T> gradient(x.size(), T(2));
      kernels::apply_backward(function, x.data() + start, y.data() + start, upstream.data() + start,
                              gradient.data() + start, count);
      bool is_equal = true;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const bool is_inside = i >= start && i < start + count;
        T expected = 2;
        const T value = is_inside ? kernels::value(function, x[i]) : T(7);
        if (is_inside) kernels::apply_backward(function, &x[i], &value, &upstream[i], &expected, 1);
        is_equal = is_equal && same(y[i], value) && same(gradient[i], expected);
      }
      INFO("function " << static_cast<int>(function) << ", " << count << " numbers");
      CHECK(is_equal);
    }
  }
}
