// The attention layer: observed against fused, several masks, names, errors.
#include "nn/scaled_dot_product_attention.hpp"

#include "golden.hpp"
#include "refused_call.hpp"
#include "tensor/random.hpp"

using attn::Array;
using attn::AttentionMask;
using attn::Causal;
using attn::Graph;
using attn::RandomState;
using attn::ScaledDotProductAttentionOptions;
using attn::Shape;
using attn::Tensor;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <typename T>
Array<T> normal(RandomState& random, const Shape& shape) {
  Array<T> array = attn::full<T>(shape, T(0));
  for (std::size_t i = 0; i < array.size(); ++i) array.data()[i] = static_cast<T>(random.randn());
  return array;
}

// Random ones and zeros.
template <typename T>
Array<T> keep(RandomState& random, const Shape& shape) {
  Array<T> array = attn::full<T>(shape, T(0));
  for (std::size_t i = 0; i < array.size(); ++i) array.data()[i] = static_cast<T>(random.randint(0, 2));
  return array;
}

// The masks of a test, which are applied together.
struct Masks {
  bool boolean = false;
  bool added = false;
  double fill = -kInfinity;
  Causal causal = Causal::none;
  bool key = false;
};

struct Result {
  Array<double> output;
  Array<double> query_gradient, key_gradient, value_gradient;
};

// The same numbers in a graph that observes, and in one that does not.
Result attend(bool observe, const Masks& masks, std::optional<double> scale, std::optional<double> temperature) {
  RandomState random(7);
  Graph<double> graph({.observe = observe});
  const Tensor<double> query = graph.leaf("query", normal<double>(random, {2, 3, 4, 5}));
  const Tensor<double> key = graph.leaf("key", normal<double>(random, {2, 3, 6, 5}));
  const Tensor<double> value = graph.leaf("value", normal<double>(random, {2, 3, 6, 2}));
  ScaledDotProductAttentionOptions<double> options;
  options.scale = scale;
  options.temperature = temperature;
  options.causal = masks.causal;
  if (masks.boolean) options.mask = AttentionMask<double>{graph.leaf("mask", keep<double>(random, {4, 6}))};
  if (masks.added) {
    options.mask = AttentionMask<double>{graph.leaf("mask", normal<double>(random, {3, 1, 6}))};
    options.mask->kind = AttentionMask<double>::Kind::add;
  }
  if (options.mask) options.mask->fill = masks.fill;
  if (masks.key) options.key_mask = AttentionMask<double>{graph.leaf("key mask", keep<double>(random, {2, 1, 1, 6}))};
  const auto steps = scaled_dot_product_attention(query, key, value, options);
  CHECK(steps.weights.has_value() == (observe || graph.node(steps.output.id).op->name() == "matmul"));
  graph.backward(steps.output.id, normal<double>(random, {2, 3, 4, 2}));
  return {steps.output.value(), *graph.node(query.id).gradient, *graph.node(key.id).gradient,
          *graph.node(value.id).gradient};
}

void check_close(const Array<double>& got, const Array<double>& expected) {
  REQUIRE(attn::shape_of(got) == attn::shape_of(expected));
  for (std::size_t i = 0; i < got.size(); ++i) {
    INFO("cell " << i << ": got " << got.data()[i] << ", expected " << expected.data()[i]);
    REQUIRE(golden::within(got.data()[i], expected.data()[i], 1e-10, 1e-12));
  }
}

}  // namespace

TEST_CASE("Fused attention equals observed attention, values and gradients, for every combination of masks") {
  for (const bool boolean : {false, true}) {
    for (const bool added : {false, true}) {
      if (boolean && added) continue;
      for (const double fill : {-kInfinity, -1e9}) {
        for (const Causal causal : {Causal::none, Causal::top_left, Causal::bottom_right}) {
          for (const bool key : {false, true}) {
            const Masks masks{boolean, added, fill, causal, key};
            INFO("boolean " << boolean << ", added " << added << ", fill " << fill << ", causal "
                            << static_cast<int>(causal) << ", key mask " << key);
            const Result steps = attend(true, masks, {}, {});
            const Result fused = attend(false, masks, {}, {});
            check_close(fused.output, steps.output);
            check_close(fused.query_gradient, steps.query_gradient);
            check_close(fused.key_gradient, steps.key_gradient);
            check_close(fused.value_gradient, steps.value_gradient);
          }
        }
      }
    }
  }
}

TEST_CASE("Scale and temperature apply to both forms") {
  const Result plain = attend(true, {}, {}, {});
  for (const bool observe : {true, false}) {
    check_close(attend(observe, {}, 1 / std::sqrt(5.0), {}).output, plain.output);
    check_close(attend(observe, {}, 2 / std::sqrt(5.0), 2.0).output, plain.output);
    CHECK(attend(observe, {}, {}, 3.0).output != plain.output);
  }
}

TEMPLATE_TEST_CASE("The causal rule counts from the top left or the bottom right", "", float, double) {
  Graph<TestType> graph;
  const auto rows = [&](Causal causal, std::size_t queries, std::size_t keys) {
    const Tensor<TestType> mask = causal_mask(graph, causal, queries, keys);
    return std::vector<TestType>(mask.value().begin(), mask.value().end());
  };
  CHECK(rows(Causal::top_left, 2, 3) == std::vector<TestType>{1, 0, 0, 1, 1, 0});
  CHECK(rows(Causal::bottom_right, 2, 3) == std::vector<TestType>{1, 1, 0, 1, 1, 1});
  CHECK(rows(Causal::top_left, 3, 2) == std::vector<TestType>{1, 0, 1, 1, 1, 1});
  CHECK(rows(Causal::bottom_right, 3, 2) == std::vector<TestType>{0, 0, 1, 0, 1, 1});
}

