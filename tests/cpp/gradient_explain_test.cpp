// Explanations of every operation's gradients: the sum of upstream times local over every cell and every use is the
// gradient.
#include <algorithm>
#include <cmath>

#include <catch_amalgamated.hpp>

#include "op_cases.hpp"
#include "ops/add.hpp"
#include "ops/attention.hpp"
#include "ops/multiply.hpp"
#include "ops/sum.hpp"

using attn::Array;
using attn::Explanation;
using attn::Graph;
using attn::Index;
using attn::Node;
using attn::Operand;
using attn::RandomState;
using attn::Region;
using attn::Row;
using attn::Tensor;

namespace {

template <typename T>
void backward_from_drawn(Graph<T>& graph, std::size_t output, RandomState& random) {
  Array<T> upstream = graph.node(output).value;
  for (std::size_t i = 0; i < upstream.size(); ++i) upstream.data()[i] = static_cast<T>(random.randn());
  graph.backward(output, upstream);
}

bool is_source(const Explanation& explanation, const Operand& operand) {
  for (const Region& region : explanation.sources) {
    bool inside = region.input == operand.input;
    for (std::size_t axis = 0; inside && axis < operand.index.size(); ++axis)
      inside = operand.index[axis] >= region.from[axis] && operand.index[axis] <= region.to[axis];
    if (inside) return true;
  }
  return false;
}

// The number that an operand refers to.
template <typename T>
double number_at(const Graph<T>& graph, const Node<T>& consumer, const Operand& operand) {
  if (operand.input == attn::kNoTensor) return operand.value;
  const Array<T>& tensor = operand.input == attn::kOutputGradient
                               ? *consumer.gradient
                               : graph.node(consumer.inputs[static_cast<std::size_t>(operand.input)]).value;
  return tensor.data()[attn::offset_of(attn::shape_of(tensor), operand.index)];
}

// The sum of the contributions of one use.
template <typename T>
double check_use(const Graph<T>& graph, const attn::GradientExplanation::Use& use, double epsilon) {
  const Node<T>& consumer = graph.node(use.consumer);
  const std::vector<Row>& rows = use.explanation.rows;
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].role == "upstream");
  CHECK(rows[1].role == "local");
  CHECK(rows[2].role == "contributions");
  CHECK(use.explanation.attributes == consumer.op->attributes());
  const std::size_t count = rows[0].operands.size();
  REQUIRE(rows[1].operands.size() == count);
  REQUIRE(rows[2].operands.size() == count);
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Operand& upstream = rows[0].operands[i];
    CHECK(upstream.input == attn::kOutputGradient);
    for (const Row& row : rows) {
      const Operand& operand = row.operands[i];
      CHECK(number_at(graph, consumer, operand) == operand.value);
      if (operand.input != attn::kNoTensor) CHECK(is_source(use.explanation, operand));
    }
    CHECK(rows[2].operands[i].value ==
          Catch::Approx(upstream.value * rows[1].operands[i].value).epsilon(epsilon).margin(epsilon));
    sum += rows[2].operands[i].value;
  }
  CHECK(rows[2].value.value() == Catch::Approx(sum).epsilon(epsilon).margin(epsilon));
  return sum;
}

