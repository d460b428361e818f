// Compares softmax, log_softmax and layer_norm with their formulas in long double, for many sizes, unaligned starts,
// strides and special numbers.
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
constexpr std::size_t kMaxSize = 70;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();

// Numbers in a larger array, `stride` apart from cell `start` on. The cells between and around them must not change.
template <typename T>
struct Cells {
  Cells(const std::vector<T>& numbers, std::size_t start, std::size_t stride)
      : cells(start + numbers.size() * stride + 3, T(1234)), start(start), stride(stride) {
    for (std::size_t i = 0; i < numbers.size(); ++i) cells[start + i * stride] = numbers[i];
  }
  T* data() { return cells.data() + start; }

  std::vector<T> cells;
  std::size_t start, stride;
};

template <typename T>
void check(const std::string& name, const Cells<T>& actual, const Reals& exact, Real tolerance, Real relative = 8) {
  std::size_t next = 0;
  for (std::size_t i = 0; i < actual.cells.size(); ++i) {
    const bool inside = i >= actual.start && (i - actual.start) % actual.stride == 0 && next < exact.size();
    const Real expected = inside ? exact[next++] : 1234;
    const T number = actual.cells[i];
    if (std::isnan(expected) ? std::isnan(number) : Real(number) == expected) continue;
    const Real bound =
        inside ? Real(std::numeric_limits<T>::epsilon()) * (tolerance + relative * std::abs(expected)) : 0;
    if (!(std::abs(Real(number) - expected) <= bound))
      FAIL_CHECK(name << ", cell " << i << ": " << number << ", expected " << double(expected));
  }
}

template <typename T>
Reals to_real(const std::vector<T>& x) {
  return {x.begin(), x.end()};
}

Real sum(const Reals& x) {
  Real sum = 0;
  for (Real number : x) sum += number;
  return sum;
}

// The numbers number(0), ..., number(count - 1).
Reals generate(std::size_t count, const std::function<Real(std::size_t)>& number) {
  Reals numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = number(i);
  return numbers;
}

template <typename T>
std::vector<T> random_numbers(std::size_t count, unsigned seed) {
  attn::RandomState random(seed);
  std::vector<T> numbers(count);
  for (T& number : numbers) number = static_cast<T>(random.randn());
  return numbers;
}

// Rows of every size up to kMaxSize and of 1000 numbers, some with special numbers.
template <typename T>
std::vector<std::vector<T>> rows() {
  attn::RandomState random(11);
  using Limits = std::numeric_limits<T>;
  const T special[] = {T(-kInfinity), Limits::denorm_min(), T(kNan), T(kInfinity), -T(0), Limits::min() / 2};
  std::vector<std::vector<T>> rows;
  for (std::size_t size = 0; size <= kMaxSize; ++size) {
    std::vector<T> row(size);
    for (T& number : row) number = static_cast<T>(4 * random.randn());
    rows.push_back(row);
    for (std::size_t i = 0; i < std::size(special) && size > 0; i += 1 + size % 3) {
      row[(i * 7 + size) % size] = special[i];
      rows.push_back(row);
    }
    rows.emplace_back(size, T(-kInfinity));
  }
  rows.push_back(random_numbers<T>(1000, 9));
  return rows;
}

// Calls visit(start, stride) for several starts and strides.
template <typename Visit>
void for_each_layout(std::size_t size, Visit visit) {
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
    const Reals x = to_real(row);
    Real max = -std::numeric_limits<Real>::infinity();
    for (Real number : x) max = number > max ? number : max;
    const bool empty = std::all_of(row.begin(), row.end(), [](T number) { return number == T(-kInfinity); });
    const Real sum_of_exponentials = sum(generate(n, [&](std::size_t i) { return std::exp(x[i] - max); }));
    const Reals y = generate(n, [&](std::size_t i) { return std::exp(x[i] - max) / sum_of_exponentials; });
    const Reals log_y = generate(n, [&](std::size_t i) { return x[i] - max - std::log(sum_of_exponentials); });
    for_each_layout(n, [&](std::size_t start, std::size_t stride) {
      const kernels::Slice slice{n, stride};
      Cells<T> in(row, start, stride);
      Cells<T> out(std::vector<T>(n), start, stride);
      // The rounding error of x - max is proportional to |x - max| and becomes a relative error of the exponential. The
      // absolute tolerance covers denormal results.
      const Real tolerance = 8 * Real(std::numeric_limits<T>::min());
      kernels::softmax(in.data(), out.data(), slice, false);
      check("softmax", out, y, tolerance, 40);
      kernels::softmax(in.data(), out.data(), slice, true);
      check("softmax, empty is zero", out, empty ? Reals(n, 0) : y, tolerance, 40);
      check("input of softmax", in, x, 0);

      const std::vector<T> upstream = random_numbers<T>(n, 5);
      const std::vector<T> initial = random_numbers<T>(n, 6);
      const Reals y_gradient = to_real(upstream);
      Cells<T> in_gradient(upstream, start, stride);
      Cells<T> gradient(initial, start, stride);
      kernels::softmax(in.data(), out.data(), slice, false);
      kernels::softmax_backward(out.data(), in_gradient.data(), gradient.data(), slice);
      const Real dot_product = sum(generate(n, [&](std::size_t i) { return y[i] * y_gradient[i]; }));
      check("softmax_backward", gradient,
            generate(n, [&](std::size_t i) { return initial[i] + y[i] * (y_gradient[i] - dot_product); }), 16);

      kernels::log_softmax(in.data(), out.data(), slice);
      check("log_softmax", out, log_y, 16);
      gradient = Cells<T>(initial, start, stride);
      kernels::log_softmax_backward(out.data(), in_gradient.data(), gradient.data(), slice);
      const Real gradient_sum = sum(y_gradient);
      check("log_softmax_backward", gradient,
            generate(n, [&](std::size_t i) { return initial[i] + y_gradient[i] - std::exp(log_y[i]) * gradient_sum; }),
            32 + 8 * std::abs(gradient_sum));

      kernels::softmax(in.data(), in.data(), slice, false);
      check("softmax in place", in, y, tolerance, 40);
    });
  }
}

