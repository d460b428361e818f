// Activations, dropout and the layers around them, against reference numbers; special values.
#include <limits>

#include "golden.hpp"
#include "ops/add.hpp"
#include "ops/dropout.hpp"
#include "ops/exp.hpp"
#include "ops/gelu.hpp"
#include "ops/layer_norm.hpp"
#include "ops/linear.hpp"
#include "ops/log.hpp"
#include "ops/log_sigmoid.hpp"
#include "ops/relu.hpp"
#include "ops/sqrt.hpp"
#include "ops/tanh.hpp"

using attn::Graph;
using attn::Tensor;
using golden::Json;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <typename T>
Tensor<T> activate(const Tensor<T>& x, const std::string& activation) {
  if (activation == "relu") return attn::relu(x);
  return attn::gelu(x, {.variant = activation == "gelu_erf" ? "erf" : "tanh"});
}

// A function of one number, and its derivative.
struct Point {
  double value = 0;
  double slope = 0;
};

Point at(Tensor<double> (*function)(const Tensor<double>&, std::string), double x) {
  Graph<double> graph;
  const Tensor<double> leaf = graph.leaf("x", attn::full<double>({}, x));
  const Tensor<double> y = function(leaf, "y");
  graph.backward(y.id);
  return {y.value().data()[0], graph.node(leaf.id).gradient->data()[0]};
}

}  // namespace

TEMPLATE_TEST_CASE("Activations give PyTorch's numbers", "", float, double) {
  for (const Json& test : golden::cases("ffn")) {
    Graph<TestType> graph;
    const auto leaf = [&](const char* name) { return graph.leaf(name, golden::array<TestType>(test["inputs"][name])); };
    const std::string activation = test["params"]["activation"].get<std::string>();
    const Tensor<TestType> x = leaf("x");
    if (test["params"]["op"] == "activation") {
      golden::check<TestType>(test, "y", activate(x, activation).value());
      continue;
    }
    const Tensor<TestType> w1 = leaf("w1"), b1 = leaf("b1"), w2 = leaf("w2"), b2 = leaf("b2");
    const Tensor<TestType> hidden = activate(attn::linear(x, w1, b1), activation);
    golden::check<TestType>(test, "hidden", hidden.value());
    golden::check<TestType>(test, "y", attn::linear(hidden, w2, b2).value());
  }
}

TEMPLATE_TEST_CASE("Dropout keeps the cells that the draw selects", "", float, double) {
  for (const Json& test : golden::cases("dropout")) {
    Graph<TestType> graph;
    const auto leaf = [&](const char* name) { return graph.leaf(name, golden::array<TestType>(test["inputs"][name])); };
    const double p = test["params"]["p"].get<double>();
    const Tensor<TestType> x = leaf("x");
    if (test["params"]["op"] == "residual") {
      const Tensor<TestType> sum = attn::add(x, attn::dropout(leaf("f"), leaf("u"), p));
      golden::check<TestType>(test, "sum", sum.value());
      golden::check<TestType>(test, "y", attn::layer_norm(sum).value());
    } else if (test["params"]["training"].get<bool>()) {
      golden::check<TestType>(test, "y", attn::dropout(x, leaf("u"), p).value());
    } else {
      golden::check<TestType>(test, "y", x.value());
    }
  }
}

TEST_CASE("Functions of one number are right at special values") {
  const double nan = std::nan("");
  CHECK(at(attn::relu<double>, -0.0).slope == 0);
  CHECK(std::isnan(at(attn::relu<double>, nan).value));
  CHECK(at(attn::exp<double>, -kInfinity).value == 0);
  CHECK(at(attn::log<double>, 0).value == -kInfinity);
  CHECK(std::isnan(at(attn::log<double>, -1).value));
  CHECK(at(attn::sqrt<double>, 0).slope == 0);
  CHECK(std::isnan(at(attn::sqrt<double>, -1).value));
  CHECK(at(attn::tanh<double>, 1000).value == 1);
  CHECK(at(attn::tanh<double>, 1000).slope == 0);
  CHECK(at(attn::log_sigmoid<double>, -1000).value == -1000);
  CHECK(at(attn::log_sigmoid<double>, -1000).slope == 1);
  CHECK(at(attn::log_sigmoid<double>, 1000).value == 0);
  CHECK(at(attn::log_sigmoid<double>, 1000).slope == 0);
  CHECK(at(attn::log_sigmoid<double>, 0).value == Catch::Approx(-std::log(2)));
  for (const char* variant : {"erf", "tanh"}) {
    for (double x : {-1e200, -40.0, 40.0, 1e100}) {
      Graph<double> graph;
      const Tensor<double> leaf = graph.leaf("x", attn::full<double>({}, x));
      const Tensor<double> y = attn::gelu(leaf, {.variant = variant});
      graph.backward(y.id);
      INFO(variant << " " << x);
      CHECK(y.value().data()[0] == (x > 0 ? x : 0));
      CHECK(graph.node(leaf.id).gradient->data()[0] == (x > 0 ? 1 : 0));
    }
  }
}
