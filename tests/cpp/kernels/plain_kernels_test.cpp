// Compares the kernels that only add, multiply and copy with plain loops: both give the same bits for every size, start
// and stride.
#include <algorithm>
#include <cmath>
#include <vector>

#include <catch_amalgamated.hpp>

#include "kernel_draws.hpp"
#include "kernels/arithmetic.hpp"
#include "kernels/reduction.hpp"
#include "kernels/rows.hpp"
#include "kernels/strided.hpp"

namespace kernels = attn::kernels;
using kernel_draws::kMaxSize;
using kernel_draws::random_numbers;
using kernel_draws::same;
using kernels::Arithmetic;
using kernels::ArithmeticKernels;
using kernels::kArithmetic;

namespace {

template <typename T>
T value(Arithmetic operation, T a, T b) {
  switch (operation) {
    case Arithmetic::add:
      return a + b;
    case Arithmetic::subtract:
      return a - b;
    case Arithmetic::multiply:
      return a * b;
    case Arithmetic::minimum:
      return std::isnan(a) || std::isnan(b) ? a + b : std::min(a, b);
    case Arithmetic::maximum:
      return std::isnan(a) || std::isnan(b) ? a + b : std::max(a, b);
    default:
      return a / b;
  }
}

template <typename T>
T derivative(Arithmetic operation, T a, T b, bool by_a) {
  switch (operation) {
    case Arithmetic::add:
      return 1;
    case Arithmetic::subtract:
      return by_a ? T(1) : T(-1);
    case Arithmetic::multiply:
      return by_a ? b : a;
    case Arithmetic::minimum:
      return a == b ? T(0.5) : T(!(by_a ? a > b : b > a));
    case Arithmetic::maximum:
      return a == b ? T(0.5) : T(!(by_a ? a < b : b < a));
    default:
      return by_a ? 1 / b : -a / b / b;
  }
}

template <typename T>
constexpr ArithmeticKernels<T> kAll[] = {
    kArithmetic<Arithmetic::add, T>,    kArithmetic<Arithmetic::subtract, T>, kArithmetic<Arithmetic::multiply, T>,
    kArithmetic<Arithmetic::divide, T>, kArithmetic<Arithmetic::minimum, T>,  kArithmetic<Arithmetic::maximum, T>,
};

// Whether a cell of an operand is read more than once, so that the terms of its gradient are summed in double.
bool sums_in_double(const std::vector<std::size_t>& sizes, const std::vector<std::size_t>& strides) {
  bool repeats = false;
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) repeats |= sizes[axis] > 1 && strides[axis] == 0;
  return repeats;
}

// sum + number, rounded to T unless `in_double`.
template <typename T>
double plus(double sum, T number, bool in_double) {
  return in_double ? sum + number : static_cast<T>(sum) + number;
}

template <typename T>
std::vector<T> rounded(const std::vector<double>& sums) {
  std::vector<T> numbers;
  for (const double sum : sums) numbers.push_back(static_cast<T>(sum));
  return numbers;
}

// Strides with which a view of shape (2, 3, n) reads an array: contiguous, one repeated row, one repeated column, one
// repeated number, and two with permuted axes.
std::vector<std::vector<std::size_t>> layouts(std::size_t n) {
  return {{3 * n, n, 1}, {0, 0, 1}, {3, 1, 0}, {0, 0, 0}, {n, 2 * n, 1}, {1, 2, 6}};
}

}  // namespace

TEMPLATE_TEST_CASE("Arithmetic through strides and its gradients equal plain loops", "", float, double) {
  using T = TestType;
  for (std::size_t n = 0; n <= kMaxSize; n += n < 20 ? 1 : 7) {
    const std::vector<std::size_t> sizes = {2, 3, n};
    const std::vector<T> a = random_numbers<T>(6 * n + 9, 1), b = random_numbers<T>(6 * n + 9, 2),
                         upstream = random_numbers<T>(6 * n + 3, 3);
    for (const auto& a_strides : layouts(n)) {
      for (const auto& b_strides : layouts(n)) {
        for (const ArithmeticKernels<T>& kernel : kAll<T>) {
          const Arithmetic operation = kernel.operation;
          const std::size_t start = n % 3;
          std::vector<T> out(6 * n + 9, T(7)), a_gradient = b, b_gradient = a;
          std::vector<T> expected = out;
          std::vector<double> a_sums(b.begin(), b.end()), b_sums(a.begin(), a.end());
          const bool a_in_double = sums_in_double(sizes, a_strides);
          const bool b_in_double = sums_in_double(sizes, b_strides);
          for (std::size_t i = 0; i < 6 * n; ++i) {
            const std::size_t at[] = {i / n / 3, i / n % 3, i % n};
            std::size_t a_offset = start, b_offset = 0;
            for (int axis = 0; axis < 3; ++axis) {
              a_offset += at[axis] * a_strides[axis];
              b_offset += at[axis] * b_strides[axis];
            }
            expected[i + start] = value(operation, a[a_offset], b[b_offset]);
            const T a_term = upstream[i] * derivative(operation, a[a_offset], b[b_offset], true);
            const T b_term = upstream[i] * derivative(operation, a[a_offset], b[b_offset], false);
            a_sums[a_offset] = plus(a_sums[a_offset], a_term, a_in_double);
            b_sums[b_offset] = plus(b_sums[b_offset], b_term, b_in_double);
          }
          const std::vector<T> a_expected = rounded<T>(a_sums), b_expected = rounded<T>(b_sums);
          const kernels::PairView view{sizes, a_strides, b_strides};
          kernel.forward(a.data() + start, b.data(), view, out.data() + start);
          kernel.backward(a.data() + start, b.data(), view, upstream.data(), a_gradient.data() + start,
                          b_gradient.data());
          INFO("operation " << static_cast<int>(operation) << ", " << n << " columns");
          CHECK(same(out, expected));
          CHECK(same(a_gradient, a_expected));
          CHECK(same(b_gradient, b_expected));
          // The gradient of b alone.
          std::vector<T> alone = a;
          kernel.backward(a.data() + start, b.data(), view, upstream.data(), nullptr, alone.data());
          CHECK(same(alone, b_expected));
        }
      }
    }
  }
}