TEMPLATE_TEST_CASE("layer_norm of a row and its gradients agree with the formulas", "", float, double) {
  using T = TestType;
  for (const std::vector<T>& row : rows<T>()) {
    const std::size_t n = row.size();
    const Reals x = to_real(row);
    const std::vector<T> weights = random_numbers<T>(n, 2), biases = random_numbers<T>(n, 3),
                         upstream = random_numbers<T>(n, 4);
    for (int variant = 0; variant < 4; ++variant) {
      const bool unbiased = variant % 2;
      const bool affine = variant / 2;
      const double eps = 1e-5;
      const Real divisor = Real(n) - (unbiased ? 1 : 0);
      const Real mean = sum(x) / Real(n);
      const Real variance = sum(generate(n, [&](std::size_t i) { return (x[i] - mean) * (x[i] - mean); })) / divisor;
      const Real deviation = std::sqrt(variance + eps);
      const Reals normalised = generate(n, [&](std::size_t i) { return (x[i] - mean) / deviation; });
      const auto weight_at = [&](std::size_t i) { return affine ? Real(weights[i]) : Real(1); };
      const auto bias_at = [&](std::size_t i) { return affine ? Real(biases[i]) : Real(0); };
      const Reals normalised_gradient = generate(n, [&](std::size_t i) { return upstream[i] * weight_at(i); });
      const Real gradient_mean = sum(normalised_gradient) / Real(n);
      const Real projection =
          sum(generate(n, [&](std::size_t i) { return normalised_gradient[i] * normalised[i]; })) / divisor;
      const std::vector<T> initial = random_numbers<T>(n, 7);

      const std::size_t start = (n + variant) % 4;
      Cells<T> in(row, start, 1), weight(weights, 4 - start, 1), bias(biases, 1, 1), out(std::vector<T>(n), start, 1);
      kernels::layer_norm(in.data(), affine ? weight.data() : nullptr, affine ? bias.data() : nullptr, out.data(), n,
                          eps, unbiased);
      check("layer_norm", out, generate(n, [&](std::size_t i) { return normalised[i] * weight_at(i) + bias_at(i); }),
            8);

      Cells<T> in_gradient(upstream, 3, 1);
      Cells<T> x_gradient(initial, start, 1), weight_gradient(initial, 2, 1), bias_gradient(initial, 1, 1);
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
      const Reals expected_x_gradient = generate(n, [&](std::size_t i) {
        return initial[i] + (normalised_gradient[i] - gradient_mean - normalised[i] * projection) / deviation;
      });
      check("gradient of x", x_gradient, expected_x_gradient, 32 + 32 / deviation);
      if (!affine) continue;
      check("gradient of weight", weight_gradient,
            generate(n, [&](std::size_t i) { return initial[i] + upstream[i] * normalised[i]; }), 16);
      check("gradient of bias", bias_gradient,
            generate(n, [&](std::size_t i) { return Real(initial[i]) + upstream[i]; }), 0);
    }
  }
}

TEST_CASE("layer_norm of a row with a large offset keeps the digits in which its numbers differ") {
  const std::vector<float> row = {1000001, 1000002, 1000003, 1000004, 1000005};
  std::vector<float> y(5);
  kernels::layer_norm<float>(row.data(), nullptr, nullptr, y.data(), 5, 0, false);
  for (std::size_t i = 0; i < 5; ++i) CHECK(y[i] == Catch::Approx((double(i) - 2) / std::sqrt(2.)).epsilon(1e-6));
}

TEST_CASE("layer_norm normalises a row of denormal floats") {
  const float smallest = std::numeric_limits<float>::denorm_min();
  std::vector<float> row = {smallest, 2 * smallest, 3 * smallest, 4 * smallest, 5 * smallest};
  std::vector<float> y(5);
  kernels::layer_norm<float>(row.data(), nullptr, nullptr, y.data(), 5, 0, false);
  for (std::size_t i = 0; i < 5; ++i) CHECK(y[i] == Catch::Approx((double(i) - 2) / std::sqrt(2.)).epsilon(1e-6));
}
