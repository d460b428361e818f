// Errors of arithmetic, normalisation, losses and comparisons, word for word; and their results for empty tensors.
#include <cmath>
#include <limits>

#include <catch_amalgamated.hpp>

#include "ops/conv1d.hpp"
#include "ops/cosine_similarity.hpp"
#include "ops/cross_entropy.hpp"
#include "ops/divide.hpp"
#include "ops/dropout.hpp"
#include "ops/entropy.hpp"
#include "ops/gelu.hpp"
#include "ops/histogram.hpp"
#include "ops/kl_divergence.hpp"
#include "ops/layer_norm.hpp"
#include "ops/mean.hpp"
#include "ops/mse_loss.hpp"
#include "ops/multiply.hpp"
#include "ops/one_hot.hpp"
#include "ops/subtract.hpp"
#include "ops/sum.hpp"
#include "refusal.hpp"

using attn::Graph;
using attn::Tensor;
using refusal::numbers;
using refusal::Refusal;
using refusal::zeros;

namespace {

constexpr std::size_t kHuge = std::numeric_limits<std::size_t>::max();

std::vector<Refusal> refusals() {
  using G = Graph<double>;
  return {
      {"subtract: b has shape (3, 2), expected one that broadcasts with (2, 3)",
       [](G& g) { attn::subtract(zeros(g, {2, 3}), zeros(g, {3, 2})); }},
      {"multiply: b has shape (2,), expected one that broadcasts with (3,)",
       [](G& g) { attn::multiply(zeros(g, {3}), zeros(g, {2})); }},
      {"divide: b has shape (4, 1, 2), expected one that broadcasts with (3, 1, 2)",
       [](G& g) { attn::divide(zeros(g, {3, 1, 2}), zeros(g, {4, 1, 2})); }},
      {"gelu: variant is \"sigmoid\", expected \"erf\" or \"tanh\"",
       [](G& g) { attn::gelu(zeros(g, {2}), {.variant = "sigmoid"}); }},
      {"sum: axis is 2, expected one of the 2 axes",
       [](G& g) { attn::sum(zeros(g, {2, 2}), {.axes = std::vector<int>{2}}); }},
      {"mean: axis is 1 again, expected each axis once",
       [](G& g) { attn::mean(zeros(g, {2, 2}), {.axes = std::vector<int>{1, -1}}); }},
      {"layer_norm: x has shape (), expected at least one axis", [](G& g) { attn::layer_norm(zeros(g, {})); }},
      {"layer_norm: weight has shape (2,), expected (3,) to match x (2, 3)",
       [](G& g) { attn::layer_norm(zeros(g, {2, 3}), zeros(g, {2})); }},
      {"layer_norm: bias has shape (1, 3), expected (3,) to match x (2, 3)",
       [](G& g) { attn::layer_norm(zeros(g, {2, 3}), {}, zeros(g, {1, 3})); }},
      {"layer_norm: bias has shape (2,), expected (3,) to match x (2, 3)",
       [](G& g) { attn::layer_norm(zeros(g, {2, 3}), zeros(g, {3}), zeros(g, {2})); }},
      {"layer_norm: eps is -1, expected a number of at least 0",
       [](G& g) { attn::layer_norm(zeros(g, {2, 3}), {}, {}, {.eps = -1}); }},
      {"layer_norm: eps is nan, expected a number of at least 0",
       [](G& g) { attn::layer_norm(zeros(g, {2, 3}), {}, {}, {.eps = std::nan("")}); }},
      {"dropout: u has shape (3,), expected (2, 3), the shape of x",
       [](G& g) { attn::dropout(zeros(g, {2, 3}), zeros(g, {3}), 0.1); }},
      {"dropout: p is 1, expected 0 <= p < 1", [](G& g) { attn::dropout(zeros(g, {2}), zeros(g, {2}), 1); }},
      {"dropout: p is -0.1, expected 0 <= p < 1", [](G& g) { attn::dropout(zeros(g, {2}), zeros(g, {2}), -0.1); }},
      {"dropout: p is nan, expected 0 <= p < 1",
       [](G& g) { attn::dropout(zeros(g, {2}), zeros(g, {2}), std::nan("")); }},
      {"one_hot: num_classes is 0, expected at least 1", [](G& g) { attn::one_hot(zeros(g, {2}), 0); }},
      {"one_hot: id at (1,) is 3, expected one of 3 classes", [](G& g) { attn::one_hot(numbers(g, {0, 3}), 3); }},
      {"one_hot: id at (0,) is 0.5, expected one of 3 classes", [](G& g) { attn::one_hot(numbers(g, {0.5}), 3); }},
      {"one_hot: id at (0,) is nan, expected one of 3 classes",
       [](G& g) { attn::one_hot(numbers(g, {std::nan("")}), 3); }},
      {"conv1d: x has shape (4,), expected (C, L) or (B, C, L)",
       [](G& g) { attn::conv1d(zeros(g, {4}), zeros(g, {1, 1, 1})); }},
      {"conv1d: weight has shape (2, 3), expected three axes, (out, C, k)",
       [](G& g) { attn::conv1d(zeros(g, {3, 4}), zeros(g, {2, 3})); }},
      {"conv1d: weight has shape (2, 2, 1), expected 3 channels to match x (3, 4)",
       [](G& g) { attn::conv1d(zeros(g, {3, 4}), zeros(g, {2, 2, 1})); }},
      {"conv1d: bias has shape (3,), expected (2,) to match weight (2, 3, 1)",
       [](G& g) { attn::conv1d(zeros(g, {3, 4}), zeros(g, {2, 3, 1}), zeros(g, {3})); }},
      {"conv1d: weight has shape (2, 3, 7), expected a kernel of 1 to 6 for x (3, 4) with padding 1",
       [](G& g) { attn::conv1d(zeros(g, {3, 4}), zeros(g, {2, 3, 7}), {}, {.padding = 1}); }},
      {"conv1d: weight has shape (2, 3, 0), expected a kernel of 1 to 4 for x (3, 4) with padding 0",
       [](G& g) { attn::conv1d(zeros(g, {3, 4}), zeros(g, {2, 3, 0})); }},
      {"conv1d: stride is 0, expected at least 1",
       [](G& g) { attn::conv1d(zeros(g, {3, 4}), zeros(g, {2, 3, 1}), {}, {.stride = 0}); }},
      {"conv1d: padding is " + std::to_string(kHuge) + ", expected a smaller number",
       [](G& g) { attn::conv1d(zeros(g, {3, 4}), zeros(g, {2, 3, 1}), {}, {.padding = kHuge}); }},
      {"cross_entropy: logits has shape (), expected (..., K) with at least one class",
       [](G& g) { attn::cross_entropy(zeros(g, {}), zeros(g, {})); }},
      {"cross_entropy: logits has shape (2, 0), expected (..., K) with at least one class",
       [](G& g) { attn::cross_entropy(zeros(g, {2, 0}), zeros(g, {2})); }},
      {"cross_entropy: target has shape (3,), expected (2,) for class ids or (2, 3) for probabilities",
       [](G& g) { attn::cross_entropy(zeros(g, {2, 3}), zeros(g, {3})); }},
      {"cross_entropy: target has shape (2, 2), expected (2,) for class ids or (2, 3) for probabilities",
       [](G& g) { attn::cross_entropy(zeros(g, {2, 3}), zeros(g, {2, 2})); }},
      {"cross_entropy: target has shape (1, 2, 3), expected (2,) for class ids or (2, 3) for probabilities",
       [](G& g) { attn::cross_entropy(zeros(g, {2, 3}), zeros(g, {1, 2, 3})); }},
      {"cross_entropy: weight has shape (2,), expected (3,) to match logits (2, 3)",
       [](G& g) { attn::cross_entropy(zeros(g, {2, 3}), zeros(g, {2}), {}, zeros(g, {2})); }},
      {"cross_entropy: target at (1,) is 3, expected one of 3 classes",
       [](G& g) { attn::cross_entropy(zeros(g, {2, 3}), numbers(g, {0, 3})); }},
      {"cross_entropy: target at (0,) is -1, expected one of 3 classes",
       [](G& g) { attn::cross_entropy(zeros(g, {2, 3}), numbers(g, {-1, 0})); }},
      {"cross_entropy: reduction is \"average\", expected \"mean\", \"sum\" or \"none\"",
       [](G& g) { attn::cross_entropy(zeros(g, {2, 3}), zeros(g, {2}), {.reduction = "average"}); }},
      {"cross_entropy: spread is \"half\", expected \"all\" or \"others\"",
       [](G& g) { attn::cross_entropy(zeros(g, {2, 3}), zeros(g, {2}), {.spread = "half"}); }},
      {"cross_entropy: label_smoothing is 1.5, expected 0 <= label_smoothing <= 1",
       [](G& g) { attn::cross_entropy(zeros(g, {2, 3}), zeros(g, {2}), {.label_smoothing = 1.5}); }},
      {"cross_entropy: ignore_index is nan, expected a whole number",
       [](G& g) { attn::cross_entropy(zeros(g, {2, 3}), zeros(g, {2}), {.ignore_index = std::nan("")}); }},
      {"cross_entropy: logits has shape (2, 1), expected other classes to spread over",
       [](G& g) {
         attn::cross_entropy(zeros(g, {2, 1}), zeros(g, {2}), {.label_smoothing = 0.1, .spread = "others"});
       }},
      {"kl_divergence: target has shape (3,), expected (2, 3), the shape of input",
       [](G& g) { attn::kl_divergence(zeros(g, {2, 3}), zeros(g, {3})); }},
      {"kl_divergence: input has shape (), expected at least one axis for \"batchmean\"",
       [](G& g) { attn::kl_divergence(zeros(g, {}), zeros(g, {}), {.reduction = "batchmean"}); }},
      {"kl_divergence: reduction is \"\", expected \"mean\", \"batchmean\", \"sum\" or \"none\"",
       [](G& g) { attn::kl_divergence(zeros(g, {2}), zeros(g, {2}), {.reduction = ""}); }},
      {"mse_loss: reduction is \"batchmean\", expected \"mean\", \"sum\" or \"none\"",
       [](G& g) { attn::mse_loss(zeros(g, {2}), zeros(g, {2}), {.reduction = "batchmean"}); }},
      {"mse_loss: target has shape (1,), expected (2,), the shape of input",
       [](G& g) { attn::mse_loss(zeros(g, {2}), zeros(g, {1})); }},
      {"cosine_similarity: a has shape (), expected at least one axis",
       [](G& g) { attn::cosine_similarity(zeros(g, {}), zeros(g, {2})); }},
      {"cosine_similarity: b has shape (2,), expected 3 columns to match a (4, 3)",
       [](G& g) { attn::cosine_similarity(zeros(g, {4, 3}), zeros(g, {2})); }},
      {"cosine_similarity: rows of b has shape (5,), expected one that broadcasts with (4,)",
       [](G& g) { attn::cosine_similarity(zeros(g, {4, 3}), zeros(g, {5, 3})); }},
      {"entropy: p has shape (), expected at least one axis", [](G& g) { attn::entropy(zeros(g, {})); }},
      {"histogram: edges has shape (1,), expected one axis, (E), of at least 2",
       [](G& g) { attn::histogram(zeros(g, {3}), zeros(g, {1})); }},
      {"histogram: edges has shape (2, 2), expected one axis, (E), of at least 2",
       [](G& g) { attn::histogram(zeros(g, {3}), zeros(g, {2, 2})); }},
      {"histogram: edge at (2,) is 1, expected one that does not fall",
       [](G& g) { attn::histogram(zeros(g, {3}), numbers(g, {0, 2, 1})); }},
      {"histogram: edge at (0,) is nan, expected one that does not fall",
       [](G& g) { attn::histogram(zeros(g, {3}), numbers(g, {std::nan(""), 1})); }},
  };
}

}  // namespace

