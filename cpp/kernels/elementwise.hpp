// Functions of one variable applied to many numbers.
#pragma once

#include <cstddef>

namespace attn::kernels {

enum class Function { exp, log, sqrt, tanh, log_sigmoid, relu, gelu_erf, gelu_tanh };

// y[i] = function(x[i])
template <typename T>
void apply(Function function, const T* x, T* y, std::size_t count);

// x_gradient[i] += y_gradient[i] function'(x[i]), where y[i] = function(x[i])
template <typename T>
void apply_backward(Function function, const T* x, const T* y, const T* y_gradient, T* x_gradient, std::size_t count);

// function(x)
template <typename T>
T value(Function function, T x);

// function'(x), where y = function(x)
double slope(Function function, double x, double y);

// The factor of x in GELU: 1/2 (1 + erf(x / sqrt(2))), or its tanh approximation.
template <typename T>
T gelu_erf_gate(T x);
template <typename T>
T gelu_tanh_gate(T x);

}  // namespace attn::kernels
