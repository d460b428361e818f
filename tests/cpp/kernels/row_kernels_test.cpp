// Kernels over rows against the formulas in long double: odd sizes, unaligned starts, strides, special numbers.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <catch_amalgamated.hpp>

#include "kernels/gradient_sums.hpp"
#include "kernels/layer_norm.hpp"
#include "kernels/softmax.hpp"
#include "tensor/random.hpp"

namespace kernels = attn::kernels;

namespace {

using Real = long double;
using Reals = std::vector<Real>;
constexpr std::size_t kMost = 70;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();

// Numbers inside a larger array, from cell `start` on, `step` apart; the cells between and around them must not
// change.
template <typename T>
struct Cells {
  Cells(const std::vector<T>& numbers, std::size_t start, std::size_t step)
      : all(start + numbers.size() * step + 3, T(1234)), start(start), step(step) {
    for (std::size_t i = 0; i < numbers.size(); ++i) all[start + i * step] = numbers[i];
  }
  T* data() { return all.data() + start; }

  std::vector<T> all;
  std::size_t start, step;
};

template <typename T>
void check(const std::string& what, const Cells<T>& got, const Reals& exact, Real room, Real relative = 8) {
  std::size_t next = 0;
  for (std::size_t at = 0; at < got.all.size(); ++at) {
    const bool inside = at >= got.start && (at - got.start) % got.step == 0 && next < exact.size();
    const Real expected = inside ? exact[next++] : 1234;
    const T number = got.all[at];
    if (std::isnan(expected) ? std::isnan(number) : Real(number) == expected) continue;
    const Real bound = inside ? Real(std::numeric_limits<T>::epsilon()) * (room + relative * std::abs(expected)) : 0;
    if (!(std::abs(Real(number) - expected) <= bound))
      FAIL_CHECK(what << ", cell " << at << ": " << number << ", expected " << double(expected));
  }
}

template <typename T>
Reals wide(const std::vector<T>& x) {
  return {x.begin(), x.end()};
}

Real sum(const Reals& x) {
  Real sum = 0;
  for (Real number : x) sum += number;
  return sum;
}

Reals each(std::size_t count, const std::function<Real(std::size_t)>& number) {
  Reals numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = number(i);
  return numbers;
}

template <typename T>
std::vector<T> drawn(std::size_t count, unsigned seed) {
  attn::RandomState random(seed);
  std::vector<T> numbers(count);
  for (T& number : numbers) number = static_cast<T>(random.randn());
  return numbers;
}

// Rows of every size up to kMost and of a few larger ones; every third contains special numbers.
template <typename T>
std::vector<std::vector<T>> rows() {
  attn::RandomState random(11);
  using Limits = std::numeric_limits<T>;
  const T odd[] = {T(-kInfinity), Limits::denorm_min(), T(kNan), T(kInfinity), -T(0), Limits::min() / 2};
  std::vector<std::vector<T>> rows;
  for (std::size_t size = 0; size <= kMost; ++size) {
    std::vector<T> row(size);
    for (T& number : row) number = static_cast<T>(4 * random.randn());
    rows.push_back(row);
    for (std::size_t i = 0; i < std::size(odd) && size > 0; i += 1 + size % 3) {
      row[(i * 7 + size) % size] = odd[i];
      rows.push_back(row);
    }
    rows.emplace_back(size, T(-kInfinity));
  }
  rows.push_back(drawn<T>(1000, 9));
  return rows;
}

// Calls visit(start, step) for several starts and steps.
template <typename Visit>
void each_place(std::size_t size, Visit visit) {
  visit(size % 4, 1);
  visit((size + 1) % 4, 1);
  if (size % 5 == 0) visit(size % 3, 2 + size % 2);
}

}  // namespace

TEMPLATE_TEST_CASE("softmax and log_softmax of a slice and their gradients agree with the formulas", "", float,
                   double) {
  using T = TestType;
  for (const std::vector<T>& row : rows<T>()) {
    const std::size_t n = row.size();
    const Reals x = wide(row);
    Real max = -std::numeric_limits<Real>::infinity();
    for (Real number : x) max = number > max ? number : max;
    const bool empty = std::all_of(row.begin(), row.end(), [](T number) { return number == T(-kInfinity); });
    const Real sum_of_powers = sum(each(n, [&](std::size_t i) { return std::exp(x[i] - max); }));
    const Reals y = each(n, [&](std::size_t i) { return std::exp(x[i] - max) / sum_of_powers; });
    const Reals log_y = each(n, [&](std::size_t i) { return x[i] - max - std::log(sum_of_powers); });
    each_place(n, [&](std::size_t start, std::size_t step) {
      const kernels::Slice slice{n, step};
      Cells<T> in(row, start, step);
      Cells<T> out(std::vector<T>(n), start, step);
      // The rounding error of x - max is multiplied by its size in the exponential; denormals are far apart.
      const Real room = 8 * Real(std::numeric_limits<T>::min());
      kernels::softmax(in.data(), out.data(), slice, false);
      check("softmax", out, y, room, 40);
      kernels::softmax(in.data(), out.data(), slice, true);
      check("softmax, empty is zero", out, empty ? Reals(n, 0) : y, room, 40);
      check("what softmax reads", in, x, 0);

      const std::vector<T> upstream = drawn<T>(n, 5);
      const std::vector<T> before = drawn<T>(n, 6);
      const Reals g = wide(upstream);
      Cells<T> in_gradient(upstream, start, step);
      Cells<T> gradient(before, start, step);
      kernels::softmax(in.data(), out.data(), slice, false);
      kernels::softmax_backward(out.data(), in_gradient.data(), gradient.data(), slice);
      const Real along = sum(each(n, [&](std::size_t i) { return y[i] * g[i]; }));
      check("softmax_backward", gradient, each(n, [&](std::size_t i) { return before[i] + y[i] * (g[i] - along); }),
            16);

      kernels::log_softmax(in.data(), out.data(), slice);
      check("log_softmax", out, log_y, 16);
      gradient = Cells<T>(before, start, step);
      kernels::log_softmax_backward(out.data(), in_gradient.data(), gradient.data(), slice);
      const Real all = sum(g);
      check("log_softmax_backward", gradient,
            each(n, [&](std::size_t i) { return before[i] + g[i] - std::exp(log_y[i]) * all; }),
            32 + 8 * std::abs(all));

      kernels::softmax(in.data(), in.data(), slice, false);
      check("softmax in place", in, y, room, 40);
    });
  }
}