// Returns how many cells were explained.
template <typename T>
std::size_t check_gradients(Graph<T>& graph, const Tensor<T>& output, RandomState& random) {
  const double epsilon = std::is_same_v<T, double> ? 1e-10 : 2e-4;
  backward_from_drawn(graph, output.id, random);
  std::size_t explained = 0;
  for (std::size_t leaf = 0; leaf < output.id; ++leaf) {
    const Node<T>& node = graph.node(leaf);
    if (!node.gradient) continue;
    for (std::size_t i = 0; i < node.value.size(); i += 1 + node.value.size() / 16) {
      const Index index = attn::index_at(node.shape, i);
      INFO("leaf " << leaf << " cell " << attn::to_string(index));
      const attn::GradientExplanation full = graph.explain_gradient(leaf, index, {.full = true});
      double sum = 0;
      for (const auto& use : full.uses) sum += check_use(graph, use, epsilon);
      const double gradient = node.gradient->data()[i];
      CHECK(full.sum.role == "sum_over_uses");
      CHECK(full.sum.value == gradient);
      CHECK(sum == Catch::Approx(gradient).epsilon(epsilon).margin(epsilon));
      CHECK(full.sum.operands.size() == full.uses.size());

      const attn::GradientExplanation brief = graph.explain_gradient(leaf, index);
      REQUIRE(brief.uses.size() == full.uses.size());
      for (std::size_t use = 0; use < brief.uses.size(); ++use) {
        const Row& terms = brief.uses[use].explanation.rows[2];
        CHECK(terms.operands.size() <= attn::kTermsInFull);
        double total = terms.rest ? terms.rest->value.value() : 0;
        for (const Operand& operand : terms.operands) total += operand.value;
        CHECK(total == Catch::Approx(terms.value.value()).epsilon(epsilon).margin(epsilon));
        CHECK(terms.operands.size() + (terms.rest ? terms.rest->count : 0) ==
              full.uses[use].explanation.rows[2].operands.size());
      }
      ++explained;
    }
  }
  return explained;
}

template <typename T>
std::size_t check_gradients(const op_cases::OpCase<T>& test, std::uint32_t seed) {
  INFO("seed " << seed);
  op_cases::Draws random(seed);
  Graph<T> graph;
  const Tensor<T> output = test.build(graph, random);
  return check_gradients(graph, output, random);
}

template <typename T>
void check_edge_sizes(const op_cases::OpCase<T>& test) {
  op_cases::with_edge_sizes(test, [&](Graph<T>& graph, const Tensor<T>& output, op_cases::Draws& random) {
    INFO("shape " << attn::to_string(output.shape()));
    // A NaN cannot be compared.
    if (std::none_of(output.value().begin(), output.value().end(), [](T cell) { return std::isnan(cell); }))
      check_gradients(graph, output, random);
  });
}

}  // namespace

TEST_CASE("The rows of a gradient give the value of its cell") {
  for (const auto& test : op_cases::all_with_gradients<double>()) {
    DYNAMIC_SECTION(test.op << ", " << test.use << ", float64") {
      std::size_t explained = 0;
      for (std::uint32_t seed = 0; seed < 6; ++seed) explained += check_gradients(test, seed);
      check_edge_sizes(test);
      op_cases::Draws random(1);
      Graph<double> graph;
      CHECK((explained > 0 || op_cases::follows_nothing(graph.node(test.build(graph, random).id))));
    }
  }
  for (const auto& test : op_cases::all_with_gradients<float>()) {
    DYNAMIC_SECTION(test.op << ", " << test.use << ", float32") {
      for (std::uint32_t seed = 0; seed < 3; ++seed) check_gradients(test, seed);
      check_edge_sizes(test);
    }
  }
}

TEST_CASE("A gradient is explained over every use") {
  Graph<double> graph;
  const Tensor<double> x = graph.leaf("x", attn::full<double>({2}, 3));
  const Tensor<double> y = graph.leaf("y", attn::full<double>({2}, 5));
  const Tensor<double> square = attn::multiply(x, x, "square");
  const Tensor<double> both = attn::add(square, attn::multiply(x, y, "product"), "both");
  const Tensor<double> unused = attn::add(x, y, "unused");
  const Tensor<double> total = attn::sum(both, {}, "total");
  graph.backward(total.id);

  const attn::GradientExplanation explanation = graph.explain_gradient(x.id, {1});
  REQUIRE(explanation.uses.size() == 3);
  CHECK(graph.node(explanation.uses[0].consumer).name == "square");
  CHECK(explanation.uses[0].input == 0);
  CHECK(explanation.uses[1].input == 1);
  CHECK(graph.node(explanation.uses[2].consumer).name == "product");
  CHECK(explanation.uses[2].explanation.rows[1].operands[0].input == 1);
  CHECK(explanation.uses[2].explanation.rows[1].operands[0].value == 5);
  CHECK(explanation.sum.value == 11);

  const attn::GradientExplanation seed = graph.explain_gradient(total.id, {});
  CHECK(seed.uses.empty());
  CHECK(seed.sum.role == "seed");
  CHECK(seed.sum.value == 1);

  const attn::GradientExplanation unreached = graph.explain_gradient(unused.id, {0});
  CHECK(unreached.uses.empty());
  CHECK(unreached.sum.role == "unreached");
  CHECK(unreached.sum.value == 0);
  CHECK_THROWS_AS(graph.explain_gradient(x.id, {2}), attn::InputError);
}

