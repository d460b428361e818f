// Sums of a million floats: operations that sum many numbers keep their digits, and explanations contain the same
// sum.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch_amalgamated.hpp>

#include "kernels/elementwise.hpp"
#include "kernels/softmax.hpp"
#include "op_cases.hpp"
#include "ops/absolute_index.hpp"
#include "ops/add.hpp"
#include "ops/alibi.hpp"
#include "ops/attention.hpp"
#include "ops/conv1d.hpp"
#include "ops/cosine_similarity.hpp"
#include "ops/cross_entropy.hpp"
#include "ops/divide.hpp"
#include "ops/embedding.hpp"
#include "ops/entropy.hpp"
#include "ops/histogram.hpp"
#include "ops/kl_divergence.hpp"
#include "ops/layer_norm.hpp"
#include "ops/linear.hpp"
#include "ops/log_softmax.hpp"
#include "ops/matmul.hpp"
#include "ops/mean.hpp"
#include "ops/mse_loss.hpp"
#include "ops/multiply.hpp"
#include "ops/sinusoidal.hpp"
#include "ops/softmax.hpp"
#include "ops/subtract.hpp"
#include "ops/sum.hpp"

using attn::Array;
using attn::Explanation;
using attn::Graph;
using attn::Index;
using attn::Row;
using attn::Shape;
using attn::Tensor;

