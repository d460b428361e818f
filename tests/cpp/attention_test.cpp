// Attention as its steps and as one fused op, against PyTorch's numbers and each other.
#include "ops/attention.hpp"

#include "golden.hpp"
#include "ops/add.hpp"
#include "ops/mask.hpp"
#include "ops/matmul.hpp"
#include "ops/scale.hpp"
#include "ops/softmax.hpp"
#include "ops/transpose.hpp"
#include "tensor/random.hpp"

using attn::Array;
using attn::AttentionOptions;
using attn::Graph;
using attn::Tensor;

namespace {

template <typename T>
struct Steps {
  Tensor<T> weights, output;
};

template <typename T>
Steps<T> steps(const Tensor<T>& query, const Tensor<T>& key, const Tensor<T>& value,
               const AttentionOptions<T>& options) {
  Tensor<T> scores = attn::matmul(query, attn::transpose(key));
  attn::ScaleOptions scale{options.factor, options.divisor};
  if (!scale.factor && !scale.divisor) scale.divisor = std::sqrt(static_cast<double>(query.shape().back()));
  scores = attn::scale(scores, scale);
  if (options.temperature) scores = attn::scale(scores, {.divisor = options.temperature});
  if (options.bias) scores = attn::add(scores, *options.bias);
  if (options.keep) scores = attn::mask(scores, *options.keep, options.fill);
  const Tensor<T> weights = attn::softmax(scores, {.empty_is_zero = true});
  return {weights, attn::matmul(weights, value)};
}

// The mask of a case as options, in the meanings of its convention.
template <typename T>
AttentionOptions<T> options_of(const golden::Json& test, Graph<T>& graph, std::size_t queries, std::size_t keys) {
  const golden::Json& params = test["params"];
  const std::string mask = params["mask"].get<std::string>();
  AttentionOptions<T> options;
  if (params.contains("scale")) options.factor = params["scale"].get<double>();
  if (params.contains("temperature")) options.temperature = params["temperature"].get<double>();
  if (mask == "none") return options;
  if (mask == "causal_top_left" || mask == "causal_bottom_right") {
    Array<T> keep = attn::full<T>({queries, keys}, T(0));
    for (std::size_t i = 0; i < queries; ++i)
      for (std::size_t j = 0; j < keys; ++j)
        keep.data()[i * keys + j] = mask == "causal_top_left" ? j <= i : j + queries <= i + keys;
    options.keep = graph.leaf("mask", std::move(keep));
    return options;
  }
  const Tensor<T> given = graph.leaf("mask", golden::array<T>(test["inputs"]["mask"]));
  if (mask == "additive_times_-1e9") {
    options.bias = attn::scale(given, {.factor = -1e9});
  } else if (mask == "additive") {
    options.bias = given;
  } else {
    REQUIRE((mask == "bool_keep" || mask == "fill_keep_-1e9"));
    options.keep = given;
    if (mask == "fill_keep_-1e9") options.fill = -1e9;
  }
  return options;
}

}  // namespace

TEMPLATE_TEST_CASE("Attention gives PyTorch's numbers, fused and in steps", "", float, double) {
  for (const golden::Json& test : golden::cases("sdpa")) {
    INFO(test["name"].get<std::string>());
    Graph<TestType> graph;
    const Tensor<TestType> query = graph.leaf("query", golden::array<TestType>(test["inputs"]["q"]));
    const Tensor<TestType> key = graph.leaf("key", golden::array<TestType>(test["inputs"]["k"]));
    const Tensor<TestType> value = graph.leaf("value", golden::array<TestType>(test["inputs"]["v"]));
    const AttentionOptions<TestType> options = options_of(test, graph, query.shape().end()[-2], key.shape().end()[-2]);
    if (test["expected"].contains("error")) {
      const std::size_t size = graph.size();
      CHECK_THROWS_AS(attn::attention(query, key, value, options), attn::InputError);
      CHECK(graph.size() == size);
      continue;
    }
    const std::string policy = test["expected"].contains("output_zero_policy") ? "_zero_policy" : "";
    const Steps<TestType> observed = steps(query, key, value, options);
    golden::check<TestType>(test, "weights" + policy, observed.weights.value());
    golden::check<TestType>(test, "output" + policy, observed.output.value());
    const Tensor<TestType> fused = attn::attention(query, key, value, options);
    golden::check<TestType>(test, "output" + policy, fused.value());
  }
}

