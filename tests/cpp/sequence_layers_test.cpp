// Layers other than the Transformer's: recurrence, convolution, BERT, principal components, against known numbers.
#include "nn/bert.hpp"
#include "nn/convolution.hpp"
#include "nn/principal_components.hpp"
#include "nn/recurrent.hpp"

#include "golden.hpp"
#include "refused_call.hpp"

using attn::Array;
using attn::Graph;
using attn::Parameters;
using attn::RandomState;
using attn::Shape;
using attn::StateDict;
using attn::Tensor;

namespace {

Array<double> drawn(const Shape& shape, std::uint32_t seed) {
  RandomState random(seed);
  Array<double> array = attn::full<double>(shape, 0);
  for (double& cell : array) cell = random.randn();
  return array;
}

Tensor<double> ids(Graph<double>& graph, const Shape& shape, const std::vector<double>& values) {
  Array<double> array = attn::full<double>(shape, 0);
  std::copy(values.begin(), values.end(), array.begin());
  return graph.leaf("", std::move(array));
}

}  // namespace

TEST_CASE("A recurrent layer carries its hidden state from step to step") {
  Parameters<double> parameters;
  parameters.draw(attn::recurrent_parameters(2, 3), 1);
  Graph<double> graph({.observe = true});
  const Array<double> x = drawn({2, 4, 2}, 2);
  const auto steps = attn::recurrent(graph.leaf("x", x), StateDict<double>(graph, parameters), "rnn.");
  REQUIRE(steps.output.shape() == Shape{2, 4, 3});
  const auto& in = parameters.at("weight_ih_l0").value;
  const auto& carry = parameters.at("weight_hh_l0").value;
  for (std::size_t sample = 0; sample < 2; ++sample) {
    std::vector<double> hidden(3, 0);
    for (std::size_t t = 0; t < 4; ++t) {
      std::vector<double> next(3);
      for (std::size_t i = 0; i < 3; ++i) {
        double sum = parameters.at("bias_ih_l0").value(i) + parameters.at("bias_hh_l0").value(i);
        for (std::size_t k = 0; k < 2; ++k) sum += x(sample, t, k) * in(i, k);
        for (std::size_t k = 0; k < 3; ++k) sum += hidden[k] * carry(i, k);
        next[i] = std::tanh(sum);
        CHECK(std::abs(steps.output.value()(sample, t, i) - next[i]) < 1e-14);
      }
      hidden = next;
    }
  }
  CHECK(steps.hidden.size() == 4);
  CHECK_NOTHROW(graph.at("rnn.hidden_3"));
  CHECK(refusal([&] { attn::recurrent(ids(graph, {2}, {1, 2}), StateDict<double>(graph, parameters)); }) ==
        "recurrent: x has shape (2,), expected (length, width) or (batch, length, width)");
}

TEST_CASE("A convolution combines the neighbours of a position") {
  Parameters<double> parameters;
  parameters.draw(attn::convolution_parameters(2, 3, 3), 1);
  Graph<double> graph;
  const Array<double> x = drawn({5, 2}, 3);
  const auto output =
      attn::convolution(graph.leaf("x", x), StateDict<double>(graph, parameters), {.stride = 1, .padding = 1});
  REQUIRE(output.shape() == Shape{5, 3});
  const auto& weight = parameters.at("weight").value;
  for (std::size_t l = 0; l < 5; ++l) {
    for (std::size_t o = 0; o < 3; ++o) {
      double sum = parameters.at("bias").value(o);
      for (std::size_t t = 0; t < 3; ++t)
        if (l + t >= 1 && l + t - 1 < 5)
          for (std::size_t c = 0; c < 2; ++c) sum += weight(o, c, t) * x(l + t - 1, c);
      CHECK(std::abs(output.value()(l, o) - sum) < 1e-14);
    }
  }
}

TEST_CASE("BERT uses words on both sides, positions and segments, and ignores padding") {
  const attn::StackOptions options = attn::bert_options(2, 2);
  Parameters<double> parameters;
  parameters.draw(attn::bert_parameters(
                      {.layer = {.d_model = 4, .d_ff = 8}, .vocabulary = 7, .positions = 4, .segments = 2}, options),
                  1);
  for (auto& parameter : parameters.list())
    for (double& cell : parameter.value) cell *= 2;
  const auto logits = [&](const std::vector<double>& words, const std::vector<double>& segments,
                          const std::vector<double>& keep) {
    Graph<double> graph({.observe = true});
    const StateDict<double> state(graph, parameters);
    attn::OptionalTensor<double> segment_ids;
    if (!segments.empty()) segment_ids = ids(graph, {segments.size()}, segments);
    attn::OptionalTensor<double> key_mask;
    if (!keep.empty()) key_mask = ids(graph, {keep.size()}, keep);
    return attn::bert<double>(ids(graph, {words.size()}, words), segment_ids, state, options, key_mask).logits.value();
  };
  const auto row_differs = [](const Array<double>& a, const Array<double>& b, std::size_t row) {
    for (std::size_t i = 0; i < 7; ++i)
      if (std::abs(a(row, i) - b(row, i)) > 1e-9) return true;
    return false;
  };
  const Array<double> plain = logits({1, 2, 3, 4}, {}, {});
  CHECK(attn::shape_of(plain) == Shape{4, 7});
  CHECK(logits({1, 2, 3, 4}, {0, 0, 0, 0}, {}) == plain);
  CHECK(row_differs(plain, logits({1, 2, 3, 4}, {0, 0, 1, 1}, {}), 2));
  // The first word depends on the last, the last on the first.
  CHECK(row_differs(plain, logits({1, 2, 3, 5}, {}, {}), 0));
  CHECK(row_differs(plain, logits({5, 2, 3, 4}, {}, {}), 3));
  // They do not where the word is hidden.
  const Array<double> padded = logits({1, 2, 3, 4}, {}, {1, 1, 1, 0});
  CHECK_FALSE(row_differs(padded, logits({1, 2, 3, 5}, {}, {1, 1, 1, 0}), 0));
  CHECK(refusal([&] { logits({1, 2, 3, 4, 5}, {}, {}); }) ==
        "bert: ids has shape (5,), expected at most as many as positions (4, 4)");
  CHECK(refusal([&] { logits({1, 2}, {0}, {}); }) ==
        "bert: segment_ids has shape (1,), expected (2,), the shape of ids");
  CHECK_FALSE(refusal([&] { logits({1, 7}, {}, {}); }).empty());
}