namespace {

constexpr std::size_t kMany = 1000000;

// One use of an operation that sums `count` numbers, or half as many to each of two cells.
struct Use {
  std::string op, what;
  double exact;  // of the first cell: the formula in double, for the float inputs
  double numpy,
      torch;  // float32 results of NumPy 1.24.2 and PyTorch 1.13.1 for a million; NaN where unknown
  std::function<Tensor<float>(Graph<float>&, std::size_t count)> build;
  double tolerance = 4e-7;  // relative
};

constexpr double kNotAsked = std::numeric_limits<double>::quiet_NaN();
constexpr float kTenth = 0.1f;
constexpr float kThreeTenths = 0.3f;

Tensor<float> filled(Graph<float>& graph, const Shape& shape, float number) {
  return graph.leaf("", attn::full<float>(shape, number));
}

// number(0), number(1), ...
template <typename Number>
Tensor<float> counted(Graph<float>& graph, const Shape& shape, Number number) {
  Array<float> array = attn::full<float>(shape, 0);
  for (std::size_t i = 0; i < array.size(); ++i) array.data()[i] = number(i);
  return graph.leaf("", std::move(array));
}

float seventh(std::size_t i) { return static_cast<float>(i % 7) * kTenth; }

// softmax of seventh(0), seventh(1), ... at the first position
double first_share() {
  double sum = 0;
  for (std::size_t i = 0; i < kMany; ++i) sum += std::exp(static_cast<double>(seventh(i)));
  return 1 / sum;
}

template <typename Build>
void add(std::vector<Use>& uses, const std::string& op, const std::string& what, double exact, double numpy,
         double torch, const Build& build, double tolerance = 4e-7) {
  uses.push_back({op, what, exact, numpy, torch, build, tolerance});
}

void add_reductions(std::vector<Use>& uses) {
  using G = Graph<float>&;
  const double sum = static_cast<double>(kTenth) * kMany;
  add(uses, "sum", "all", sum, 100000.0859375, 100000.0078125,
      [](G graph, std::size_t count) { return attn::sum(filled(graph, {count}, kTenth)); });
  add(uses, "sum", "down two columns", sum / 2, 50177.09765625, 49999.98828125, [](G graph, std::size_t count) {
    return attn::sum(filled(graph, {count / 2, 2}, kTenth), {.axes = std::vector<int>{0}});
  });
  add(uses, "mean", "all", kTenth, 0.10000008344650269, 0.10000000894069672,
      [](G graph, std::size_t count) { return attn::mean(filled(graph, {count}, kTenth)); });
  add(uses, "mean", "of two rows", kTenth, kNotAsked, kNotAsked, [](G graph, std::size_t count) {
    return attn::mean(filled(graph, {2, count / 2}, kTenth), {.axes = std::vector<int>{1}, .keepdim = true});
  });
  add(uses, "mean", "along a middle axis", kTenth, 0.09975985437631607, 0.10000001639127731,
      [](G graph, std::size_t count) {
        return attn::mean(filled(graph, {2, count / 4, 2}, kTenth), {.axes = std::vector<int>{1}});
      });
  add(uses, "softmax", "one slice", first_share(), 7.262097483362595e-07, 7.258071264004684e-07,
      [](G graph, std::size_t count) { return attn::softmax(counted(graph, {count}, seventh)); });
  add(uses, "softmax", "down a column", first_share(), kNotAsked, kNotAsked,
      [](G graph, std::size_t count) { return attn::softmax(counted(graph, {count, 1}, seventh), {.axis = 0}); });
  add(uses, "log_softmax", "one slice", std::log(first_share()), -14.135427474975586, -14.135981559753418,
      [](G graph, std::size_t count) { return attn::log_softmax(counted(graph, {count}, seventh)); });
  add(uses, "layer_norm", "one row", -0.1 / std::sqrt(0.01 + 1e-5), -0.999502420425415, -0.9995003938674927,
      [](G graph, std::size_t count) {
        return attn::layer_norm(
            counted(graph, {count}, [](std::size_t i) { return i % 2 == 0 ? kTenth : kThreeTenths; }));
      });
  add(uses, "histogram", "one bin", kMany, 1000000, 1000000, [](G graph, std::size_t count) {
    return attn::histogram(filled(graph, {count}, kTenth),
                           counted(graph, {2}, [](std::size_t i) { return static_cast<float>(i); }));
  });
}

void add_losses(std::vector<Use>& uses) {
  using G = Graph<float>&;
  const double square = std::pow(static_cast<double>(kThreeTenths) - static_cast<double>(kTenth), 2);
  struct Reduced {
    std::string reduction;
    double factor, numpy, torch;
  };
  for (const Reduced& one : {Reduced{"mean", 1, 0.03999997302889824, 0.04000001400709152},
                             Reduced{"sum", kMany, 39999.97265625, 40000.015625}})
    add(uses, "mse_loss", one.reduction, square * one.factor, one.numpy, one.torch, [one](G graph, std::size_t count) {
      return attn::mse_loss(filled(graph, {count}, kThreeTenths), filled(graph, {count}, kTenth),
                            {.reduction = one.reduction});
    });
  const double divergence = kThreeTenths * (std::log(static_cast<double>(kThreeTenths)) + 2);
  for (const Reduced& one : {Reduced{"mean", 1, 0.2388080656528473, 0.23880814015865326},
                             Reduced{"batchmean", 1000, 238.8080596923828, 238.80813598632812},
                             Reduced{"sum", kMany, 238808.0625, 238808.140625}})
    add(uses, "kl_divergence", one.reduction, divergence * one.factor, one.numpy, one.torch,
        [one](G graph, std::size_t count) {
          const Shape shape = {count / 1000, 1000};
          return attn::kl_divergence(filled(graph, shape, -2), filled(graph, shape, kThreeTenths),
                                     {.reduction = one.reduction});
        });
  for (const Reduced& one :
       {Reduced{"mean", 1, 0.6931464672088623, 0.6931473016738892}, Reduced{"sum", kMany, 693146.4375, 693147.3125}})
    add(uses, "cross_entropy", "classes, " + one.reduction, std::log(2.) * one.factor, one.numpy, one.torch,
        [one](G graph, std::size_t count) {
          return attn::cross_entropy(filled(graph, {count, 2}, 0), filled(graph, {count}, 0),
                                     {.reduction = one.reduction});
        });
  for (const Reduced& one : {Reduced{"mean", 1, 0.6931477785110474, 0.6931470632553101},
                             Reduced{"sum", kTenth * static_cast<double>(kMany), 69314.8359375, 69314.71875}})
    add(uses, "cross_entropy", "weighted classes, " + one.reduction, std::log(2.) * one.factor, one.numpy, one.torch,
        [one](G graph, std::size_t count) {
          return attn::cross_entropy(filled(graph, {count, 2}, 0), filled(graph, {count}, 0),
                                     {.reduction = one.reduction}, filled(graph, {2}, kTenth));
        });
  add(uses, "cross_entropy", "probabilities of many classes", kMany * static_cast<double>(1e-6f) * std::log(1e6),
      13.815498352050781, 13.81551456451416, [](G graph, std::size_t count) {
        return attn::cross_entropy(filled(graph, {1, count}, kTenth), filled(graph, {1, count}, 1e-6f));
      });
  add(uses, "entropy", "one row", -std::log(static_cast<double>(kTenth)) * kTenth * kMany, 230258.796875, 230258.484375,
      [](G graph, std::size_t count) { return attn::entropy(filled(graph, {count}, kTenth)); });
  add(uses, "cosine_similarity", "one row", 1, 0.9999989867210388, 1.0000001192092896, [](G graph, std::size_t count) {
    return attn::cosine_similarity(filled(graph, {count}, kThreeTenths), filled(graph, {count}, kTenth));
  });
}

// Sums of products in float, in blocks of 512: some digits are lost, but not most of them.
void add_products(std::vector<Use>& uses) {
  using G = Graph<float>&;
  const double sum = static_cast<double>(kTenth) * kMany;
  constexpr double kTolerance = 2e-5;
  add(
      uses, "matmul", "one cell", sum, 100958.34375, 100958.34375,
      [](G graph, std::size_t count) {
        return attn::matmul(filled(graph, {1, count}, kTenth), filled(graph, {count, 1}, 1));
      },
      kTolerance);
  add(
      uses, "linear", "one cell", sum, 100958.34375, 100958.34375,
      [](G graph, std::size_t count) {
        return attn::linear(filled(graph, {1, count}, kTenth), filled(graph, {1, count}, 1));
      },
      kTolerance);
  add(
      uses, "attention", "equal scores", kTenth, kNotAsked, kNotAsked,
      [](G graph, std::size_t count) {
        return attn::attention(filled(graph, {1, 1}, 1), filled(graph, {count, 1}, 1),
                               filled(graph, {count, 1}, kTenth));
      },
      kTolerance);
}

std::vector<Use> uses() {
  std::vector<Use> uses;
  add_reductions(uses);
  add_losses(uses);
  add_products(uses);
  return uses;
}

double first(const Tensor<float>& tensor) { return tensor.value().data()[0]; }

}  // namespace