namespace {

template <typename T>
Tensor<T> normal(Graph<T>& graph, const std::string& name, attn::RandomState& random, const attn::Shape& shape) {
  Array<T> array = attn::full<T>(shape, T(0));
  for (std::size_t i = 0; i < array.size(); ++i) array.data()[i] = static_cast<T>(random.randn());
  return graph.leaf(name, std::move(array));
}

template <typename T>
void check_equal(const Array<T>& got, const Array<T>& expected, double tolerance) {
  REQUIRE(attn::shape_of(got) == attn::shape_of(expected));
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double want = expected.data()[i];
    REQUIRE(std::abs(got.data()[i] - want) <= tolerance * (1 + std::abs(want)));
  }
}

}  // namespace

TEMPLATE_TEST_CASE("Fused attention equals its steps, values and gradients", "", float, double) {
  const double tolerance = std::is_same_v<TestType, double> ? 1e-13 : 1e-4;
  for (std::uint32_t kind = 0; kind < 24; ++kind) {
    INFO("kind " << kind);
    attn::RandomState random(kind);
    Graph<TestType> graph;
    const std::size_t queries = 1 + kind % 11;
    const std::size_t keys = 1 + kind % 7;
    const Tensor<TestType> query = normal(graph, "query", random, {2, 3, queries, 5});
    const Tensor<TestType> key =
        normal(graph, "key", random, kind % 4 == 1 ? attn::Shape{keys, 5} : attn::Shape{2, 1, keys, 5});
    const Tensor<TestType> value = normal(graph, "value", random, {2, 3, keys, 3});
    AttentionOptions<TestType> options;
    if (kind % 2 == 1) options.bias = normal(graph, "bias", random, {3, 1, keys});
    if (kind % 3 == 1) options.factor = 0.7;
    if (kind % 5 == 1) options.temperature = 1.7;
    if (kind % 6 >= 3) {
      Array<TestType> keep = attn::full<TestType>({2, 1, queries, keys}, TestType(0));
      for (std::size_t i = 0; i < keep.size(); ++i) keep.data()[i] = static_cast<TestType>(random.randint(0, 2));
      options.keep = graph.leaf("keep", std::move(keep));
      if (kind % 6 == 5) options.fill = -1;
    }
    const Tensor<TestType> observed = steps(query, key, value, options).output;
    const Tensor<TestType> fused = attn::attention(query, key, value, options);
    check_equal(fused.value(), observed.value(), tolerance);
    if constexpr (std::is_same_v<TestType, double>) CHECK(fused.value() == observed.value());

    Array<TestType> upstream = fused.value();
    for (std::size_t i = 0; i < upstream.size(); ++i) upstream.data()[i] = static_cast<TestType>(random.randn());
    graph.backward(observed.id, upstream);
    std::vector<Array<TestType>> expected;
    for (const char* name : {"query", "key", "value", "bias"})
      if (name != std::string("bias") || options.bias) expected.push_back(*graph.node(graph.at(name).id).gradient);
    graph.backward(fused.id, upstream);
    std::size_t i = 0;
    for (const char* name : {"query", "key", "value", "bias"})
      if (name != std::string("bias") || options.bias)
        check_equal(*graph.node(graph.at(name).id).gradient, expected[i++], 10 * tolerance);
  }
}

TEST_CASE("Fused attention keeps no L x S matrix") {
  // 3000 x 3000 weights alone would take 72 MB.
  Graph<double> graph({.max_bytes = 4 * 1024 * 1024});
  const Tensor<double> query = graph.leaf("query", attn::full<double>({3000, 8}, 0.1));
  const std::size_t before = attn::live_bytes;
  attn::attention(query, query, query);
  CHECK(attn::live_bytes - before == 3000 * 8 * sizeof(double));
  CHECK_THROWS_AS(attn::matmul(query, attn::transpose(query)), attn::MemoryError);
}