TEST_CASE("Every refused loss, sum or comparison is named") { refusal::check(refusals()); }

TEST_CASE("Tensors without cells are summed, normalised and compared") {
  Graph<double> graph;
  const Tensor<double> empty = zeros(graph, {0, 3});
  const Tensor<double> narrow = zeros(graph, {2, 0});
  const Tensor<double> ids = zeros(graph, {0});
  const auto number = [](const Tensor<double>& tensor) { return tensor.value().data()[0]; };
  CHECK(number(attn::sum(empty)) == 0);
  CHECK(std::isnan(number(attn::mean(empty))));
  CHECK(std::isnan(number(attn::cross_entropy(empty, ids))));
  CHECK(number(attn::cross_entropy(empty, ids, {.reduction = "sum"})) == 0);
  CHECK(std::isnan(number(attn::mse_loss(empty, empty))));
  CHECK(number(attn::entropy(narrow)) == 0);
  CHECK(number(attn::cosine_similarity(narrow, narrow)) == 0);
  CHECK(number(attn::histogram(empty, numbers(graph, {0, 1}))) == 0);
  CHECK(attn::layer_norm(narrow).value().size() == 0);
  CHECK(attn::one_hot(ids, 3).shape() == attn::Shape{0, 3});
  CHECK(attn::conv1d(zeros(graph, {2, 0, 4}), zeros(graph, {1, 0, 2})).shape() == attn::Shape{2, 1, 3});
  // Explains and differentiates all of them.
  for (std::size_t id = 0; id < graph.size(); ++id) {
    graph.backward(id);
    const attn::Shape shape = graph.node(id).shape;
    if (attn::size_of(shape) == 0) continue;
    const attn::Explanation explanation = graph.explain(id, attn::Index(shape.size(), 0));
    CHECK(explanation.rows.back().value.has_value());
    for (const attn::Region& region : explanation.sources)
      for (std::size_t axis = 0; axis < region.from.size(); ++axis) CHECK(region.from[axis] <= region.to[axis]);
  }
}