TEST_CASE("A million floats are summed at least as well as by NumPy and PyTorch") {
  for (const Use& use : uses()) {
    INFO(use.op << ", " << use.what);
    Graph<float> graph;
    const Tensor<float> output = use.build(graph, kMany);
    REQUIRE(graph.node(output.id).op->name() == use.op);
    const double error = std::abs(first(output) - use.exact);
    INFO(first(output) << ", exactly " << use.exact << ", relative error " << error / std::abs(use.exact));
    const double margin = use.tolerance * std::abs(use.exact);
    CHECK(error <= margin);
    for (const double other : {use.numpy, use.torch})
      if (!std::isnan(other)) CHECK(error <= std::abs(other - use.exact) + margin);
  }
}

TEST_CASE("Every operation that sums many numbers is tested with a million") {
  std::set<std::string> tried;
  for (const Use& use : uses()) tried.insert(use.op);
  for (const op_cases::OpCase<float>& test : op_cases::all<float>()) {
    INFO(test.op);
    CHECK((tried.count(test.op) > 0) == test.traits.adds_many);
  }
}

TEST_CASE("The explanation of a long sum of floats contains the sum from which the cell was computed") {
  constexpr std::size_t kTerms = 20000;
  std::size_t compared = 0;
  for (const Use& use : uses()) {
    Graph<float> graph;
    const Tensor<float> output = use.build(graph, kTerms);
    const Explanation explanation = graph.explain(output.id, Index(output.shape().size(), 0));
    INFO(use.op << ", " << use.what);
    CHECK(explanation.rows.back().value == first(output));
    double divisor = 1;
    for (const Row& row : explanation.rows)
      if (row.role == "divisor" || row.role == "count") divisor = row.value.value();
    const Row& terms = explanation.rows.front();
    if (terms.role != "terms" && terms.role != "losses") continue;
    double sum = terms.rest ? terms.rest->value.value() : 0;
    for (const attn::Operand& operand : terms.operands) sum += operand.value;
    CHECK(terms.value.value() == Catch::Approx(sum).epsilon(1e-7));
    CHECK(first(output) == Catch::Approx(terms.value.value() / divisor).epsilon(1e-7));
    ++compared;
  }
  CHECK(compared == 15);
}

