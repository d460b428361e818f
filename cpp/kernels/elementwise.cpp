// Functions of one number, over many.
#include "kernels/elementwise.hpp"

#include <cmath>
#include <numbers>

namespace attn::kernels {
namespace {

// The inner function of gelu_tanh: sqrt(2/pi) (x + kCubic x^3).
constexpr double kCubic = 0.044715;
const double kOuter = std::sqrt(2 / std::numbers::pi);

template <typename T>
T gelu_tanh_inner(T x) {
  return static_cast<T>(kOuter) * (x + static_cast<T>(kCubic) * x * x * x);
}

// Calls visit with the pair (function, derivative given x and y) that `function` names.
template <typename T, typename Visit>
void with(Function function, Visit visit) {
  switch (function) {
    case Function::exp:
      return visit([](T x) { return std::exp(x); }, [](T, T y) { return y; });
    case Function::log:
      return visit([](T x) { return std::log(x); }, [](T x, T) { return 1 / x; });
    case Function::sqrt:
      return visit([](T x) { return std::sqrt(x); }, [](T, T y) { return y == 0 ? T(0) : 1 / (2 * y); });
    case Function::tanh:
      return visit([](T x) { return std::tanh(x); }, [](T, T y) { return 1 - y * y; });
    case Function::log_sigmoid:
      return visit([](T x) { return (x < 0 ? x : T(0)) - std::log1p(std::exp(-std::abs(x))); },
                   [](T x, T) {
                     const T small = std::exp(-std::abs(x));
                     return (x < 0 ? T(1) : small) / (1 + small);
                   });
    case Function::relu:
      return visit([](T x) { return x <= 0 ? T(0) : x; }, [](T x, T) { return x > 0 ? T(1) : T(0); });
    case Function::gelu_erf:
      return visit([](T x) { return x * gelu_erf_gate(x); },
                   [](T x, T) {
                     const T density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi_v<T>);
                     return gelu_erf_gate(x) + (density == 0 ? T(0) : x * density);
                   });
    case Function::gelu_tanh:
      return visit([](T x) { return x * gelu_tanh_gate(x); },
                   [](T x, T) {
                     const T outer = std::tanh(gelu_tanh_inner(x));
                     const T bend = 1 - outer * outer;
                     const T inner_slope = static_cast<T>(kOuter) * (1 + 3 * static_cast<T>(kCubic) * x * x);
                     return (1 + outer) / 2 + (bend == 0 ? T(0) : x * bend * inner_slope / 2);
                   });
  }
}

}  // namespace

template <typename T>
T gelu_erf_gate(T x) {
  return (1 + std::erf(x / std::numbers::sqrt2_v<T>)) / 2;
}

template <typename T>
T gelu_tanh_gate(T x) {
  return (1 + std::tanh(gelu_tanh_inner(x))) / 2;
}

template <typename T>
void apply(Function function, const T* x, T* y, std::size_t count) {
  with<T>(function, [&](auto value, auto) {
    for (std::size_t i = 0; i < count; ++i) y[i] = value(x[i]);
  });
}

template <typename T>
void apply_backward(Function function, const T* x, const T* y, const T* y_gradient, T* x_gradient, std::size_t count) {
  with<T>(function, [&](auto, auto derivative) {
    for (std::size_t i = 0; i < count; ++i) x_gradient[i] += y_gradient[i] * derivative(x[i], y[i]);
  });
}

double slope(Function function, double x, double y) {
  double result = 0;
  with<double>(function, [&](auto, auto derivative) { result = derivative(x, y); });
  return result;
}

template float gelu_erf_gate<float>(float);
template double gelu_erf_gate<double>(double);
template float gelu_tanh_gate<float>(float);
template double gelu_tanh_gate<double>(double);
template void apply<float>(Function, const float*, float*, std::size_t);
template void apply<double>(Function, const double*, double*, std::size_t);
template void apply_backward<float>(Function, const float*, const float*, const float*, float*, std::size_t);
template void apply_backward<double>(Function, const double*, const double*, const double*, double*, std::size_t);

}  // namespace attn::kernels