TEST_CASE("A query whose keys are all hidden has zero weights and a zero output, in every form") {
  RandomState random(3);
  for (const bool observe : {true, false}) {
    Graph<double> graph({.observe = observe});
    const Tensor<double> query = graph.leaf("query", normal<double>(random, {3, 2}));
    const Tensor<double> key = graph.leaf("key", normal<double>(random, {2, 2}));
    const auto steps = scaled_dot_product_attention(query, key, key, {.causal = Causal::bottom_right});
    const Array<double>& output = steps.output.value();
    CHECK((output(0, 0) == 0 && output(0, 1) == 0));
    CHECK(output(1, 0) == key.value()(0, 0));
    if (observe) CHECK((steps.weights->value()(0, 0) == 0 && steps.weights->value()(0, 1) == 0));
    graph.backward(steps.output.id);
    CHECK(graph.node(query.id).gradient->data()[0] == 0);
  }
}

TEST_CASE("Observed steps have names, and unobserved attention is one node") {
  RandomState random(3);
  Graph<double> graph({.observe = true});
  const Tensor<double> x = graph.leaf("x", normal<double>(random, {3, 2}));
  ScaledDotProductAttentionOptions<double> options;
  options.mask = AttentionMask<double>{graph.leaf("mask", attn::full<double>({3, 3}, 1))};
  scaled_dot_product_attention(x, x, x, options);
  for (const char* name : {"K_T", "scores", "scaled", "masked", "weights", "output"}) CHECK_NOTHROW(graph.at(name));
  CHECK(graph.size() == 8);
  options.name = "second.";
  options.causal = Causal::top_left;
  options.temperature = 2;
  scaled_dot_product_attention(x, x, x, options);
  for (const char* name :
       {"K_T", "scores", "scaled", "tempered", "causal", "masked_by_mask", "masked", "weights", "output"})
    CHECK_NOTHROW(graph.at(std::string("second.") + name));

  Graph<double> fast;
  const Tensor<double> y = fast.leaf("x", normal<double>(random, {3, 2}));
  scaled_dot_product_attention(y, y, y, {.name = "fast."});
  CHECK(fast.size() == 2);
  CHECK(fast.at("fast.output").value() == fast.node(1).value);
}

TEST_CASE("Errors of attention name the argument and both shapes") {
  for (const bool observe : {true, false}) {
    Graph<double> graph({.observe = observe});
    const auto leaf = [&](const Shape& shape) { return graph.leaf("", attn::full<double>(shape, 1)); };
    const auto message = [&](const Shape& query, const Shape& key, const Shape& value,
                             ScaledDotProductAttentionOptions<double> options = {}) {
      return refusal([&] { scaled_dot_product_attention(leaf(query), leaf(key), leaf(value), options); });
    };
    const std::string start = "scaled_dot_product_attention: ";
    CHECK(message({2, 3}, {2, 4}, {2, 3}) == start + "key has shape (2, 4), expected 3 columns to match query (2, 3)");
    CHECK(message({2, 3}, {4, 3}, {5, 3}) == start + "value has shape (5, 3), expected 4 rows to match key (4, 3)");
    CHECK(message({3}, {4, 3}, {4, 3}) == start + "query has shape (3,), expected at least 2 axes");
    CHECK(message({2, 2, 3}, {3, 4, 3}, {4, 3}).find("leading axes of key") != std::string::npos);
    CHECK(message({2, 3}, {4, 3}, {4, 3}, {.mask = AttentionMask<double>{leaf({3, 4})}}) ==
          start + "mask has shape (3, 4), expected one that broadcasts to the scores (2, 4)");
    CHECK(message({2, 3}, {4, 3}, {4, 3}, {.temperature = 0.0}) ==
          start + "temperature is 0, expected a number above 0");
  }
}

TEST_CASE("Without scaling, the weights come from the unscaled scores, observed and fused") {
  std::vector<Array<double>> outputs;
  for (const bool observe : {true, false}) {
    Graph<double> graph({.observe = observe});
    RandomState random(3);
    const Tensor<double> x = graph.leaf("x", normal<double>(random, {4, 5}));
    const auto steps = scaled_dot_product_attention(x, x, x, {.scale = 7, .unscaled = true});
    CHECK_FALSE(steps.scaled.has_value());
    if (observe) CHECK(graph.node(steps.weights->id).inputs == std::vector<std::size_t>{steps.scores->id});
    outputs.push_back(steps.output.value());
    const Tensor<double> by_one = scaled_dot_product_attention(x, x, x, {.scale = 1, .name = "one."}).output;
    CHECK(by_one.value() == outputs.back());
  }
  for (std::size_t i = 0; i < outputs[0].size(); ++i)
    CHECK(outputs[0].data()[i] == Catch::Approx(outputs[1].data()[i]).epsilon(1e-13));
}

TEST_CASE("A scale by the square root of the width is explained by the width") {
  Graph<double> graph({.observe = true});
  RandomState random(3);
  const Tensor<double> x = graph.leaf("x", normal<double>(random, {4, 3}));
  const auto steps = scaled_dot_product_attention(x, x, x);
  const attn::Attributes attributes = graph.node(steps.scaled->id).op->attributes();
  CHECK(attributes.at("divisor") == attn::Attribute(std::sqrt(3.0)));
  CHECK(attributes.at("sqrt_divisor") == attn::Attribute(3.0));
}
