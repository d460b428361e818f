// Comparison of rows and counts of cells, against reference numbers and at special values.
#include <algorithm>
#include <limits>
#include <numeric>

#include "golden.hpp"
#include "ops/add.hpp"
#include "ops/conv1d.hpp"
#include "ops/cosine_similarity.hpp"
#include "ops/entropy.hpp"
#include "ops/histogram.hpp"
#include "ops/matmul.hpp"
#include "ops/multiply.hpp"
#include "ops/one_hot.hpp"
#include "ops/reshape.hpp"
#include "ops/slice.hpp"
#include "ops/sqrt.hpp"
#include "ops/subtract.hpp"
#include "ops/sum.hpp"
#include "ops/transpose.hpp"

using attn::Array;
using attn::Graph;
using attn::Shape;
using attn::Tensor;
using golden::Json;

namespace {

Array<double> numbers(const Shape& shape, const std::vector<double>& values) {
  Array<double> array = attn::full<double>(shape, 0);
  std::copy(values.begin(), values.end(), array.data());
  return array;
}

// The rows by descending cosine to `query`, without those in `excluded`.
template <typename T>
std::vector<std::size_t> nearest(const Tensor<T>& vectors, const Tensor<T>& query, const std::vector<int>& excluded) {
  const Tensor<T> cosine = attn::cosine_similarity(vectors, query);
  std::vector<std::size_t> order;
  for (std::size_t row = 0; row < cosine.value().size(); ++row)
    if (std::find(excluded.begin(), excluded.end(), static_cast<int>(row)) == excluded.end()) order.push_back(row);
  const T* const values = cosine.value().data();
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return values[a] != values[b] ? values[a] > values[b] : a < b; });
  return order;
}

template <typename T>
void check_pairs(const Json& test, const Tensor<T>& vectors) {
  const std::size_t rows = vectors.shape()[0];
  const std::size_t width = vectors.shape()[1];
  const Tensor<T> as_rows = attn::reshape(vectors, {rows, 1, width});
  const Tensor<T> difference = attn::subtract(as_rows, vectors);
  golden::check<T>(test, "dot", attn::matmul(vectors, attn::transpose(vectors)).value());
  golden::check<T>(test, "cosine", attn::cosine_similarity(as_rows, vectors).value());
  golden::check<T>(
      test, "euclid",
      attn::sqrt(attn::sum(attn::multiply(difference, difference), {.axes = std::vector<int>{-1}})).value());
}

}  // namespace

TEMPLATE_TEST_CASE("Similarities give the reference numbers", "", float, double) {
  for (const Json& test : golden::cases("similarity")) {
    INFO(test["name"].get<std::string>());
    Graph<TestType> graph;
    const Json& params = test["params"];
    if (params["op"] == "bow") {
      const Tensor<TestType> ids = graph.leaf("ids", golden::array<TestType>(test["inputs"]["ids"]));
      const Tensor<TestType> words = attn::one_hot(ids, params["vocab"].get<std::size_t>());
      golden::check<TestType>(test, "counts", attn::sum(words, {.axes = std::vector<int>{0}}).value());
      continue;
    }
    const Tensor<TestType> vectors = graph.leaf("vectors", golden::array<TestType>(test["inputs"]["vectors"]));
    const auto row = [&](const char* name) {
      const std::size_t index = params[name].get<std::size_t>();
      return attn::slice(vectors, 0, index, index + 1);
    };
    if (params["op"] == "pairwise") {
      check_pairs(test, vectors);
    } else if (params["op"] == "nearest") {
      CHECK(nearest(vectors, row("query"), {params["query"].get<int>()}) ==
            test["expected"]["order"]["data"].get<std::vector<std::size_t>>());
    } else {
      const Tensor<TestType> query = attn::add(attn::subtract(row("b"), row("a")), row("c"));
      const std::vector<int> excluded = {params["a"].get<int>(), params["b"].get<int>(), params["c"].get<int>()};
      CHECK(nearest(vectors, query, excluded).front() == test["expected"]["answer"]["data"][0].get<std::size_t>());
    }
  }
}

TEST_CASE("The cosine with a row of zeros is 0, with gradient 0") {
  Graph<double> graph;
  const Tensor<double> a = graph.leaf("a", numbers({2, 2}, {0, 0, 3, 4}));
  const Tensor<double> b = graph.leaf("b", numbers({2}, {1, 0}));
  const Tensor<double> cosine = attn::cosine_similarity(a, b);
  CHECK(cosine.value().data()[0] == 0);
  CHECK(cosine.value().data()[1] == Catch::Approx(0.6));
  CHECK(graph.explain(cosine.id, {0}).rows.back().role == "zero");
  CHECK(graph.explain(cosine.id, {1}).rows.back().role == "quotient");
  graph.backward(cosine.id);
  CHECK(graph.node(a.id).gradient->data()[0] == 0);
  CHECK(graph.node(b.id).gradient->data()[1] == Catch::Approx(0.8));
}

TEST_CASE("An entropy treats 0 log 0 as 0") {
  Graph<double> graph;
  const Tensor<double> p = graph.leaf("p", numbers({2, 4}, {0, 1, 0, 0, 0.25, 0.25, 0.25, 0.25}));
  const Tensor<double> entropy = attn::entropy(p);
  CHECK(entropy.value().data()[0] == 0);
  CHECK(entropy.value().data()[1] == Catch::Approx(std::log(4)));
  graph.backward(entropy.id);
  CHECK(graph.node(p.id).gradient->data()[0] == 0);
  CHECK(graph.explain(entropy.id, {0}).rows.back().value == 0);
}

TEST_CASE("A histogram counts as NumPy's does") {
  Graph<double> graph;
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  const Tensor<double> x = graph.leaf("x", numbers({2, 4}, {0, 1, 1.5, 2, 2, -0.1, nan, infinity}));
  const auto counts = [&](const std::vector<double>& edges) {
    const Tensor<double> histogram_node = attn::histogram(x, graph.leaf("", numbers({edges.size()}, edges)));
    return std::vector<double>(histogram_node.value().data(),
                               histogram_node.value().data() + histogram_node.value().size());
  };
  CHECK(counts({0, 1, 2}) == std::vector<double>{1, 4});
  CHECK(counts({0, 1, 1, 2}) == std::vector<double>{1, 0, 4});
  CHECK(counts({0, 2, 2}) == std::vector<double>{3, 2});
  CHECK(counts({-infinity, infinity}) == std::vector<double>{7});
}

TEST_CASE("conv1d gives torch.nn.functional.conv1d's numbers") {
  Graph<double> graph;
  const Tensor<double> x = graph.leaf("x", numbers({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}));
  const Tensor<double> weight = graph.leaf("weight", numbers({1, 2, 3}, {1, 0, -1, 0.5, 1, 2}));
  const Tensor<double> bias = graph.leaf("bias", numbers({1}, {10}));
  const auto output = [&](const attn::Conv1dOptions& options) {
    const Tensor<double> y = attn::conv1d(x, weight, bias, options);
    return std::vector<double>(y.value().data(), y.value().data() + y.value().size());
  };
  // 1 - 3 + 5/2 + 6 + 14 + 10, ...; the last two of 3 taps are in the padding
  CHECK(output({}) == std::vector<double>{30.5, 34});
  CHECK(output({.padding = 1}) == std::vector<double>{25, 30.5, 34, 24.5});
  CHECK(output({.stride = 2, .padding = 1}) == std::vector<double>{25, 34});
  CHECK(output({.stride = 9, .padding = 4}) == std::vector<double>{10, 10});
}
