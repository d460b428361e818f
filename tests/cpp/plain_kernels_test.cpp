// Kernels that only add, multiply and move, against plain loops: the same bits, for every size, start and stride.
#include <cmath>
#include <limits>
#include <vector>

#include <catch_amalgamated.hpp>

#include "kernels/arithmetic.hpp"
#include "kernels/rows.hpp"
#include "kernels/updates.hpp"
#include "tensor/random.hpp"

namespace kernels = attn::kernels;
using kernels::Arithmetic;

namespace {

constexpr std::size_t kMost = 70;

template <typename T>
std::vector<T> drawn(std::size_t count, unsigned seed) {
  using Limits = std::numeric_limits<T>;
  attn::RandomState random(seed);
  std::vector<T> numbers(count);
  for (T& number : numbers) number = static_cast<T>(random.randn());
  const T odd[] = {Limits::infinity(),  Limits::denorm_min(), -T(0),
                   Limits::quiet_NaN(), -Limits::infinity(),  Limits::min()};
  for (std::size_t i = 3; i < count; i += 9) numbers[i] = odd[i % std::size(odd)];
  return numbers;
}

template <typename T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (std::isnan(a[i]) ? !std::isnan(b[i]) : a[i] != b[i]) return false;
  return a.size() == b.size();
}

template <typename T>
T value(Arithmetic operation, T a, T b) {
  switch (operation) {
    case Arithmetic::add:
      return a + b;
    case Arithmetic::subtract:
      return a - b;
    case Arithmetic::multiply:
      return a * b;
    default:
      return a / b;
  }
}

template <typename T>
T slope(Arithmetic operation, T a, T b, bool by_a) {
  switch (operation) {
    case Arithmetic::add:
      return 1;
    case Arithmetic::subtract:
      return by_a ? T(1) : T(-1);
    case Arithmetic::multiply:
      return by_a ? b : a;
    default:
      return by_a ? 1 / b : -a / b / b;
  }
}

// Steps of two tensors of a shape (2, 3, n): whole, rows, one column, one number, and with the axes turned around.
std::vector<std::vector<std::size_t>> layouts(std::size_t n) {
  return {{3 * n, n, 1}, {0, 0, 1}, {3, 1, 0}, {0, 0, 0}, {n, 2 * n, 1}, {1, 2, 6}};
}

}  // namespace

TEMPLATE_TEST_CASE("Arithmetic through strides, and its gradients, are the plain loop's", "", float, double) {
  using T = TestType;
  for (std::size_t n = 0; n <= kMost; n += n < 20 ? 1 : 7) {
    const std::vector<std::size_t> sizes = {2, 3, n};
    const std::vector<T> a = drawn<T>(6 * n + 9, 1), b = drawn<T>(6 * n + 9, 2), upstream = drawn<T>(6 * n + 3, 3);
    for (const auto& a_strides : layouts(n)) {
      for (const auto& b_strides : layouts(n)) {
        for (Arithmetic operation : {Arithmetic::add, Arithmetic::subtract, Arithmetic::multiply, Arithmetic::divide}) {
          const std::size_t start = n % 3;
          std::vector<T> out(6 * n + 9, T(7)), a_gradient = b, b_gradient = a;
          std::vector<T> expected = out, a_expected = a_gradient, b_expected = b_gradient;
          for (std::size_t i = 0; i < 6 * n; ++i) {
            const std::size_t at[] = {i / n / 3, i / n % 3, i % n};
            std::size_t in_a = start, in_b = 0;
            for (int axis = 0; axis < 3; ++axis) {
              in_a += at[axis] * a_strides[axis];
              in_b += at[axis] * b_strides[axis];
            }
            expected[i + start] = value(operation, a[in_a], b[in_b]);
            a_expected[in_a] += upstream[i] * slope(operation, a[in_a], b[in_b], true);
            b_expected[in_b] += upstream[i] * slope(operation, a[in_a], b[in_b], false);
          }
          const kernels::PairView view{sizes, a_strides, b_strides};
          kernels::arithmetic(operation, a.data() + start, b.data(), view, out.data() + start);
          kernels::arithmetic_backward(operation, a.data() + start, b.data(), view, upstream.data(),
                                       a_gradient.data() + start, b_gradient.data());
          INFO("operation " << static_cast<int>(operation) << ", " << n << " columns");
          CHECK(same(out, expected));
          CHECK(same(a_gradient, a_expected));
          CHECK(same(b_gradient, b_expected));
          // One gradient alone.
          std::vector<T> alone = a;
          kernels::arithmetic_backward<T>(operation, a.data() + start, b.data(), view, upstream.data(), nullptr,
                                          alone.data());
          CHECK(same(alone, b_expected));
        }
      }
    }
  }
}

TEMPLATE_TEST_CASE("A row repeated, and rows added up, are the plain loop's", "", float, double) {
  using T = TestType;
  for (std::size_t width = 0; width <= kMost; ++width) {
    for (std::size_t rows : {0, 1, 2, 5}) {
      const std::size_t start = width % 4;
      const std::vector<T> row = drawn<T>(width + 4, 1), in = drawn<T>(width * rows + 4, 2);
      std::vector<T> out(width * rows + 6, T(7)), zeros = out, sum = row;
      std::vector<T> expected = out, expected_zeros = out, expected_sum = row;
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < width; ++j) {
          expected[start + i * width + j] = row[start + j];
          expected_zeros[start + i * width + j] = 0;
          expected_sum[start + j] += in[1 + i * width + j];
        }
      }
      kernels::repeat_row(row.data() + start, width, rows, out.data() + start);
      kernels::repeat_row<T>(nullptr, width, rows, zeros.data() + start);
      kernels::add_rows(in.data() + 1, width, rows, sum.data() + start);
      CHECK(same(out, expected));
      CHECK(same(zeros, expected_zeros));
      CHECK(same(sum, expected_sum));
    }
  }
}

