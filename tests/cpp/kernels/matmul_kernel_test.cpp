// Compares the matrix kernel with three plain loops, for every remainder of rows and columns by the tile, for several
// blocks, for transposed matrices and for special numbers.
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <catch_amalgamated.hpp>

#include "kernels/matmul.hpp"
#include "tensor/random.hpp"

namespace {

template <typename T>
std::vector<T> normal(attn::RandomState& random, std::size_t count) {
  std::vector<T> numbers(count);
  for (T& number : numbers) number = static_cast<T>(random.randn());
  return numbers;
}

struct Sizes {
  std::size_t n, m, p;
};

template <typename T>
bool same(T actual, T expected, std::size_t m, T magnitude) {
  if (std::isnan(expected) || std::isnan(actual)) return std::isnan(expected) && std::isnan(actual);
  if constexpr (std::is_same_v<T, double>) return actual == expected;  // the same additions in the same order
  if (std::isinf(expected)) return actual == expected;
  return std::abs(actual - expected) <= 2 * std::numeric_limits<T>::epsilon() * static_cast<T>(m + 1) * magnitude;
}

// Compares out += a b by matmul_add with three plain loops. The `special` numbers are written into a and b.
template <typename T>
void check(attn::RandomState& random, Sizes sizes, bool a_transposed, bool b_transposed,
           const std::vector<T>& special = {}) {
  const auto [n, m, p] = sizes;
  INFO(n << " x " << m << " x " << p << (a_transposed ? ", a transposed" : "")
         << (b_transposed ? ", b transposed" : ""));
  const std::size_t shift = 1 + n % 3;  // no row starts at a vector boundary
  std::vector<T> a = normal<T>(random, shift + n * m);
  std::vector<T> b = normal<T>(random, shift + m * p);
  for (std::size_t i = 0; i < special.size(); ++i) {
    a[(i * 7919 + 3) % a.size()] = special[i];
    b[(i * 104729 + 5) % b.size()] = special[i];
  }
  const attn::kernels::Strided<T> rows_of_a{a.data() + shift, a_transposed ? n : m};
  const attn::kernels::Strided<T> rows_of_b{b.data() + shift, b_transposed ? m : p};
  const attn::kernels::Strided<T> left = a_transposed ? rows_of_a.transposed() : rows_of_a;
  const attn::kernels::Strided<T> right = b_transposed ? rows_of_b.transposed() : rows_of_b;
  const std::size_t out_stride = p + 3;
  std::vector<T> out = normal<T>(random, shift + n * out_stride);
  std::vector<T> expected = out;
  std::vector<T> magnitude(out.size(), T(1));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < p; ++j) {
      const std::size_t at = shift + i * out_stride + j;
      for (std::size_t k = 0; k < m; ++k) {
        const T product = left.data[i * left.row_stride + k * left.column_stride] *
                          right.data[k * right.row_stride + j * right.column_stride];
        expected[at] += product;
        magnitude[at] += std::abs(product);
      }
    }
  }
  attn::kernels::matmul_add(left, right, out.data() + shift, out_stride, n, m, p);
  for (std::size_t at = 0; at < out.size(); ++at) {
    const bool inside = at >= shift && (at - shift) % out_stride < p;
    INFO("place " << at << ": " << out[at] << ", expected " << expected[at]);
    REQUIRE((inside ? same(out[at], expected[at], m, magnitude[at]) : out[at] == expected[at]));
  }
}

}  // namespace

TEMPLATE_TEST_CASE("matmul_add equals the triple loop", "", float, double) {
  attn::RandomState random(5);
  for (std::size_t n : {1, 2, 3, 4, 5, 6, 7, 11, 12, 13})
    for (std::size_t m : {0, 1, 2, 3, 4, 7, 33})
      for (std::size_t p : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17})
        for (bool a_transposed : {false, true})
          for (bool b_transposed : {false, true}) check<TestType>(random, {n, m, p}, a_transposed, b_transposed);
}

TEMPLATE_TEST_CASE("matmul_add equals the triple loop beyond one cache block", "", float, double) {
  attn::RandomState random(6);
  for (Sizes sizes : {Sizes{250, 10, 9}, {7, 600, 17}, {1, 515, 70}, {123, 515, 66}})
    for (bool a_transposed : {false, true})
      for (bool b_transposed : {false, true}) check<TestType>(random, sizes, a_transposed, b_transposed);
}

TEMPLATE_TEST_CASE("matmul_add treats denormals, infinities and NaN as the triple loop does", "", float, double) {
  using Limits = std::numeric_limits<TestType>;
  attn::RandomState random(7);
  for (const std::vector<TestType>& special :
       {std::vector<TestType>{Limits::denorm_min(), 3 * Limits::denorm_min(), Limits::min() / 2},
        {Limits::infinity()},
        {Limits::infinity(), -Limits::infinity()},
        {Limits::quiet_NaN()}})
    for (Sizes sizes : {Sizes{3, 5, 7}, {13, 9, 21}})
      for (bool b_transposed : {false, true}) check<TestType>(random, sizes, false, b_transposed, special);
}
