// Compares the kernels of dropout with the formulas for one number: both give the same bits.
#include <vector>

#include <catch_amalgamated.hpp>

#include "kernel_draws.hpp"
#include "kernels/dropout.hpp"

namespace kernels = attn::kernels;
using kernel_draws::kMaxSize;
using kernel_draws::random_numbers;
using kernel_draws::same;

TEMPLATE_TEST_CASE("The kernels of dropout equal the formulas for one number", "", float, double) {
  using T = TestType;
  const T p = static_cast<T>(0.1), keep = static_cast<T>(0.9);
  for (std::size_t count = 0; count <= kMaxSize; ++count) {
    INFO(count << " numbers");
    const std::size_t start = count % 4;
    const std::vector<T> x = random_numbers<T>(count + 6, 1), before = random_numbers<T>(count + 6, 2);
    std::vector<T> u = random_numbers<T>(count + 6, 3);
    if (count > 0) u[start] = p;  // a draw of p is dropped
    std::vector<T> y = before, y_formula = before, dx = before, dx_formula = before;
    kernels::dropout(p, keep, x.data() + start, u.data() + start, y.data() + start, count);
    kernels::dropout_backward_add(p, keep, x.data() + start, u.data() + start, dx.data() + start, count);
    for (std::size_t i = start; i < start + count; ++i) {
      y_formula[i] = u[i] > p ? x[i] / keep : T(0);
      if (u[i] > p) dx_formula[i] += x[i] / keep;
    }
    CHECK(same(y, y_formula));
    CHECK(same(dx, dx_formula));
  }
}