TEMPLATE_TEST_CASE("layer_norm of a row and its gradients agree with the formulas", "", float, double) {
  using T = TestType;
  for (const std::vector<T>& row : rows<T>()) {
    const std::size_t n = row.size();
    const Reals x = wide(row);
    const std::vector<T> weights = drawn<T>(n, 2), biases = drawn<T>(n, 3), upstream = drawn<T>(n, 4);
    for (int variant = 0; variant < 4; ++variant) {
      const bool unbiased = variant % 2;
      const bool affine = variant / 2;
      const double eps = 1e-5;
      const Real divisor = Real(n) - (unbiased ? 1 : 0);
      const Real mean = sum(x) / Real(n);
      const Real variance = sum(each(n, [&](std::size_t i) { return (x[i] - mean) * (x[i] - mean); })) / divisor;
      const Real deviation = std::sqrt(variance + eps);
      const Reals normalised = each(n, [&](std::size_t i) { return (x[i] - mean) / deviation; });
      const auto weight_at = [&](std::size_t i) { return affine ? Real(weights[i]) : Real(1); };
      const auto bias_at = [&](std::size_t i) { return affine ? Real(biases[i]) : Real(0); };
      const Reals reach = each(n, [&](std::size_t i) { return upstream[i] * weight_at(i); });
      const Real reach_mean = sum(reach) / Real(n);
      const Real slope = sum(each(n, [&](std::size_t i) { return reach[i] * normalised[i]; })) / divisor;
      const std::vector<T> before = drawn<T>(n, 7);

      const std::size_t start = (n + variant) % 4;
      Cells<T> in(row, start, 1), weight(weights, 4 - start, 1), bias(biases, 1, 1), out(std::vector<T>(n), start, 1);
      kernels::layer_norm(in.data(), affine ? weight.data() : nullptr, affine ? bias.data() : nullptr, out.data(), n,
                          eps, unbiased);
      check("layer_norm", out, each(n, [&](std::size_t i) { return normalised[i] * weight_at(i) + bias_at(i); }), 8);

      Cells<T> in_gradient(upstream, 3, 1);
      Cells<T> x_gradient(before, start, 1), weight_gradient(before, 2, 1), bias_gradient(before, 1, 1);
      T* weight_sums = weight_gradient.data();
      T* bias_sums = bias_gradient.data();
      std::vector<T> sums(2 * kernels::floats_of_sums(n));
      if constexpr (std::is_same_v<T, float>) {
        kernels::begin_sums(weight_gradient.data(), n, weight_sums = sums.data());
        kernels::begin_sums(bias_gradient.data(), n, bias_sums = sums.data() + sums.size() / 2);
      }
      kernels::layer_norm_backward(in.data(), affine ? weight.data() : nullptr, in_gradient.data(), x_gradient.data(),
                                   affine ? weight_sums : nullptr, affine ? bias_sums : nullptr, n, eps, unbiased);
      if constexpr (std::is_same_v<T, float>) {
        kernels::end_sums(weight_sums, n, weight_gradient.data());
        kernels::end_sums(bias_sums, n, bias_gradient.data());
      }
      const Reals by_x = each(
          n, [&](std::size_t i) { return before[i] + (reach[i] - reach_mean - normalised[i] * slope) / deviation; });
      check("gradient of x", x_gradient, by_x, 32 + 32 / deviation);
      if (!affine) continue;
      check("gradient of weight", weight_gradient,
            each(n, [&](std::size_t i) { return before[i] + upstream[i] * normalised[i]; }), 16);
      check("gradient of bias", bias_gradient, each(n, [&](std::size_t i) { return Real(before[i]) + upstream[i]; }),
            0);
    }
  }
}

TEST_CASE("A row far from 0 keeps the digits in which its numbers differ") {
  const std::vector<float> row = {1000001, 1000002, 1000003, 1000004, 1000005};
  std::vector<float> y(5);
  kernels::layer_norm<float>(row.data(), nullptr, nullptr, y.data(), 5, 0, false);
  for (std::size_t i = 0; i < 5; ++i) CHECK(y[i] == Catch::Approx((double(i) - 2) / std::sqrt(2.)).epsilon(1e-6));
}

TEST_CASE("A row of denormal floats is normalised") {
  const float smallest = std::numeric_limits<float>::denorm_min();
  std::vector<float> row = {smallest, 2 * smallest, 3 * smallest, 4 * smallest, 5 * smallest};
  std::vector<float> y(5);
  kernels::layer_norm<float>(row.data(), nullptr, nullptr, y.data(), 5, 0, false);
  for (std::size_t i = 0; i < 5; ++i) CHECK(y[i] == Catch::Approx((double(i) - 2) / std::sqrt(2.)).epsilon(1e-6));
}
