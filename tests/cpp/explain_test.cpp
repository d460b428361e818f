// Explanations of every operation: their arithmetic gives the value of the cell, and their sources are complete.
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <catch_amalgamated.hpp>

#include "changed_cell.hpp"
#include "op_cases.hpp"
#include "ops/add.hpp"
#include "ops/attention.hpp"
#include "ops/conv1d.hpp"
#include "ops/cosine_similarity.hpp"
#include "ops/cross_entropy.hpp"
#include "ops/entropy.hpp"
#include "ops/layer_norm.hpp"
#include "ops/linear.hpp"
#include "ops/log_softmax.hpp"
#include "ops/matmul.hpp"
#include "ops/mse_loss.hpp"
#include "ops/multiply.hpp"
#include "ops/softmax.hpp"
#include "recombine.hpp"

using attn::Array;
using attn::Explanation;
using attn::Graph;
using attn::Index;
using attn::Node;
using attn::Operand;
using attn::Region;
using attn::Row;
using op_cases::recombine;

namespace {

bool inside(const Region& region, const Index& index) {
  for (std::size_t axis = 0; axis < index.size(); ++axis)
    if (index[axis] < region.from[axis] || index[axis] > region.to[axis]) return false;
  return true;
}

bool is_source(const Explanation& explanation, int input, const Index& index) {
  for (const Region& region : explanation.sources)
    if (region.input == input && inside(region, index)) return true;
  return false;
}

// Checks that every operand that is stored in a tensor equals its cell there and is one of the sources.
template <typename T>
void check_operands(const Graph<T>& graph, const Node<T>& node, const Explanation& explanation, std::size_t most) {
  for (const Row& row : explanation.rows) {
    CHECK(row.operands.size() <= most);
    for (const Operand& operand : row.operands) {
      if (operand.input < 0) continue;
      const Node<T>& input = graph.node(node.inputs[static_cast<std::size_t>(operand.input)]);
      CHECK(operand.value == static_cast<double>(input.value.data()[attn::offset_of(input.shape, operand.index)]));
      CHECK(is_source(explanation, operand.input, operand.index));
    }
  }
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

struct Changes {
  std::size_t sources = 0;
  std::size_t changed = 0;
};

// Changes every cell of every input and checks that output[index] changes for sources only.
void check_sources(Graph<double>& graph, std::size_t output, const Index& index, Changes& changes) {
  const Explanation explanation = graph.explain(output, index);
  const Node<double>& node = graph.node(output);
  const std::size_t offset = attn::offset_of(node.shape, index);
  const double before = node.value.data()[offset];
  for (std::size_t leaf = 0; leaf < output; ++leaf) {
    const Array<double> numbers = graph.node(leaf).value;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const Index cell = attn::index_at(graph.node(leaf).shape, i);
      bool source = false;
      std::size_t input_index = 0;
      for (std::size_t input = 0; input < node.inputs.size(); ++input) {
        if (node.inputs[input] != leaf) continue;
        input_index = input;
        source = source || is_source(explanation, static_cast<int>(input), cell);
      }
      graph.set_cell(leaf, cell, op_cases::changed(graph, node, input_index, numbers.data()[i]));
      const bool changed = !same(node.value.data()[offset], before);
      graph.set_cell(leaf, cell, numbers.data()[i]);
      INFO("leaf " << leaf << " cell " << attn::to_string(cell));
      if (!source) REQUIRE_FALSE(changed);
      if (source) ++changes.sources;
      if (source && changed) ++changes.changed;
    }
  }
}

template <typename T>
void check_cells(const op_cases::OpCase<T>& test, const Graph<T>& graph, const attn::Tensor<T>& output) {
  const double epsilon = std::is_same_v<T, double> ? 1e-12 : 2e-5;
  const Node<T>& node = graph.node(output.id);
  for (std::size_t i = 0; i < node.value.size(); ++i) {
    const Index index = attn::index_at(node.shape, i);
    INFO("cell " << attn::to_string(index));
    const Explanation explanation = graph.explain(output.id, index);
    REQUIRE_FALSE(explanation.rows.empty());
    const double cell = node.value.data()[i];
    CHECK(same(explanation.rows.back().value.value(), cell));
    CHECK(explanation.attributes == node.op->attributes());
    check_operands(graph, node, explanation, 7);
    const Explanation full = graph.explain(output.id, index, {.full = true});
    check_operands(graph, node, full, attn::kTermsAtMost);
    for (const Row& row : full.rows) CHECK_FALSE(row.rest);
    // A row of one number has no unbiased variance: its normalised number is NaN, which cannot be compared.
    if (test.op == "layer_norm" && std::isnan(cell)) continue;
    for (const Explanation& some : {explanation, full}) {
      const auto& own = test.traits.recombine;
      const double recomputed = own ? own(some) : recombine(test.op, index, some);
      if (std::isfinite(cell)) {
        CHECK(recomputed == Catch::Approx(cell).epsilon(epsilon).margin(epsilon));
      } else {
        CHECK(same(recomputed, cell));
      }
    }
  }
}

template <typename T>
void check_arithmetic(const op_cases::OpCase<T>& test) {
  for (std::uint32_t seed = 0; seed < 6; ++seed) {
    INFO("seed " << seed);
    op_cases::Draws random(seed);
    Graph<T> graph;
    check_cells(test, graph, test.build(graph, random));
  }
  op_cases::with_edge_sizes(test, [&](const Graph<T>& graph, const attn::Tensor<T>& output, op_cases::Draws&) {
    INFO("shape " << attn::to_string(output.shape()));
    check_cells(test, graph, output);
  });
}

}  // namespace

