// Test functions for optimizers, as nodes: the fit of a line and functions of a point in the plane.
#include "optim/test_surface.hpp"

#include <algorithm>
#include <array>

#include "ops/add.hpp"
#include "ops/mean.hpp"
#include "ops/multiply.hpp"
#include "ops/reshape.hpp"
#include "ops/scale.hpp"
#include "ops/slice.hpp"
#include "ops/subtract.hpp"
#include "ops/sum.hpp"

namespace attn {
namespace {

constexpr std::array<std::string_view, 4> kSurfaces = {"rosenbrock", "bowl", "saddle", "himmelblau"};

template <typename T>
std::string output_name(const Graph<T>& graph, const std::string& name, const char* step) {
  return graph.observe() || !name.empty() ? name + step : std::string();
}

// Sums, products and multiples of nodes, without names.
template <typename T>
struct Formula {
  Graph<T>& graph;

  Tensor<T> number(double value) const { return graph.leaf({}, full<T>({}, static_cast<T>(value))); }
  Tensor<T> square(const Tensor<T>& x) const { return multiply(x, x); }
  Tensor<T> times(double factor, const Tensor<T>& x) const { return scale(x, {.factor = factor, .divisor = {}}); }
};

}  // namespace

std::span<const std::string_view> test_surfaces() { return kSurfaces; }

template <typename T>
Tensor<T> line_fit_loss(const Tensor<T>& w, const Tensor<T>& b, const Tensor<T>& x, const Tensor<T>& y,
                        const std::string& name) {
  constexpr const char* kName = "line_fit_loss";
  if (!w.shape().empty()) refuse_shape(kName, "w", w.shape(), "()");
  if (!b.shape().empty()) refuse_shape(kName, "b", b.shape(), "()");
  if (x.shape().size() != 1 || x.shape()[0] == 0) refuse_shape(kName, "x", x.shape(), "(N)");
  if (y.shape() != x.shape()) refuse_shape(kName, "y", y.shape(), to_string(x.shape()) + ", the shape of x");
  const bool observe = w.graph->observe();
  const auto step_name = [&](const char* step) { return observe ? name + step : std::string(); };
  const Tensor<T> line = add(multiply(x, w, step_name("slope")), b, step_name("line"));
  const Tensor<T> residual = subtract(line, y, step_name("residual"));
  return mean(multiply(residual, residual, step_name("squares")), {}, output_name(*w.graph, name, "loss"));
}

template <typename T>
Tensor<T> test_surface(const Tensor<T>& point, std::string_view surface, const std::string& name) {
  if (std::find(kSurfaces.begin(), kSurfaces.end(), surface) == kSurfaces.end()) {
    refuse_option("test_surface", "surface", "\"" + std::string(surface) + "\"",
                  "rosenbrock, bowl, saddle or himmelblau");
  }
  Shape shape = point.shape();
  if (shape.empty() || shape.back() != 2) refuse_shape("test_surface", "point", shape, "(..., 2)");
  shape.pop_back();
  const Formula<T> f{*point.graph};
  const Tensor<T> x = reshape(slice(point, -1, 0, 1), shape);
  const Tensor<T> y = reshape(slice(point, -1, 1, 2), shape);
  const std::string loss_name = output_name(*point.graph, name, "loss");
  if (surface == "rosenbrock") {
    const Tensor<T> valley = subtract(y, f.square(x));
    return add(f.square(subtract(f.number(1), x)), f.times(100, f.square(valley)), loss_name);
  }
  if (surface == "bowl") {
    return scale(add(f.square(x), f.times(10, f.square(y))), {.factor = 0.5, .divisor = {}}, loss_name);
  }
  if (surface == "saddle") return subtract(f.square(x), f.square(y), loss_name);
  const Tensor<T> first = subtract(add(f.square(x), y), f.number(11));
  const Tensor<T> second = subtract(add(x, f.square(y)), f.number(7));
  return add(f.square(first), f.square(second), loss_name);
}

template <typename T>
Tensor<T> quadratic_loss(const Tensor<T>& p, const Tensor<T>& c, const std::string& name) {
  if (p.shape() != c.shape()) refuse_shape("quadratic_loss", "c", c.shape(), to_string(p.shape()) + ", the shape of p");
  const bool observe = p.graph->observe();
  const auto step_name = [&](const char* step) { return observe ? name + step : std::string(); };
  const Tensor<T> terms = multiply(c, multiply(p, p, step_name("squares")), step_name("terms"));
  return scale(sum(terms, {}, step_name("sum")), {.factor = 0.5}, output_name(*p.graph, name, "loss"));
}

#define INSTANTIATE(T)                                                                                     \
  template Tensor<T> line_fit_loss(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&, const Tensor<T>&, \
                                   const std::string&);                                                    \
  template Tensor<T> test_surface(const Tensor<T>&, std::string_view, const std::string&);                 \
  template Tensor<T> quadratic_loss(const Tensor<T>&, const Tensor<T>&, const std::string&)
INSTANTIATE(float);
INSTANTIATE(double);
#undef INSTANTIATE

}  // namespace attn
