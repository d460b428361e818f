// Losses against reference numbers, and at special values.
#include <limits>

#include "golden.hpp"
#include "ops/add.hpp"
#include "ops/cross_entropy.hpp"
#include "ops/exp.hpp"
#include "ops/kl_divergence.hpp"
#include "ops/log_softmax.hpp"
#include "ops/mse_loss.hpp"
#include "ops/one_hot.hpp"
#include "ops/scale.hpp"

using attn::Array;
using attn::CrossEntropyOptions;
using attn::Graph;
using attn::Shape;
using attn::Tensor;
using golden::Json;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Array<double> numbers(const Shape& shape, const std::vector<double>& values) {
  Array<double> array = attn::full<double>(shape, 0);
  std::copy(values.begin(), values.end(), array.data());
  return array;
}

double number(const Tensor<double>& tensor, std::size_t offset = 0) { return tensor.value().data()[offset]; }

template <typename T>
void check_reductions(const Json& test, const Tensor<T>& logits, const Tensor<T>& target, CrossEntropyOptions options,
                      const attn::OptionalTensor<T>& weight) {
  for (const std::string reduction : {"mean", "sum", "none"}) {
    options.reduction = reduction;
    if (test["expected"].contains("loss_" + reduction))
      golden::check<T>(test, "loss_" + reduction, attn::cross_entropy(logits, target, options, weight).value());
  }
}

// The rows of probabilities that smoothed class ids stand for.
template <typename T>
Tensor<T> smoothed(const Tensor<T>& ids, std::size_t classes, double epsilon, bool over_others) {
  const double count = static_cast<double>(over_others ? classes - 1 : classes);
  const double on_target = over_others ? 1 - epsilon - epsilon / count : 1 - epsilon;
  const Tensor<T> spread = ids.graph->leaf("", attn::full<T>({}, static_cast<T>(epsilon / count)));
  return attn::add(attn::scale(attn::one_hot(ids, classes), {.factor = on_target}), spread);
}

}  // namespace

TEMPLATE_TEST_CASE("cross_entropy gives PyTorch's numbers", "", float, double) {
  for (const Json& test : golden::cases("cross_entropy")) {
    INFO(test["name"].get<std::string>());
    Graph<TestType> graph;
    const auto leaf = [&](const char* name) { return graph.leaf(name, golden::array<TestType>(test["inputs"][name])); };
    const Tensor<TestType> logits = leaf("logits");
    const Tensor<TestType> target = leaf(test["params"]["op"] == "soft" ? "probs" : "targets");
    std::optional<Tensor<TestType>> weight;
    if (test["inputs"].contains("class_weight")) weight = leaf("class_weight");
    if (test["expected"].contains("error")) {
      CHECK_THROWS_AS(attn::cross_entropy(logits, target), attn::InputError);
      continue;
    }
    CrossEntropyOptions options;
    if (test["params"].contains("ignore_index")) options.ignore_index = test["params"]["ignore_index"].get<double>();
    check_reductions<TestType>(test, logits, target, options, weight);
    if (test["expected"].contains("perplexity"))
      golden::check<TestType>(test, "perplexity",
                              attn::exp(attn::cross_entropy(logits, target, options, weight)).value());
  }
}

TEMPLATE_TEST_CASE("Label smoothing follows both conventions", "", float, double) {
  for (const Json& test : golden::cases("label_smoothing")) {
    INFO(test["name"].get<std::string>());
    Graph<TestType> graph;
    const auto leaf = [&](const char* name) { return graph.leaf(name, golden::array<TestType>(test["inputs"][name])); };
    const Tensor<TestType> logits = leaf("logits");
    const Tensor<TestType> target = leaf("targets");
    const double epsilon = test["params"]["epsilon"].get<double>();
    const bool blog = test["params"]["mode"] == "blog";
    CrossEntropyOptions options{.label_smoothing = epsilon, .spread = blog ? "others" : "all"};
    const std::size_t classes = logits.shape().back();
    if (test["params"].contains("ignore_index")) {
      options.ignore_index = test["params"]["ignore_index"].get<double>();
      check_reductions<TestType>(test, logits, target, options, {});
      continue;
    }
    const Tensor<TestType> q = smoothed(target, classes, epsilon, blog);
    golden::check<TestType>(test, "smoothed", q.value());
    if (!blog) {
      check_reductions<TestType>(test, logits, target, options, {});
      check_reductions<TestType>(test, logits, q, {}, {});
      continue;
    }
    const Tensor<TestType> log_p = attn::log_softmax(logits);
    golden::check<TestType>(test, "soft_ce", attn::cross_entropy(logits, target, options).value());
    golden::check<TestType>(test, "soft_ce", attn::cross_entropy(logits, q).value());
    golden::check<TestType>(test, "kl_batchmean", attn::kl_divergence(log_p, q, {.reduction = "batchmean"}).value());
  }
}

