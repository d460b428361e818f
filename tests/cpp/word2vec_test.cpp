// Word vectors: word2vec against reference numbers, its samples, and similarities.
#include "nn/word2vec.hpp"

#include "golden_layers.hpp"
#include "nn/similarity.hpp"
#include "refused_call.hpp"

using attn::Array;
using attn::Graph;
using attn::RandomState;
using attn::Shape;
using attn::Tensor;
using golden::Json;
using golden::Leaves;

namespace {

template <typename T>
Tensor<T> ids(Graph<T>& graph, const Shape& shape, const std::vector<double>& values) {
  Array<T> array = attn::full<T>(shape, T(0));
  std::transform(values.begin(), values.end(), array.begin(), [](double id) { return static_cast<T>(id); });
  return graph.leaf("", std::move(array));
}

template <typename T>
attn::Word2Vec<T> model_of(const Json& test, Graph<T>& graph, Leaves<T>& leaves) {
  const std::string mode = test["params"]["mode"].get<std::string>();
  const attn::StateDict<T> parameters = leaves.parameters();
  if (mode == "cbow") return attn::cbow(leaves.at("word"), leaves.at("context"), parameters);
  if (mode == "skipgram") return attn::skip_gram(leaves.at("word"), leaves.at("context"), parameters);
  REQUIRE(test["params"]["positive_is_first_context_word"].get<bool>());
  const std::vector<double> context = test["inputs"]["context"]["data"].get<std::vector<double>>();
  return attn::skip_gram_negative_sampling(leaves.at("word"), ids(graph, {}, {context[0]}),
                                           ids(graph, {context.size() - 1}, {context.begin() + 1, context.end()}),
                                           parameters);
}

}  // namespace

TEMPLATE_TEST_CASE("Word2vec gives the reference losses and gradients", "", float, double) {
  using T = TestType;
  for (const Json& test : golden::cases("word2vec")) {
    for (const bool observe : {true, false}) {
      Graph<T> graph({.observe = observe});
      Leaves<T> leaves(graph, test);
      const attn::Word2Vec<T> model = model_of(test, graph, leaves);
      if (test["expected"].contains("probs")) golden::check<T>(test, "probs", model.probs->value());
      golden::check<T>(test, "loss", model.loss.value());
      graph.backward(model.loss.id);
      CHECK(leaves.check_gradients(test) == 2);
    }
  }
}

TEST_CASE("The losses of several words are added") {
  attn::Parameters<double> parameters;
  parameters.draw({{"w_in", {6, 3}, {.kind = attn::Initial::Kind::normal}},
                   {"w_out", {6, 3}, {.kind = attn::Initial::Kind::normal}}},
                  1);
  Graph<double> graph;
  const attn::StateDict<double> state(graph, parameters);
  const auto at = [&](double word) { return ids(graph, {}, {word}); };
  const auto three = [&](const std::vector<double>& values) { return ids(graph, {3}, values); };
  const auto words = ids(graph, {2}, {1, 4});
  const auto contexts = ids(graph, {2, 3}, {0, 2, 2, 5, 3, 1});
  const auto others = ids(graph, {2, 3}, {5, 5, 0, 2, 0, 3});
  const auto loss = [](const attn::Word2Vec<double>& model) { return model.loss.value().data()[0]; };
  const auto first = three({0, 2, 2});
  const auto second = three({5, 3, 1});
  const double together[] = {loss(attn::cbow(words, contexts, state)), loss(attn::skip_gram(words, contexts, state)),
                             loss(attn::cbow_negative_sampling(words, contexts, others, state)),
                             loss(attn::skip_gram_negative_sampling(words, ids(graph, {2}, {2, 0}), others, state))};
  const double separate[] = {loss(attn::cbow(at(1), first, state)) + loss(attn::cbow(at(4), second, state)),
                             loss(attn::skip_gram(at(1), first, state)) + loss(attn::skip_gram(at(4), second, state)),
                             loss(attn::cbow_negative_sampling(at(1), first, three({5, 5, 0}), state)) +
                                 loss(attn::cbow_negative_sampling(at(4), second, three({2, 0, 3}), state)),
                             loss(attn::skip_gram_negative_sampling(at(1), at(2), three({5, 5, 0}), state)) +
                                 loss(attn::skip_gram_negative_sampling(at(4), at(0), three({2, 0, 3}), state))};
  for (std::size_t i = 0; i < 4; ++i) CHECK(std::abs(together[i] - separate[i]) < 1e-12);

  CHECK(refusal([&] { attn::cbow(words, first, state); }) ==
        "cbow: context has shape (3,), expected several for each word of (2,)");
  CHECK(refusal([&] { attn::skip_gram(contexts, contexts, state); }) ==
        "skip_gram: word has shape (2, 3), expected () or (words)");
  CHECK(refusal([&] { attn::skip_gram_negative_sampling(words, at(1), others, state); }) ==
        "skip_gram_negative_sampling: positive has shape (), expected one for each word of (2,)");
}