TEMPLATE_TEST_CASE("repeat_row equals a plain loop", "", float, double) {
  using T = TestType;
  for (std::size_t width = 0; width <= kMaxSize; ++width) {
    for (std::size_t rows : {0, 1, 2, 5}) {
      const std::size_t start = width % 4;
      const std::vector<T> row = random_numbers<T>(width + 4, 1);
      std::vector<T> out(width * rows + 6, T(7)), zeros = out;
      std::vector<T> expected = out, expected_zeros = out;
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < width; ++j) {
          expected[start + i * width + j] = row[start + j];
          expected_zeros[start + i * width + j] = 0;
        }
      }
      kernels::repeat_row(row.data() + start, width, rows, out.data() + start);
      kernels::repeat_row<T>(nullptr, width, rows, zeros.data() + start);
      CHECK(same(out, expected));
      CHECK(same(zeros, expected_zeros));
    }
  }
}

TEMPLATE_TEST_CASE("sum_add equals a plain loop in double", "", float, double) {
  using T = TestType;
  // Every subset of the three axes of these shapes is summed; some sums have no terms.
  const std::vector<std::vector<std::size_t>> shapes = {{2, 3, 70}, {70, 3, 2},  {3, 70, 2}, {1, 70, 130}, {130, 1, 70},
                                                        {1, 1, 9},  {5, 2, 1},   {1, 1, 1},  {3, 0, 2},    {0, 4, 1},
                                                        {7, 9, 11}, {2, 64, 65}, {33, 2, 8}};
  for (const std::vector<std::size_t>& sizes : shapes) {
    for (unsigned summed = 0; summed < 8; ++summed) {
      std::vector<std::size_t> strides(3);
      std::size_t cells = 1;
      for (std::size_t axis = 3; axis-- > 0;) {
        if (summed >> axis & 1) continue;
        strides[axis] = cells;
        cells *= sizes[axis];
      }
      const std::size_t count = sizes[0] * sizes[1] * sizes[2];
      const std::vector<T> in = random_numbers<T>(count + 1, 1);
      std::vector<T> out = random_numbers<T>(cells + 2, 2), expected = out;
      std::vector<double> sums(out.begin(), out.end());
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at[] = {i / sizes[2] / sizes[1], i / sizes[2] % sizes[1], i % sizes[2]};
        sums[1 + at[0] * strides[0] + at[1] * strides[1] + at[2] * strides[2]] += in[i + 1];
      }
      for (std::size_t i = 0; i < out.size(); ++i) expected[i] = static_cast<T>(sums[i]);
      kernels::sum_add(in.data() + 1, {sizes, strides}, out.data() + 1);
      INFO(sizes[0] << " x " << sizes[1] << " x " << sizes[2] << ", axes " << summed);
      CHECK(same(out, expected));
    }
  }
}

TEMPLATE_TEST_CASE("gather, scatter and select through strides equal plain loops", "", float, double) {
  using T = TestType;
  for (std::size_t n = 0; n <= kMaxSize; ++n) {
    const std::vector<std::size_t> sizes = {2, 3, n};
    const std::vector<T> in = random_numbers<T>(6 * n + 9, 1), other = random_numbers<T>(6 * n + 9, 2);
    std::vector<T> keep = random_numbers<T>(6 * n + 9, 3);
    for (std::size_t i = 0; i < keep.size(); i += 2) keep[i] = 0;
    for (const auto& strides : layouts(n)) {
      const kernels::View view{sizes, strides};
      const std::size_t start = n % 3;
      std::vector<T> gathered = other, added = other, scattered = other, selected = other, selected_sum = other;
      std::vector<T> expected_gathered = other, expected_added = other, expected_scattered = other,
                     expected_selected = other, expected_selected_sum = other;
      for (std::size_t i = 0; i < 6 * n; ++i) {
        const std::size_t offset = i / n / 3 * strides[0] + i / n % 3 * strides[1] + i % n * strides[2];
        expected_gathered[i + start] = in[offset];
        expected_added[i + start] += in[offset];
        expected_scattered[offset] += in[i + start];
        expected_selected[i] = keep[offset] != T(0) ? in[i] : T(5);
        if (keep[offset] != T(0)) expected_selected_sum[i] += in[i];
      }
      kernels::gather(in.data(), view, gathered.data() + start);
      kernels::gather_add(in.data(), view, added.data() + start);
      kernels::scatter_add(in.data() + start, scattered.data(), view);
      kernels::select(keep.data(), view, in.data(), T(5), selected.data());
      kernels::select_add(keep.data(), view, in.data(), selected_sum.data());
      INFO(n << " columns, strides " << strides[0] << ", " << strides[1] << ", " << strides[2]);
      CHECK(same(gathered, expected_gathered));
      CHECK(same(added, expected_added));
      CHECK(same(scattered, expected_scattered));
      CHECK(same(selected, expected_selected));
      CHECK(same(selected_sum, expected_selected_sum));
    }
  }
}
