// Functions of one variable applied to many numbers, one vector of lanes at a time.
#include "kernels/elementwise.hpp"

#include <algorithm>
#include <numbers>

#include "kernels/erf.hpp"
#include "kernels/exp.hpp"
#include "kernels/log.hpp"
#include "kernels/tanh.hpp"

namespace attn::kernels {
namespace {

// The argument of tanh in gelu_tanh is kTanhScale (x + kCubic x^3), where kTanhScale = sqrt(2 / pi).
constexpr double kCubic = 0.044715;
const double kTanhScale = std::sqrt(2 / std::numbers::pi);

template <typename T>
struct Functions {
  using Vector = Lanes<T>;

  static Vector number(double x) { return splat(static_cast<T>(x)); }

  static Vector gelu_erf_gate(const Vector& x) {
    return (number(1) + erf(x * number(1 / std::numbers::sqrt2))) * number(0.5);
  }

  static Vector gelu_tanh_value(const Vector& x) { return tanh(number(kTanhScale) * (x + number(kCubic) * x * x * x)); }

  static Vector gelu_tanh_gate(const Vector& x) { return (number(1) + gelu_tanh_value(x)) * number(0.5); }

  // Calls visit(f, derivative) with two functions: y = f(x), and f'(x) as a function of x and y.
  template <typename Visit>
  static void visit_function(Function function, Visit visit) {
    switch (function) {
      case Function::exp:
        return visit([](const Vector& x) { return exp(x); }, [](const Vector&, const Vector& y) { return y; });
      case Function::log:
        return visit([](const Vector& x) { return log(x); },
                     [](const Vector& x, const Vector&) { return number(1) / x; });
      case Function::sqrt:
        return visit([](const Vector& x) { return sqrt(x); },
                     [](const Vector&, const Vector& y) { return y == number(0) ? y : number(0.5) / y; });
      case Function::tanh:
        return visit([](const Vector& x) { return tanh(x); },
                     [](const Vector&, const Vector& y) { return number(1) - y * y; });
      case Function::log_sigmoid:
        return visit(
            [](const Vector& x) {
              return (x < number(0) ? x : number(0)) - log_of_one_and<T>(exp_of_negative<T>(-absolute(x)));
            },
            [](const Vector& x, const Vector&) {
              const Vector power = exp_of_negative<T>(-absolute(x));
              return (x < number(0) ? number(1) : power) / (number(1) + power);
            });
      case Function::relu:
        return visit([](const Vector& x) { return x <= number(0) ? number(0) : x; },
                     [](const Vector& x, const Vector&) { return x > number(0) ? number(1) : number(0); });
      case Function::gelu_erf:
        return visit([](const Vector& x) { return x * gelu_erf_gate(x); },
                     [](const Vector& x, const Vector&) {
                       const Vector density =
                           exp_of_negative<T>(x * x * number(-0.5)) * number(1 / std::sqrt(2 * std::numbers::pi));
                       return gelu_erf_gate(x) + (density == number(0) ? density : x * density);
                     });
      case Function::gelu_tanh:
        return visit([](const Vector& x) { return x * gelu_tanh_gate(x); },
                     [](const Vector& x, const Vector&) {
                       const Vector tanh_value = gelu_tanh_value(x);
                       const Vector tanh_derivative = number(1) - tanh_value * tanh_value;
                       const Vector inner_derivative = number(kTanhScale) * (number(1) + number(3 * kCubic) * x * x);
                       return (number(1) + tanh_value) * number(0.5) +
                              (tanh_derivative == number(0) ? tanh_derivative
                                                            : x * tanh_derivative * inner_derivative * number(0.5));
                     });
    }
  }
};

}  // namespace

template <typename T>
T gelu_erf_gate(T x) {
  return Functions<T>::gelu_erf_gate(splat(x))[0];
}

template <typename T>
T gelu_tanh_gate(T x) {
  return Functions<T>::gelu_tanh_gate(splat(x))[0];
}

template <typename T>
void apply(Function function, const T* x, T* y, std::size_t count) {
  Functions<T>::visit_function(function, [&](auto value, auto) {
    for (std::size_t i = 0; i < count; i += kLanes<T>)
      store_partial(y + i, value(load_partial(x + i, count - i)), count - i);
  });
}

template <typename T>
void apply_backward(Function function, const T* x, const T* y, const T* y_gradient, T* x_gradient, std::size_t count) {
  Functions<T>::visit_function(function, [&](auto, auto derivative_of) {
    for (std::size_t i = 0; i < count; i += kLanes<T>) {
      const std::size_t remaining = count - i;
      const Lanes<T> derivative = derivative_of(load_partial(x + i, remaining), load_partial(y + i, remaining));
      store_partial(x_gradient + i,
                    load_partial(x_gradient + i, remaining) + load_partial(y_gradient + i, remaining) * derivative,
                    remaining);
    }
  });
}

template <typename T>
T value(Function function, T x) {
  T y;
  apply(function, &x, &y, 1);
  return y;
}

double slope(Function function, double x, double y) {
  double result = 0;
  const double one = 1;
  apply_backward(function, &x, &y, &one, &result, 1);
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
template float value<float>(Function, float);
template double value<double>(Function, double);

}  // namespace attn::kernels