TEST_CASE("A cell of a softmax is the exponential over the sum in its explanation, to the last digit") {
  for (const std::size_t count : {1, 2, 5, 6, 64, 127, 700, 20001}) {
    INFO(count << " numbers");
    Graph<float> graph;
    const auto score = [](std::size_t i) { return static_cast<float>(3 * std::sin(static_cast<double>(i * i))); };
    const Tensor<float> scores = counted(graph, {1, count}, score);
    const Tensor<float> weights = attn::softmax(scores);
    const Tensor<float> logarithms = attn::log_softmax(scores);
    const Index index = {0, count / 2};
    const auto row_named = [&](const Explanation& explanation, const std::string& role) -> const Row& {
      for (const Row& row : explanation.rows)
        if (row.role == role) return row;
      throw std::runtime_error("no row " + role);
    };
    const auto own = [&](const Row& row) {
      for (const attn::Operand& operand : row.operands)
        if (operand.index == index) return static_cast<float>(operand.value);
      throw std::runtime_error("the cell is not shown");
    };
    const Explanation of_weight = graph.explain(weights.id, index);
    const Row& exponentials = row_named(of_weight, "exp");
    CHECK(own(exponentials) / static_cast<float>(exponentials.value.value()) == weights.value().data()[index[1]]);
    const Explanation of_logarithm = graph.explain(logarithms.id, index);
    const float difference = own(row_named(of_logarithm, "minus_max"));
    const float sum = static_cast<float>(row_named(of_logarithm, "exp").value.value());
    const float log_sum = attn::kernels::value(attn::kernels::Function::log, sum);
    CHECK(static_cast<float>(row_named(of_logarithm, "log_sum").value.value()) == log_sum);
    CHECK(difference - log_sum == logarithms.value().data()[index[1]]);

    const Tensor<float> loss = attn::cross_entropy(
        scores, counted(graph, {1}, [&](std::size_t) { return static_cast<float>(index[1]); }), {.reduction = "none"});
    const Explanation of_loss = graph.explain(loss.id, {0});
    CHECK(own(row_named(of_loss, "minus_log_p")) == -logarithms.value().data()[index[1]]);
    CHECK(own(row_named(of_loss, "products")) == loss.value().data()[0]);

    // The fused op uses the same weights as softmax gives for these scores.
    const Tensor<float> keys = counted(graph, {count, 1}, score);
    const Tensor<float> mixed = attn::attention(filled(graph, {1, 1}, 1), keys, filled(graph, {count, 1}, 1));
    const Explanation of_mixed = graph.explain(mixed.id, {0, 0}, {.full = true});
    const Row& shares = row_named(of_mixed, "weights");
    for (std::size_t j = 0; j < std::min(count, attn::kTermsBefore); ++j)
      CHECK(static_cast<float>(shares.operands[j].value) == weights.value().data()[j]);
  }
}