TEMPLATE_TEST_CASE("Updates of parameters are the formulas, number by number", "", float, double) {
  using T = TestType;
  const auto number = [](double x) { return static_cast<T>(x); };
  for (std::size_t count = 0; count <= kMost; ++count) {
    const std::size_t start = count % 4;
    const std::vector<T> gradient = drawn<T>(count + 6, 1), p = drawn<T>(count + 6, 2), m = drawn<T>(count + 6, 3);
    std::vector<T> v = drawn<T>(count + 6, 4);
    for (T& square : v) square = std::abs(square);
    // Runs an update of (gradient, p, m, v) and the formula for one number on copies.
    const auto check = [&](const char* what, auto update, auto formula) {
      std::vector<T> p1 = p, m1 = m, v1 = v, p2 = p, m2 = m, v2 = v;
      update(gradient.data() + start, p1.data() + start, m1.data() + start, v1.data() + start);
      for (std::size_t i = start; i < start + count; ++i) formula(gradient[i], p2[i], m2[i], v2[i]);
      INFO(what << ", " << count << " numbers");
      CHECK(same(p1, p2));
      CHECK(same(m1, m2));
      CHECK(same(v1, v2));
    };
    const T lr = number(0.1), decay = number(0.01), eps = number(1e-8), one_tenth = number(1 - 0.9);
    const T nine_tenths = number(0.9);
    for (bool first : {false, true}) {
      for (bool look_ahead : {false, true}) {
        check(
            "sgd",
            [&](const T* g, T* p1, T* m1, T*) {
              kernels::sgd_update<T>({0.1, 0.01, 0.9, 1 - 0.9, first, look_ahead}, g, m1, p1, count);
            },
            [&](T g, T& p2, T& m2, T&) {
              g += decay * p2;
              m2 = first ? g : nine_tenths * m2 + one_tenth * g;
              p2 -= lr * (look_ahead ? g + nine_tenths * m2 : m2);
            });
      }
    }
    check(
        "sgd without momentum",
        [&](const T* g, T* p1, T*, T*) {
          kernels::sgd_update<T>({0.1, 0.01, 0, 1, false, false}, g, nullptr, p1, count);
        },
        [&](T g, T& p2, T&, T&) { p2 -= lr * (g + decay * p2); });
    check(
        "adagrad", [&](const T* g, T* p1, T*, T* v1) { kernels::adagrad_update<T>(0.1, 0.01, 1e-8, g, v1, p1, count); },
        [&](T g, T& p2, T&, T& v2) {
          g += decay * p2;
          v2 += g * g;
          p2 -= lr * g / (std::sqrt(v2) + eps);
        });
    check(
        "rmsprop",
        [&](const T* g, T* p1, T*, T* v1) {
          kernels::rmsprop_update<T>({0.1, 0.01, 0.9, 1e-8, 0}, g, v1, nullptr, nullptr, p1, count);
        },
        [&](T g, T& p2, T&, T& v2) {
          g += decay * p2;
          v2 = nine_tenths * v2 + one_tenth * g * g;
          p2 -= lr * (g / (std::sqrt(v2) + eps));
        });
    check(
        "rmsprop, centred",
        [&](const T* g, T* p1, T* m1, T* v1) {
          kernels::rmsprop_update<T>({0.1, 0.01, 0.9, 1e-8, 0}, g, v1, m1, nullptr, p1, count);
        },
        [&](T g, T& p2, T& m2, T& v2) {
          g += decay * p2;
          v2 = nine_tenths * v2 + one_tenth * g * g;
          m2 = nine_tenths * m2 + one_tenth * g;
          T variance = v2 - m2 * m2;
          if (variance < 0) variance = 0;
          p2 -= lr * (g / (std::sqrt(variance) + eps));
        });
    check(
        "rmsprop with momentum",
        [&](const T* g, T* p1, T* m1, T* v1) {
          kernels::rmsprop_update<T>({0.1, 0.01, 0.9, 1e-8, 0.9}, g, v1, nullptr, m1, p1, count);
        },
        [&](T g, T& p2, T& m2, T& v2) {
          g += decay * p2;
          v2 = nine_tenths * v2 + one_tenth * g * g;
          m2 = nine_tenths * m2 + g / (std::sqrt(v2) + eps);
          p2 -= lr * m2;
        });
    std::vector<T> most1 = drawn<T>(count + 6, 5), most2 = most1;
    for (bool amsgrad : {false, true}) {
      std::size_t next = start;
      check(
          "adam",
          [&](const T* g, T* p1, T* m1, T* v1) {
            kernels::adam_update<T>({0.1, 0.01, 0.9, 0.9, 1e-8, 0.99, 0.19, 0.36}, g, m1, v1,
                                    amsgrad ? most1.data() + start : nullptr, p1, count);
          },
          [&](T g, T& p2, T& m2, T& v2) {
            g += decay * p2;
            m2 = nine_tenths * m2 + one_tenth * g;
            v2 = nine_tenths * v2 + one_tenth * g * g;
            T& most = most2[next++];
            if (amsgrad && !(v2 <= most)) most = v2;
            const T root = number(1 / std::sqrt(0.36));
            p2 = p2 * number(0.99) - number(0.1 / 0.19) * m2 / (std::sqrt(amsgrad ? most : v2) * root + eps);
          });
      CHECK(same(most1, most2));
    }
  }
}