TEST_CASE("The rows of an explanation give the value of the cell") {
  for (const auto& test : op_cases::all<double>()) {
    DYNAMIC_SECTION(test.op << ", " << test.use << ", float64") { check_arithmetic(test); }
  }
  for (const auto& test : op_cases::all<float>()) {
    DYNAMIC_SECTION(test.op << ", " << test.use << ", float32") { check_arithmetic(test); }
  }
}

TEST_CASE("The sources of a cell are the cells that change it") {
  for (const auto& test : op_cases::all<double>()) {
    DYNAMIC_SECTION(test.op << ", " << test.use) {
      Changes changes;
      for (std::uint32_t seed = 0; seed < 4; ++seed) {
        op_cases::Draws random(seed);
        Graph<double> graph;
        const attn::Tensor<double> output = test.build(graph, random);
        const std::size_t cells = output.value().size();
        for (std::size_t i = 0; i < cells; i += 1 + cells / 5) {
          const Index index = attn::index_at(output.shape(), i);
          INFO("seed " << seed << " cell " << attn::to_string(index));
          check_sources(graph, output.id, index, changes);
        }
      }
      INFO(changes.changed << " of " << changes.sources);
      CHECK((changes.changed > 0 || op_cases::has_no_inputs(test.op)));
      if (test.every_source_changes_cell) CHECK(changes.changed == changes.sources);
    }
  }
}

TEST_CASE("An op stores no more terms of a row than can be shown, and sums the others") {
  constexpr std::size_t kLong = 10000;
  Graph<double> graph;
  const auto leaf = [&](const attn::Shape& shape) {
    Array<double> numbers = attn::full<double>(shape, 0);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers.data()[i] = 0.5 + static_cast<double>(i % 7) / 8;
    return graph.leaf("", std::move(numbers));
  };
  const attn::Tensor<double> line = leaf({1, kLong});
  const attn::Tensor<double> one = leaf({1, 1});
  const std::vector<attn::Tensor<double>> outputs = {
      attn::matmul(line, leaf({kLong, 1})),
      attn::linear(line, line),
      attn::conv1d(line, leaf({1, 1, kLong})),
      attn::layer_norm(line),
      attn::softmax(line),
      attn::log_softmax(line),
      attn::attention(one, leaf({kLong, 1}), leaf({kLong, 1})),
      attn::entropy(line),
      attn::cosine_similarity(line, line),
      attn::cross_entropy(line, graph.leaf("", attn::full<double>({1}, 8000)), {.reduction = "none"}),
      attn::mse_loss(line, line),
  };
  for (const attn::Tensor<double>& output : outputs) {
    const Node<double>& node = graph.node(output.id);
    INFO(node.op->name());
    std::vector<attn::CellView> views;
    for (const Array<double>* value : node.input_values) views.emplace_back(*value);
    const Index index = attn::index_at(node.shape, node.value.size() / 2);
    Explanation explanation = node.op->explain(views, attn::CellView(node.value), index);
    std::size_t longest = 0;
    for (const Row& row : explanation.rows) {
      longest = std::max(longest, row.operands.size());
      if (row.rest) CHECK(row.operands.size() + row.rest->count == kLong);
    }
    CHECK(longest == attn::kTermsAtMost);
    CHECK(recombine(std::string(node.op->name()), index, explanation) ==
          Catch::Approx(node.value.data()[node.value.size() / 2]).margin(1e-12));
    explanation.shorten(false);
    CHECK(recombine(std::string(node.op->name()), index, explanation) ==
          Catch::Approx(node.value.data()[node.value.size() / 2]).margin(1e-12));
    check_operands(graph, node, explanation, 7);
  }
}