TEST_CASE("Pairs are all neighbours inside the window; negatives are drawn in proportion to count^0.75") {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (const attn::WordPair& pair : attn::skip_gram_pairs({7, 8, 9, 7}, 2)) pairs.emplace_back(pair.word, pair.context);
  CHECK(pairs == std::vector<std::pair<std::size_t, std::size_t>>{
                     {7, 8}, {7, 9}, {8, 7}, {8, 9}, {8, 7}, {9, 7}, {9, 8}, {9, 7}, {7, 8}, {7, 9}});
  CHECK(attn::skip_gram_pairs({}, 2).empty());
  CHECK(attn::skip_gram_pairs({1}, 2).empty());
  // 2 windows of 5 words each, minus the 1 + 2 + 3 + 4 + 5 neighbours missing at either end.
  CHECK(attn::skip_gram_pairs(std::vector<std::size_t>(100), 5).size() == 1000 - 2 * 15);
  CHECK(attn::skip_gram_pairs({7, 8, 9}, std::numeric_limits<std::size_t>::max()).size() == 6);
  CHECK_NOTHROW(attn::skip_gram_pairs({7, 8, 9}, 2, 6 * sizeof(attn::WordPair)));
  CHECK_THROWS_AS(attn::skip_gram_pairs({7, 8, 9}, 2, 6 * sizeof(attn::WordPair) - 1), attn::MemoryError);
  const std::vector<std::size_t> text(40000);
  CHECK_THROWS_MATCHES(attn::skip_gram_pairs(text, text.size()), attn::MemoryError,
                       Catch::Matchers::MessageMatches(
                           Catch::Matchers::Matches("skip_gram_pairs: needs [0-9.]+ MB; the limit is 512.0 MB")));

  RandomState random(5);
  const std::vector<std::size_t> drawn = attn::negative_samples({16, 0, 1, 81}, 40000, random);
  std::vector<double> counts(4, 0);
  for (const std::size_t id : drawn) ++counts[id];
  const double total = 8 + 0 + 1 + 27;
  CHECK(counts[1] == 0);
  CHECK(std::abs(counts[0] / 40000 - 8 / total) < 0.01);
  CHECK(std::abs(counts[2] / 40000 - 1 / total) < 0.01);
  CHECK(std::abs(counts[3] / 40000 - 27 / total) < 0.01);
  CHECK(refusal([&] { attn::negative_samples({0, 0}, 1, random); }) ==
        "negative_samples: counts is all 0, expected a count above 0");
  CHECK(refusal([&] { attn::negative_samples({1, -1}, 1, random); }) ==
        "negative_samples: counts is -1, expected numbers from 0 up");
}

TEMPLATE_TEST_CASE("Similarities, neighbours and analogies give the reference numbers", "", float, double) {
  using T = TestType;
  for (const Json& test : golden::cases("similarity")) {
    const Json& params = test["params"];
    const std::string op = params["op"].get<std::string>();
    Graph<T> graph({.observe = true});
    Leaves<T> leaves(graph, test);
    const auto number = [&](const char* name) { return params[name].get<std::size_t>(); };
    if (op == "pairwise") {
      const auto steps = attn::similarity(leaves.at("vectors"));
      golden::check<T>(test, "dot", steps.dot.value());
      golden::check<T>(test, "cosine", steps.cosine.value());
      golden::check<T>(test, "euclid", steps.distance.value());
    } else if (op == "nearest") {
      const auto order = attn::nearest(leaves.at("vectors").value(), number("query"));
      Array<T> ids = attn::full<T>({order.size()}, T(0));
      for (std::size_t i = 0; i < order.size(); ++i) ids.data()[i] = static_cast<T>(order[i]);
      golden::check<T>(test, "order", ids);
    } else if (op == "analogy") {
      const std::size_t answer = attn::analogy(leaves.at("vectors").value(), number("a"), number("b"), number("c"));
      golden::check<T>(test, "answer", attn::full<T>({}, static_cast<T>(answer)));
    } else {
      REQUIRE(op == "bow");
      golden::check<T>(test, "counts", attn::bag_of_words(leaves.at("ids"), number("vocab")).value());
    }
  }
}

TEST_CASE("Similarities refuse invalid arguments") {
  const Array<double> vectors = attn::full<double>({3, 2}, 1);
  CHECK(refusal([&] { attn::nearest(vectors, 3); }) == "nearest: query is 3, expected a row below 3");
  CHECK(refusal([&] { attn::analogy(vectors, 0, 1, 2); }) ==
        "analogy: vectors has shape (3, 2), expected a row beside a, b and c");
  CHECK(refusal([&] { attn::analogy(vectors, 0, 5, 2); }) == "analogy: b is 5, expected a row below 3");
  CHECK(refusal([&] { attn::nearest(attn::full<double>({3}, 1), 0); }) ==
        "nearest: vectors has shape (3,), expected (N, D)");
  Graph<double> graph;
  CHECK(refusal([&] { attn::similarity(graph.leaf("", attn::full<double>({3}, 1))); }) ==
        "similarity: vectors has shape (3,), expected (N, D)");
}