namespace {

// One use of an operation in which a cell gets the sum of `rows` gradients.
struct GradientUse {
  std::string op, what;
  double
      exact;  // of the first cell, in double, for the float inputs; the gradient of every cell of the output is a tenth
  std::function<Tensor<float>(Graph<float>&, Tensor<float> operand, std::size_t rows)> build;
  Shape operand = {2};
};

std::vector<GradientUse> gradient_uses(std::size_t count) {
  using G = Graph<float>&;
  using X = const Tensor<float>&;
  const double rows = static_cast<double>(count);
  const double sum = static_cast<double>(kTenth) * rows;
  const double product = static_cast<double>(kTenth * kThreeTenths) * rows;
  const double quotient = static_cast<double>(kTenth * (1 / kThreeTenths)) * rows;
  const double by_divisor = static_cast<double>(kTenth * -(kThreeTenths / kThreeTenths / kThreeTenths)) * rows;
  // The cosine of (t, t) and (0, 1) changes by -1 / (2 sqrt(2) t) per unit of the first number.
  const double by_row = static_cast<float>(-kTenth / (2 * std::sqrt(2.0) * kThreeTenths)) * rows;
  const auto upright = [](G g, std::size_t n) {
    return counted(g, {n, 2}, [](std::size_t i) { return static_cast<float>(i % 2); });
  };
  const auto other_operand = [](G g, std::size_t n) { return filled(g, {n, 2}, kThreeTenths); };
  const auto in_columns = [](G g, std::size_t n) { return filled(g, {2, n}, kThreeTenths); };
  return {
      {"add", "on the right", sum, [=](G g, X x, std::size_t n) { return attn::add(other_operand(g, n), x); }},
      {"add", "on the left", sum, [=](G g, X x, std::size_t n) { return attn::add(x, other_operand(g, n)); }},
      {"subtract", "on the right", -sum,
       [=](G g, X x, std::size_t n) { return attn::subtract(other_operand(g, n), x); }},
      {"subtract", "on the left", sum, [=](G g, X x, std::size_t n) { return attn::subtract(x, other_operand(g, n)); }},
      {"subtract",
       "one cell",
       -2 * sum,
       [=](G g, X x, std::size_t n) { return attn::subtract(other_operand(g, n), x); },
       {}},
      {"multiply", "on the right", product,
       [=](G g, X x, std::size_t n) { return attn::multiply(other_operand(g, n), x); }},
      {"multiply", "on the left", product,
       [=](G g, X x, std::size_t n) { return attn::multiply(x, other_operand(g, n)); }},
      {"multiply",
       "a column",
       product,
       [=](G g, X x, std::size_t n) { return attn::multiply(in_columns(g, n), x); },
       {2, 1}},
      {"divide", "dividend", quotient, [=](G g, X x, std::size_t n) { return attn::divide(x, other_operand(g, n)); }},
      {"divide", "divisor", by_divisor, [=](G g, X x, std::size_t n) { return attn::divide(other_operand(g, n), x); }},
      {"divide",
       "one divisor",
       2 * by_divisor,
       [=](G g, X x, std::size_t n) { return attn::divide(other_operand(g, n), x); },
       {}},
      {"linear", "bias", sum,
       [](G g, X x, std::size_t n) { return attn::linear(filled(g, {n, 1}, 1), filled(g, {2, 1}, 1), x); }},
      {"conv1d", "bias", sum,
       [](G g, X x, std::size_t n) { return attn::conv1d(filled(g, {2, 1, n / 2}, 1), filled(g, {2, 1, 1}, 1), x); }},
      {"layer_norm", "weight", -sum,
       [](G g, X x, std::size_t n) {
         const Tensor<float> pairs = counted(g, {n, 2}, [](std::size_t i) { return static_cast<float>(i % 2); });
         return attn::layer_norm(pairs, x, {}, {.eps = 0});
       }},
      {"layer_norm", "bias", sum,
       [=](G g, X x, std::size_t n) { return attn::layer_norm(other_operand(g, n), {}, x); }},
      {"embedding",
       "table",
       sum / 2,
       [](G g, X x, std::size_t n) {
         return attn::embedding(counted(g, {n}, [](std::size_t i) { return static_cast<float>(i % 2); }), x);
       },
       {3, 65}},
      {"embedding",
       "table, scaled",
       2 * sum,
       [](G g, X x, std::size_t n) { return attn::embedding(filled(g, {n}, 0), x, true); },
       {1, 4}},
      {"cosine_similarity", "a", by_row,
       [=](G g, X x, std::size_t n) { return attn::cosine_similarity(x, upright(g, n)); }},
      {"cosine_similarity", "b", by_row,
       [=](G g, X x, std::size_t n) { return attn::cosine_similarity(upright(g, n), x); }},
      {"absolute_index", "positions", sum, [](G, X x, std::size_t n) { return attn::absolute_index(x, n); }, {1}},
      // With a base of 1 every wavelength is 1.
      {"sinusoidal",
       "positions",
       static_cast<double>(kTenth) * (std::cos(double{kThreeTenths}) - std::sin(double{kThreeTenths})) * rows / 2,
       [](G, X x, std::size_t n) { return attn::sinusoidal(x, n, 1.0); },
       {1}},
      {"alibi",
       "slopes",
       -static_cast<double>(kTenth) * rows * (rows - 1) / 2,
       [](G, X x, std::size_t n) { return attn::alibi(x, {.query_length = 1, .key_length = n, .causal = false}); },
       {1}},
  };
}

}  // namespace