TEST_CASE("Very long rows keep their first and their last terms") {
  Graph<double> graph;
  Array<double> numbers = attn::arange<double>(10000);
  const Tensor<double> x = graph.leaf("x", numbers);
  const Tensor<double> total = attn::sum(x);
  for (bool full : {false, true}) {
    const Row terms = graph.explain(total.id, {}, {.full = full}).rows[0];
    const std::size_t shown_terms = full ? attn::kTermsAtMost : 3;
    REQUIRE(terms.operands.size() == shown_terms);
    CHECK(terms.operands[shown_terms - 2].value == static_cast<double>(shown_terms - 2));
    CHECK(terms.operands[shown_terms - 1].value == 9999);
    CHECK(terms.rest->count == 10000 - shown_terms);
    double sum = terms.rest->value.value();
    for (const Operand& operand : terms.operands) sum += operand.value;
    CHECK(sum == 49995000);
  }
}

TEST_CASE("A leaf is explained by its origin") {
  Graph<double> graph;
  const attn::Origin origin = {{"kind", std::string("draw")}, {"seed", 42.0}};
  const Tensor<double> x = graph.leaf("x", attn::full<double>({2}, 3), origin);
  CHECK(graph.explain(x.id, {0}).attributes == origin);
}

TEST_CASE("A bias that attention broadcasts is explained by one term for each cell of the output") {
  constexpr std::size_t kQueries = 300, kKeys = 200, kWidth = 3;
  RandomState random(1);
  Graph<double> graph;
  const auto drawn = [&](const attn::Shape& shape) {
    Array<double> numbers = attn::full<double>(shape, 0);
    for (double& number : numbers) number = random.randn();
    return graph.leaf("", std::move(numbers));
  };
  const Tensor<double> query = drawn({kQueries, kWidth});
  const Tensor<double> key = drawn({kKeys, kWidth});
  const Tensor<double> value = drawn({kKeys, kWidth});
  struct Use {
    attn::Shape bias;
    std::size_t queries;  // number of queries that read the first cell
  };
  for (const Use& use : {Use{{kKeys}, kQueries}, Use{{1, kKeys}, kQueries}, Use{{kQueries, 1}, 1}, Use{{}, kQueries},
                         Use{{kQueries, kKeys}, 1}}) {
    INFO("bias " << attn::to_string(use.bias));
    const Tensor<double> bias = drawn(use.bias);
    attn::AttentionOptions<double> options;
    options.bias = bias;
    const Tensor<double> output = attn::attention(query, key, value, options);
    backward_from_drawn(graph, output.id, random);
    const attn::GradientExplanation explanation = graph.explain_gradient(bias.id, Index(use.bias.size(), 0));
    REQUIRE(explanation.uses.size() == 1);
    const Row& terms = explanation.uses[0].explanation.rows.back();
    CHECK(terms.operands.size() + (terms.rest ? terms.rest->count : 0) == use.queries * kWidth);
    CHECK(terms.value.value() == Catch::Approx(graph.node(bias.id).gradient->data()[0]).margin(1e-12));
  }
}