TEST_CASE("The gradient of very many contributions stores those that can be shown, and its sources as one box") {
  constexpr std::size_t kLong = 10000;
  Graph<double> graph;
  const attn::Tensor<double> bias = graph.leaf("bias", attn::full<double>({1}, 3));
  const attn::Tensor<double> x = graph.leaf("x", attn::arange<double>(kLong));
  const attn::Tensor<double> product = attn::multiply(bias, x);
  graph.backward(product.id);
  const attn::GradientExplanation explanation = graph.explain_gradient(bias.id, {0}, {.full = true});
  REQUIRE(explanation.uses.size() == 1);
  const Explanation& use = explanation.uses[0].explanation;
  for (const Row& row : use.rows) {
    CHECK(row.operands.size() == attn::kTermsAtMost);
    CHECK(row.rest->count == kLong - attn::kTermsAtMost);
  }
  CHECK(use.rows[2].value == 49995000);
  REQUIRE(use.sources.size() == 2);
  for (const Region& region : use.sources) {
    CHECK(region.from == Index{0});
    CHECK(region.to == Index{kLong - 1});
  }
}

TEST_CASE("Softmax names what one gets without subtracting the maximum") {
  Graph<double> graph;
  Array<double> numbers = attn::full<double>({1, 3}, 2);
  numbers.data()[1] = -1;
  const attn::Tensor<double> line = graph.leaf("", std::move(numbers));
  const attn::Explanation explanation = graph.explain(attn::softmax(line).id, {0, 1});
  CHECK(std::abs(explanation.slips.at("max") - std::exp(-1.0)) < 1e-15);
  CHECK(graph.explain(attn::log_softmax(line).id, {0, 1}).slips.empty());
}

TEMPLATE_TEST_CASE("A rounding error in a sum that is exactly 0 is distinguished from a small number", "", float,
                   double) {
  using T = TestType;
  Graph<T> graph;
  const auto row = [&](T a, T b, T c) {
    Array<T> numbers = attn::full<T>({1, 3}, a);
    numbers.data()[1] = b;
    numbers.data()[2] = c;
    return graph.leaf("", std::move(numbers));
  };
  const attn::Tensor<T> ones = graph.leaf("", attn::full<T>({3, 1}, 1));
  const auto is_rounding = [&](const attn::Tensor<T>& tensor) {
    const Row last = graph.explain(tensor.id, {0, 0}).rows.back();
    return last.zero_within_rounding;
  };
  const T third = T(1) / 3;
  const T tiny = std::numeric_limits<T>::epsilon();
  CHECK(is_rounding(attn::matmul(row(third, tiny / 2, -third), ones)));
  CHECK(is_rounding(attn::add(row(third, 1, 1), row(-third + tiny / 4, 1, 1))));
  // Exactly 0, as small as its terms, larger than rounding, not finite.
  CHECK_FALSE(is_rounding(attn::matmul(row(third, 0, -third), ones)));
  CHECK_FALSE(is_rounding(attn::matmul(row(T(1e-30), T(2e-30), 0), ones)));
  CHECK_FALSE(is_rounding(attn::matmul(row(third, 10 * tiny, -third), ones)));
  CHECK_FALSE(is_rounding(attn::matmul(row(std::numeric_limits<T>::infinity(), 1, 1), ones)));
  // Only a sum of products is compared.
  CHECK_FALSE(is_rounding(attn::multiply(row(tiny, 1, 1), row(1, 1, 1))));
  // A small softmax is not a sum, so it is no rounding error.
  CHECK_FALSE(is_rounding(attn::softmax(row(-60, 0, 1))));

  // d/dx (x a - x a'), where a and a' differ by rounding: each use is exact, their sum is not.
  const attn::Tensor<T> x = row(1, 1, 1);
  const attn::Tensor<T> sum =
      attn::add(attn::multiply(x, row(third, 1, 1)), attn::multiply(x, row(-third + tiny / 4, 1, 1)));
  graph.backward(sum.id);
  const attn::GradientExplanation gradient = graph.explain_gradient(x.id, {0, 0});
  CHECK(gradient.sum.zero_within_rounding);
  CHECK(std::abs(*gradient.sum.value) > 0);
}
