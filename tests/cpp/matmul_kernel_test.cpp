// The matrix kernel against the plain triple loop, with every tail of rows and columns.
#include <cmath>
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

}  // namespace

TEMPLATE_TEST_CASE("matmul_add equals the triple loop", "", float, double) {
  attn::RandomState random(5);
  for (std::size_t n : {1, 3, 4, 5, 9}) {
    for (std::size_t m : {0, 1, 2, 7, 33}) {
      for (std::size_t p : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17}) {
        for (bool transposed : {false, true}) {
          INFO(n << " x " << m << " x " << p << (transposed ? " transposed" : ""));
          const std::vector<TestType> a = normal<TestType>(random, n * m);
          const std::vector<TestType> b = normal<TestType>(random, m * p);
          std::vector<TestType> out = normal<TestType>(random, n * p);
          std::vector<TestType> expected = out;
          const std::size_t a_row = transposed ? 1 : m;
          const std::size_t a_column = transposed ? n : 1;
          for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < p; ++j)
              for (std::size_t k = 0; k < m; ++k) expected[i * p + j] += a[i * a_row + k * a_column] * b[k * p + j];
          attn::kernels::matmul_add(a.data(), a_row, a_column, b.data(), out.data(), n, m, p);
          for (std::size_t i = 0; i < out.size(); ++i) {
            if constexpr (std::is_same_v<TestType, double>) {
              REQUIRE(out[i] == expected[i]);  // the same additions in the same order
            } else {
              const TestType bound = 8 * std::numeric_limits<TestType>::epsilon() * static_cast<TestType>(m + 1);
              REQUIRE(std::abs(out[i] - expected[i]) <= bound * (1 + std::abs(expected[i])));
            }
          }
        }
      }
    }
  }
}