TEST_CASE("Weights and smoothing of classes equal those of the same probabilities") {
  Graph<double> graph;
  const Tensor<double> logits = graph.leaf("logits", numbers({2, 3}, {2, 1, 0.1, 0.5, 2.5, 0.3}));
  const Tensor<double> ids = graph.leaf("ids", numbers({2}, {2, 0}));
  const Tensor<double> weight = graph.leaf("weight", numbers({3}, {0.5, 2, 3}));
  for (const char* spread : {"all", "others"}) {
    const CrossEntropyOptions options{.reduction = "none", .label_smoothing = 0.3, .spread = spread};
    const Tensor<double> of_ids = attn::cross_entropy(logits, ids, options, weight);
    const Tensor<double> q = smoothed(ids, 3, 0.3, options.spread == "others");
    const Tensor<double> of_rows = attn::cross_entropy(logits, q, {.reduction = "none"}, weight);
    const Tensor<double> of_one_hot = attn::cross_entropy(logits, attn::one_hot(ids, 3), options, weight);
    for (std::size_t row = 0; row < 2; ++row) {
      CHECK(number(of_ids, row) == Catch::Approx(number(of_rows, row)));
      CHECK(number(of_ids, row) == Catch::Approx(number(of_one_hot, row)));
    }
    // The mean of ids divides by the weights of their classes, the mean of probabilities by the number of rows.
    const double sum = number(of_ids, 0) + number(of_ids, 1);
    CrossEntropyOptions mean = options;
    mean.reduction = "mean";
    CHECK(number(attn::cross_entropy(logits, ids, mean, weight)) == Catch::Approx(sum / 3.5));
    CHECK(number(attn::cross_entropy(logits, attn::one_hot(ids, 3), mean, weight)) == Catch::Approx(sum / 2));
  }
}

TEST_CASE("A loss over nothing is NaN, and an impossible class with count 0 adds nothing") {
  Graph<double> graph;
  const Tensor<double> logits = graph.leaf("logits", numbers({2, 3}, {1, -kInfinity, 2, 0, 0, 0}));
  const Tensor<double> ignored = graph.leaf("ignored", numbers({2}, {-100, -100}));
  const Tensor<double> none = attn::cross_entropy(logits, ignored);
  CHECK(std::isnan(number(none)));
  CHECK(number(attn::cross_entropy(logits, ignored, {.reduction = "sum"})) == 0);

  const Tensor<double> target = graph.leaf("target", numbers({2}, {2, 1}));
  const Tensor<double> loss = attn::cross_entropy(logits, target, {.reduction = "none"});
  CHECK(number(loss, 0) == Catch::Approx(std::log(1 + std::exp(-1.0))));
  graph.backward(loss.id);
  CHECK(graph.node(logits.id).gradient->data()[1] == 0);
}

TEST_CASE("A KL divergence treats 0 log 0 as 0") {
  Graph<double> graph;
  const Tensor<double> log_p = graph.leaf("log_p", numbers({2}, {std::log(0.25), std::log(0.75)}));
  const Tensor<double> q = graph.leaf("q", numbers({2}, {0, 1}));
  const Tensor<double> loss = attn::kl_divergence(log_p, q, {.reduction = "sum"});
  CHECK(number(loss) == Catch::Approx(-std::log(0.75)));
  graph.backward(loss.id);
  CHECK(graph.node(q.id).gradient->data()[0] == 0);
  CHECK(graph.node(q.id).gradient->data()[1] == Catch::Approx(1 - std::log(0.75)));
  const Tensor<double> unreduced = attn::kl_divergence(log_p, q, {.reduction = "none"});
  CHECK(graph.explain(unreduced.id, {0}).rows.back().value == 0);
  CHECK(number(attn::mse_loss(log_p, log_p)) == 0);
}