TEST_CASE("Masking a sentence selects about 15 % of its words") {
  RandomState random(4);
  std::vector<std::size_t> words;
  for (std::size_t i = 0; i < 20000; ++i) words.push_back(2 + i % 50);
  const attn::MaskedTokens masked = attn::mask_tokens(words, 52, 1, random);
  double selected = 0;
  double hidden = 0;
  double unchanged = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (masked.targets[i] == -100) {
      REQUIRE(masked.ids[i] == words[i]);
      continue;
    }
    REQUIRE(masked.targets[i] == static_cast<std::int64_t>(words[i]));
    ++selected;
    hidden += masked.ids[i] == 1;
    unchanged += masked.ids[i] == words[i];
  }
  CHECK(std::abs(selected / 20000 - 0.15) < 0.01);
  CHECK(std::abs(hidden / selected - 0.8) < 0.03);
  CHECK(std::abs(unchanged / selected - 0.1) < 0.03);
  CHECK(refusal([&] { attn::mask_tokens({60}, 52, 1, random); }) ==
        "mask_tokens: ids is 60, expected an id below 52, the size of the vocabulary");
}

TEMPLATE_TEST_CASE("Principal components are orthonormal, maximise the variance, and are in descending order", "",
                   float, double) {
  using T = TestType;
  const double tolerance = std::is_same_v<T, float> ? 2e-5 : 1e-12;
  // Few points in many dimensions and many points in few dimensions are computed differently.
  for (const Shape& shape : {Shape{6, 20}, Shape{40, 5}}) {
    RandomState random(7);
    Array<T> x = attn::full<T>(shape, T(0));
    for (std::size_t i = 0; i < x.size(); ++i)
      x.data()[i] = static_cast<T>(random.randn() * static_cast<double>(1 + i % shape[1]));
    Graph<T> graph({.observe = true});
    const auto steps = attn::principal_components(graph.leaf("x", x), 5, "pca.");
    const auto& rows = steps.components.value();
    const auto& points = steps.output.value();
    for (std::size_t a = 0; a < 5; ++a) {
      double largest = 0;
      for (std::size_t i = 0; i < shape[1]; ++i)
        if (std::abs(rows(a, i)) > std::abs(largest)) largest = rows(a, i);
      CHECK(largest > 0);
      if (a > 0) CHECK(steps.explained_variance.value()(a) <= steps.explained_variance.value()(a - 1));
      for (std::size_t b = 0; b < 5; ++b) {
        double dot = 0;
        for (std::size_t i = 0; i < shape[1]; ++i) dot += double(rows(a, i)) * double(rows(b, i));
        CHECK(std::abs(dot - (a == b)) < tolerance);
        // Along these directions the points have the stated variances, and no correlation.
        double covariance = 0;
        for (std::size_t n = 0; n < shape[0]; ++n) covariance += double(points(n, a)) * double(points(n, b));
        covariance /= static_cast<double>(shape[0] - 1);
        const double variance = steps.explained_variance.value()(a);
        CHECK(std::abs(covariance - (a == b ? variance : 0)) < tolerance * steps.explained_variance.value()(0) * 10);
      }
    }
  }
}

TEST_CASE("Points on a line have one component, and the others are still orthonormal") {
  Graph<double> graph;
  Array<double> x = attn::full<double>({4, 3}, 0);
  for (std::size_t n = 0; n < 4; ++n)
    for (std::size_t i = 0; i < 3; ++i) x(n, i) = static_cast<double>(n) * (i == 0 ? -3.0 : 4.0 * double(i == 1));
  const auto steps = attn::principal_components(graph.leaf("x", x), 3);
  CHECK(std::abs(steps.components.value()(0, 0) + 0.6) < 1e-12);
  CHECK(std::abs(steps.components.value()(0, 1) - 0.8) < 1e-12);
  CHECK(std::abs(steps.explained_variance.value()(0) - 25 * 5.0 / 3) < 1e-9);
  CHECK(std::abs(steps.explained_variance.value()(1)) < 1e-9);
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b) {
      double dot = 0;
      for (std::size_t i = 0; i < 3; ++i) dot += steps.components.value()(a, i) * steps.components.value()(b, i);
      CHECK(std::abs(dot - (a == b)) < 1e-12);
    }
  CHECK(refusal([&] { attn::principal_components(graph.leaf("y", x), 4); }) ==
        "principal_components: count is 4, expected from 1 to 3");
  x(1, 1) = std::numeric_limits<double>::quiet_NaN();
  CHECK(refusal([&] { attn::principal_components(graph.leaf("z", x), 1); }) ==
        "principal_components: x is nan, expected finite numbers");
  CHECK(refusal([&] { attn::principal_components(graph.leaf("one", attn::full<double>({1, 3}, 0)), 1); }) ==
        "principal_components: x has shape (1, 3), expected (N, D) with at least 2 rows");
}
