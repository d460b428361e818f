// Layer normalisation and its parts against reference numbers.
#include "ops/layer_norm.hpp"

#include "golden.hpp"
#include "ops/divide.hpp"
#include "ops/mean.hpp"
#include "ops/multiply.hpp"
#include "ops/subtract.hpp"
#include "ops/sum.hpp"

using attn::Graph;
using attn::Tensor;
using golden::Json;

TEMPLATE_TEST_CASE("layer_norm equals PyTorch's, with the biased and the unbiased variance", "", float, double) {
  for (const Json& test : golden::cases("layer_norm")) {
    Graph<TestType> graph;
    const auto leaf = [&](const char* name) { return graph.leaf(name, golden::array<TestType>(test["inputs"][name])); };
    const bool unbiased = test["params"]["variance"] == "unbiased";
    const Tensor<TestType> x = leaf("x");
    std::optional<Tensor<TestType>> weight, bias;
    if (test["inputs"].contains("gamma")) weight = leaf("gamma");
    if (test["inputs"].contains("beta")) bias = leaf("beta");
    const attn::LayerNormOptions options{.eps = test["params"]["eps"].get<double>(), .unbiased = unbiased};
    golden::check<TestType>(test, "y", attn::layer_norm(x, weight, bias, options).value());

    const attn::ReductionOptions rows{.axes = std::vector<int>{-1}};
    const Tensor<TestType> centred = attn::subtract(x, attn::mean(x, {.axes = std::vector<int>{-1}, .keepdim = true}));
    const Tensor<TestType> squares = attn::sum(attn::multiply(centred, centred), rows);
    const TestType n = static_cast<TestType>(x.shape().back());
    const Tensor<TestType> count = graph.leaf("count", attn::full<TestType>({}, unbiased ? n - 1 : n));
    golden::check<TestType>(test, "mean", attn::mean(x, rows).value());
    golden::check<TestType>(test, "var", attn::divide(squares, count).value());
  }
}

TEST_CASE("A row of one number has no unbiased variance") {
  Graph<double> graph;
  const Tensor<double> x = graph.leaf("x", attn::full<double>({2, 1}, 3));
  const Tensor<double> y = attn::layer_norm(x, {}, {}, {.unbiased = true});
  CHECK(std::isnan(y.value().data()[0]));
  CHECK(std::isnan(graph.explain(y.id, {1, 0}).rows.back().value.value()));
  graph.backward(y.id);
  CHECK(std::isnan(graph.node(x.id).gradient->data()[0]));
  CHECK(attn::layer_norm(x).value().data()[0] == 0);
}
