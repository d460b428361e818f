// Attention as separate steps and as one fused op, compared with PyTorch's numbers and with each other.
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

// The mask of a case as options, according to its convention.
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
  const Tensor<T> mask_leaf = graph.leaf("mask", golden::array<T>(test["inputs"]["mask"]));
  if (mask == "additive_times_-1e9") {
    options.bias = attn::scale(mask_leaf, {.factor = -1e9});
  } else if (mask == "additive") {
    options.bias = mask_leaf;
  } else {
    REQUIRE((mask == "bool_keep" || mask == "fill_keep_-1e9"));
    options.keep = mask_leaf;
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
    const double expected_number = expected.data()[i];
    REQUIRE(std::abs(got.data()[i] - expected_number) <= tolerance * (1 + std::abs(expected_number)));
  }
}

// Equal up to rounding, or both the same infinity or NaN.
template <typename T>
void check_alike(const Array<T>& got, const Array<T>& expected) {
  REQUIRE(attn::shape_of(got) == attn::shape_of(expected));
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double expected_number = expected.data()[i];
    const double have = got.data()[i];
    INFO("cell " << i << ": " << have << ", expected " << expected_number);
    REQUIRE(std::isnan(have) == std::isnan(expected_number));
    if (!std::isnan(expected_number))
      REQUIRE((have == expected_number || std::abs(have - expected_number) <= 2e-5 * (1 + std::abs(expected_number))));
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

TEMPLATE_TEST_CASE("Fused attention equals its steps across tile borders", "", float, double) {
  const double tolerance = std::is_same_v<TestType, double> ? 1e-13 : 2e-5;
  struct Sizes {
    std::size_t queries, keys, width, value_width;
  };
  std::uint32_t kind = 0;
  for (const Sizes sizes : {Sizes{1, 1, 1, 1},
                            {4, 4, 3, 3},
                            {20, 20, 16, 16},
                            {17, 513, 5, 9},
                            {18, 512, 8, 8},
                            {19, 511, 7, 4},
                            {23, 257, 7, 4},
                            {24, 256, 8, 8},
                            {25, 255, 5, 9},
                            {37, 1040, 16, 3},
                            {3, 4096, 2, 3},
                            {7, 4097, 2, 3},
                            {5, 9000, 1, 2},
                            {130, 40, 2, 17}}) {
    for (const attn::Causal causal : {attn::Causal::none, attn::Causal::top_left, attn::Causal::bottom_right}) {
      for (const bool masked : {false, true}) {
        INFO(sizes.queries << " queries, " << sizes.keys << " keys, causal " << static_cast<int>(causal) << ", masked "
                           << masked);
        attn::RandomState random(++kind);
        Graph<TestType> graph;
        const Tensor<TestType> query = normal(graph, "query", random, {sizes.queries, sizes.width});
        const Tensor<TestType> key = normal(graph, "key", random, {sizes.keys, sizes.width});
        const Tensor<TestType> value = normal(graph, "value", random, {sizes.keys, sizes.value_width});
        Array<TestType> keep = attn::full<TestType>({sizes.queries, sizes.keys}, TestType(1));
        for (std::size_t i = 0; i < sizes.queries; ++i) {
          for (std::size_t j = 0; j < sizes.keys; ++j) {
            TestType& cell = keep.data()[i * sizes.keys + j];
            // Whole tiles of keys are hidden from some queries, and every key from the third query.
            if (masked && ((j >= 512 && i % 4 == 0) || (j < 512 && i % 4 == 1) || i == 2)) cell = 0;
            if (causal == attn::Causal::top_left && j > i) cell = 0;
            if (causal == attn::Causal::bottom_right && j + sizes.queries > i + sizes.keys) cell = 0;
          }
        }
        AttentionOptions<TestType> masked_options;
        masked_options.keep = graph.leaf("keep", std::move(keep));
        AttentionOptions<TestType> options;
        options.causal = causal;
        if (masked) options.keep = masked_options.keep;
        const Tensor<TestType> observed = steps(query, key, value, masked_options).output;
        const Tensor<TestType> fused = attn::attention(query, key, value, options);
        check_equal(fused.value(), observed.value(), tolerance);
        Array<TestType> upstream = fused.value();
        for (std::size_t i = 0; i < upstream.size(); ++i) upstream.data()[i] = static_cast<TestType>(random.randn());
        std::vector<Array<TestType>> expected;
        graph.backward(observed.id, upstream);
        for (const char* name : {"query", "key", "value"}) expected.push_back(*graph.node(graph.at(name).id).gradient);
        graph.backward(fused.id, upstream);
        for (std::size_t i = 0; i < 3; ++i) check_equal(*graph.node(i).gradient, expected[i], 20 * tolerance);
      }
    }
  }
}

TEMPLATE_TEST_CASE("Fused attention gives NaN and infinity where its steps do", "", float, double) {
  using Limits = std::numeric_limits<TestType>;
  const std::vector<TestType> odd = {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(), Limits::denorm_min(),
                                     Limits::max()};
  for (std::size_t changed_input = 0; changed_input < 3; ++changed_input) {
    for (const TestType number : odd) {
      for (const std::size_t keys : {3, 131}) {
        INFO("input " << changed_input << ", " << number << ", " << keys << " keys");
        attn::RandomState random(9);
        Graph<TestType> graph;
        std::vector<Tensor<TestType>> inputs;
        for (std::size_t i = 0; i < 3; ++i) {
          Array<TestType> array = attn::full<TestType>({i == 0 ? 5 : keys, 4}, TestType(0));
          for (std::size_t k = 0; k < array.size(); ++k) array.data()[k] = static_cast<TestType>(random.randn());
          if (i == changed_input) array.data()[6] = number;
          inputs.push_back(graph.leaf({}, std::move(array)));
        }
        const Array<TestType>& expected = steps<TestType>(inputs[0], inputs[1], inputs[2], {}).output.value();
        const Array<TestType>& fused = attn::attention(inputs[0], inputs[1], inputs[2]).value();
        check_alike(fused, expected);
      }
    }
  }
}

TEMPLATE_TEST_CASE("Fused attention gives NaN for infinite values that are hidden, as its steps do", "", float,
                   double) {
  using Limits = std::numeric_limits<TestType>;
  constexpr std::size_t kKeys = 45;  // three tiles of queries
  for (const TestType number : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()}) {
    for (const attn::Causal causal : {attn::Causal::top_left, attn::Causal::bottom_right}) {
      for (const std::size_t queries : {std::size_t(3), kKeys + 25}) {
        for (const std::size_t row : {0, 20, 44}) {
          INFO(number << " in row " << row << ", " << queries << " queries, causal " << static_cast<int>(causal));
          attn::RandomState random(7);
          Graph<TestType> graph;
          const Tensor<TestType> query = normal(graph, "query", random, {queries, 3});
          const Tensor<TestType> key = normal(graph, "key", random, {kKeys, 3});
          const Tensor<TestType> value = normal(graph, "value", random, {kKeys, 4});
          graph.set_cell(value.id, {row, 2}, number);
          Array<TestType> keep = attn::full<TestType>({queries, kKeys}, TestType(0));
          for (std::size_t i = 0; i < queries; ++i)
            for (std::size_t j = 0; j < kKeys; ++j)
              keep.data()[i * kKeys + j] = causal == attn::Causal::top_left ? j <= i : j + queries <= i + kKeys;
          AttentionOptions<TestType> masked_options, options;
          masked_options.keep = graph.leaf("keep", std::move(keep));
          options.causal = causal;
          const Tensor<TestType> observed = steps(query, key, value, masked_options).output;
          const Tensor<TestType> fused = attn::attention(query, key, value, options);
          check_alike(fused.value(), observed.value());
          graph.backward(observed.id);
          std::vector<Array<TestType>> expected;
          for (std::size_t input = 0; input < 3; ++input) expected.push_back(*graph.node(input).gradient);
          graph.backward(fused.id);
          for (std::size_t input = 0; input < 3; ++input) check_alike(*graph.node(input).gradient, expected[input]);
        }
      }
    }
  }
}

TEST_CASE("Fused attention stores no L x S matrix") {
  // 3000 x 3000 weights alone would take 72 MB.
  Graph<double> graph({.max_bytes = 4 * 1024 * 1024});
  const Tensor<double> query = graph.leaf("query", attn::full<double>({3000, 8}, 0.1));
  const std::size_t before = attn::live_bytes;
  attn::attention(query, query, query);
  CHECK(graph.bytes() == 2 * 3000 * 8 * sizeof(double));
  CHECK(attn::live_bytes - before < 4 * 1024 * 1024);  // the output, and the scratch memory that the graph keeps
  CHECK_THROWS_AS(attn::matmul(query, attn::transpose(query)), attn::MemoryError);
}

TEST_CASE("Keys without columns are counted, whatever their number") {
  // Rounded up to whole panels in 32 bits, their number would be 0.
  constexpr std::size_t kKeys = std::numeric_limits<std::uint32_t>::max();
  Graph<float> graph;
  const Tensor<float> query = graph.leaf("", attn::full<float>({1, 0}, 0));
  const Tensor<float> key = graph.leaf("", attn::full<float>({kKeys, 0}, 0));
  CHECK_THROWS_AS(attn::attention(query, key, key), attn::MemoryError);
}
