// Test functions for optimizers, as nodes: the fit of a line and functions of a point in the plane.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tensor/graph.hpp"

namespace attn {

// loss = mean((w x + b - y)^2)
//
//   w, b  ()
//   x, y  (N)
//   ->    ()
//
// The steps are called line, residual and loss after the prefix `name`. The usual example fits y = 2x + 1 over x = 0
// ... 4 from w = b = 0 by 100 steps of SGD with lr 0.01. Throws InputError when the shapes disagree.
template <typename T>
Tensor<T> line_fit_loss(const Tensor<T>& w, const Tensor<T>& b, const Tensor<T>& x, const Tensor<T>& y,
                        const std::string& name = {});

// f(x, y) of a surface, for the point (2), or for many at once, (..., 2) -> (...):
//
//   "rosenbrock"  (1 - x)^2 + 100 (y - x^2)^2                   a curved valley, lowest at (1, 1)
//   "bowl"        (x^2 + 10 y^2) / 2                            steep one way, flat the other
//   "saddle"      x^2 - y^2                                     level at (0, 0), without a lowest point
//   "himmelblau"  (x^2 + y - 11)^2 + (x + y^2 - 7)^2            four lowest points
//
// Throws InputError for another name or a point that does not have two numbers.
template <typename T>
Tensor<T> test_surface(const Tensor<T>& point, std::string_view surface, const std::string& name = {});

// The names above.
std::span<const std::string_view> test_surfaces();

// f = sum of c p^2 / 2
//
//   p, c  (n)
//   ->    ()
template <typename T>
Tensor<T> quadratic_loss(const Tensor<T>& p, const Tensor<T>& c, const std::string& name = {});

}  // namespace attn
