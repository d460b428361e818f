// Compares the update kernels of the optimizers with the formulas for one number: both give the same bits.
#include <cmath>
#include <vector>

#include <catch_amalgamated.hpp>

#include "kernel_draws.hpp"
#include "kernels/updates.hpp"

namespace kernels = attn::kernels;
using kernel_draws::kMaxSize;
using kernel_draws::random_numbers;
using kernel_draws::same;

TEMPLATE_TEST_CASE("The update kernels of the optimizers equal the formulas for one number", "", float, double) {
  using T = TestType;
  const auto number = [](double x) { return static_cast<T>(x); };
  for (std::size_t count = 0; count <= kMaxSize; ++count) {
    const std::size_t start = count % 4;
    const std::vector<T> gradient = random_numbers<T>(count + 6, 1), p = random_numbers<T>(count + 6, 2),
                         m = random_numbers<T>(count + 6, 3);
    std::vector<T> v = random_numbers<T>(count + 6, 4);
    for (T& square : v) square = std::abs(square);
    // Runs an update kernel and the formula on copies of p, m and v and compares the copies.
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
    std::vector<T> max_v1 = random_numbers<T>(count + 6, 5), max_v2 = max_v1;
    for (bool amsgrad : {false, true}) {
      std::size_t next = start;
      check(
          "adam",
          [&](const T* g, T* p1, T* m1, T* v1) {
            kernels::adam_update<T>({0.1, 0.01, 0.9, 0.9, 1e-8, 0.99, 0.19, 0.36}, g, m1, v1,
                                    amsgrad ? max_v1.data() + start : nullptr, p1, count);
          },
          [&](T g, T& p2, T& m2, T& v2) {
            g += decay * p2;
            m2 = nine_tenths * m2 + one_tenth * g;
            v2 = nine_tenths * v2 + one_tenth * g * g;
            T& max_v = max_v2[next++];
            if (amsgrad && !(v2 <= max_v)) max_v = v2;
            const T root = number(1 / std::sqrt(0.36));
            p2 = p2 * number(0.99) - number(0.1 / 0.19) * m2 / (std::sqrt(amsgrad ? max_v : v2) * root + eps);
          });
      CHECK(same(max_v1, max_v2));
    }
  }
}