TEST_CASE("Gradients of cells that are used many times keep their digits, and their explanation has the same sum") {
  constexpr std::size_t kRows = 200000;
  for (const GradientUse& use : gradient_uses(kRows)) {
    INFO(use.op << ", " << use.what);
    Graph<float> graph;
    const Tensor<float> operand = filled(graph, use.operand, kThreeTenths);
    const Tensor<float> output = use.build(graph, operand, kRows);
    REQUIRE(graph.node(output.id).op->name() == use.op);
    graph.backward(output.id, attn::full<float>(output.shape(), kTenth));
    const float gradient = graph.node(operand.id).gradient->data()[0];
    CHECK(gradient == static_cast<float>(use.exact));
    const attn::GradientExplanation explanation = graph.explain_gradient(operand.id, Index(use.operand.size(), 0));
    REQUIRE(explanation.uses.size() == 1);
    CHECK(explanation.uses[0].explanation.rows.back().value == gradient);
  }
}

TEST_CASE("A bin of a histogram counts beyond 2^24, where adding 1 to a float has no effect") {
  constexpr std::size_t kCells = (1U << 24) + 7;
  Graph<float> graph;
  const Tensor<float> edges = counted(graph, {3}, [](std::size_t i) { return static_cast<float>(i); });
  const Tensor<float> counts = attn::histogram(filled(graph, {kCells}, kTenth), edges);
  CHECK(counts.value().data()[0] == static_cast<float>(kCells));
  CHECK(counts.value().data()[0] > static_cast<float>(1U << 24));
  CHECK(counts.value().data()[1] == 0);
}

TEST_CASE("softmax of ten million floats sums to 1") {
  constexpr std::size_t kCells = 10000000;
  std::vector<float> x(kCells);
  for (std::size_t i = 0; i < kCells; ++i) x[i] = seventh(i);
  attn::kernels::softmax(x.data(), x.data(), {kCells, 1}, false);
  double sum = 0;
  for (const float share : x) sum += share;
  CHECK(sum == Catch::Approx(1).epsilon(1e-6));
}
