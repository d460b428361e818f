// Feed-forward networks, activations and additive attention against reference numbers.
#include "nn/feed_forward.hpp"

#include "golden_layers.hpp"
#include "nn/additive_attention.hpp"
#include "tensor/random.hpp"

using attn::Graph;
using attn::Shape;
using golden::Json;
using golden::Leaves;

TEMPLATE_TEST_CASE("Feed-forward networks give the reference numbers", "", float, double) {
  using T = TestType;
  for (const Json& test : golden::cases("ffn")) {
    Graph<T> graph({.observe = true});
    Leaves<T> leaves(graph, test);
    const attn::Activation activation = attn::activation_named(test["params"]["activation"].get<std::string>());
    if (test["params"]["op"] == "activation") {
      golden::check<T>(test, "y", attn::activate(leaves.at("x"), activation).value());
      continue;
    }
    const auto parameters = leaves.parameters(
        {{"w1", "linear1.weight"}, {"b1", "linear1.bias"}, {"w2", "linear2.weight"}, {"b2", "linear2.bias"}});
    attn::FeedForwardOptions options;
    options.activation = activation;
    const auto steps = attn::feed_forward(leaves.at("x"), parameters, options);
    golden::check<T>(test, "hidden", steps.hidden.value());
    golden::check<T>(test, "y", steps.output.value());
  }
}

TEMPLATE_TEST_CASE("Additive attention gives the reference numbers", "", float, double) {
  using T = TestType;
  for (const Json& test : golden::cases("additive_attention")) {
    for (const bool observe : {true, false}) {
      Graph<T> graph({.observe = observe});
      Leaves<T> leaves(graph, test);
      const auto steps = attn::additive_attention<T>(leaves.at("q"), leaves.at("k"), leaves.at("v"),
                                                     {leaves.at("w_q"), leaves.at("w_k"), leaves.at("w_v")});
      golden::check<T>(test, "scores", steps.scores.value());
      golden::check<T>(test, "weights", steps.weights.value());
      golden::check<T>(test, "output", steps.output.value());
    }
  }
}

TEST_CASE("Additive attention takes batches and masks, and refuses shapes that do not fit") {
  Graph<double> graph({.observe = true});
  attn::RandomState random(3);
  const auto leaf = [&](const Shape& shape) {
    attn::Array<double> array = attn::full<double>(shape, 0);
    for (double& cell : array) cell = random.randn();
    return graph.leaf("", std::move(array));
  };
  const attn::AdditiveAttentionParameters<double> parameters{leaf({4, 5}), leaf({3, 5}), leaf({5})};
  const auto q = leaf({2, 2, 4});
  const auto k = leaf({2, 3, 3});
  const auto v = leaf({2, 3, 6});
  attn::Array<double> keep = attn::full<double>({2, 1, 3}, 1);
  keep(0, 0, 2) = 0;
  keep(1, 0, 0) = keep(1, 0, 1) = keep(1, 0, 2) = 0;
  attn::AdditiveAttentionOptions<double> options{.mask = attn::AttentionMask<double>{graph.leaf("keep", keep)},
                                                 .name = "additive."};
  const auto steps = attn::additive_attention(q, k, v, parameters, options);
  CHECK(steps.output.shape() == Shape{2, 2, 6});
  CHECK(steps.weights.value()(0, 1, 2) == 0);
  CHECK(std::abs(steps.weights.value()(0, 1, 0) + steps.weights.value()(0, 1, 1) - 1) < 1e-15);
  for (std::size_t i = 0; i < 12; ++i) CHECK(steps.output.value().data()[12 + i] == 0);
  CHECK_NOTHROW(graph.at("additive.hidden"));
  const double expected_score = steps.scores.value()(1, 1, 2);
  double score = 0;
  for (std::size_t h = 0; h < 5; ++h)
    score += std::tanh(steps.query.value()(1, 1, h) + steps.key.value()(1, 2, h)) * parameters.w_v.value()(h);
  CHECK(std::abs(score - expected_score) < 1e-14);

  const auto refusal = [&](auto query, auto key, auto value, auto w_q, auto w_v) {
    try {
      attn::additive_attention<double>(query, key, value, {w_q, parameters.w_k, w_v});
    } catch (const attn::InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string start = "additive_attention: ";
  CHECK(refusal(leaf({4}), k, v, parameters.w_q, parameters.w_v) ==
        start + "query has shape (4,), expected at least 2 axes");
  CHECK(refusal(q, k, leaf({2, 4, 6}), parameters.w_q, parameters.w_v) ==
        start + "value has shape (2, 4, 6), expected 3 rows to match key (2, 3, 3)");
  CHECK(refusal(q, k, v, leaf({5, 5}), parameters.w_v) == start + "w_q has shape (5, 5), expected (4, 5)");
  CHECK(refusal(q, k, v, parameters.w_q, leaf({5, 1})) == start + "w_v has shape (5, 1), expected (h)");
}
