// Every operation's explanations: the arithmetic adds up to the cell, and its sources are all of its sources.
#include <cmath>
#include <limits>

#include <catch_amalgamated.hpp>

#include "op_cases.hpp"

using attn::Array;
using attn::Explanation;
using attn::Graph;
using attn::Index;
using attn::Node;
using attn::Operand;
using attn::RandomState;
using attn::Region;
using attn::Row;

namespace {

const Row& row(const Explanation& explanation, const std::string& role) {
  for (const Row& candidate : explanation.rows)
    if (candidate.role == role) return candidate;
  FAIL("no row " << role);
  return explanation.rows.front();
}

bool has_row(const Explanation& explanation, const std::string& role) {
  for (const Row& candidate : explanation.rows)
    if (candidate.role == role) return true;
  return false;
}

double value(const Explanation& explanation, const std::string& role) { return row(explanation, role).value.value(); }

// The shown terms and the sum of the others.
double total(const Row& terms) {
  double sum = terms.rest ? terms.rest->value.value() : 0;
  for (const Operand& operand : terms.operands) sum += operand.value;
  return sum;
}

double attribute(const attn::Attributes& attributes, const std::string& name) {
  return std::get<double>(attributes.at(name));
}

// The operand of a softmax row that stands in the column of the cell.
double own(const Row& terms, const Index& index) {
  for (const Operand& operand : terms.operands)
    if (operand.index == index) return operand.value;
  FAIL("the cell's own column is not shown");
  return 0;
}

// exp and its sum, from the shown numbers.
void check_softmax_rows(const Explanation& explanation) {
  const Row& x = row(explanation, "value");
  const Row& differences = row(explanation, "minus_max");
  const Row& exponentials = row(explanation, "exp");
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < x.operands.size(); ++i) {
    largest = std::max(largest, x.operands[i].value);
    CHECK(differences.operands[i].value == Catch::Approx(x.operands[i].value - differences.value.value()).margin(1e-6));
    CHECK(exponentials.operands[i].value == Catch::Approx(std::exp(differences.operands[i].value)).epsilon(1e-6));
  }
  CHECK(largest == differences.value.value());
  CHECK(exponentials.value.value() == Catch::Approx(total(exponentials)).epsilon(1e-6));
}

// The value of the cell from the rows before the last, by the meaning of the roles.
double recombine(const std::string& op, const attn::Attributes& attributes, const Index& index,
                 const Explanation& explanation) {
  if (op == "matmul" || op == "attention" || op == "rotary") return total(row(explanation, "products"));
  if (op == "linear")
    return total(row(explanation, "products")) + (has_row(explanation, "bias") ? value(explanation, "bias") : 0);
  if (op == "add") return explanation.rows[0].value.value() + explanation.rows[1].value.value();
  if (op == "scale")
    return has_row(explanation, "factor") ? value(explanation, "value") * value(explanation, "factor")
                                          : value(explanation, "value") / value(explanation, "divisor");
  if (op == "mask")
    return value(explanation, "mask") != 0 ? value(explanation, "value") : attribute(attributes, "fill");
  if (op == "softmax") {
    check_softmax_rows(explanation);
    CHECK(total(row(explanation, "quotient")) == Catch::Approx(1).epsilon(1e-6));
    CHECK(own(row(explanation, "quotient"), index) == value(explanation, "quotient"));
    return own(row(explanation, "exp"), index) / value(explanation, "exp");
  }
  if (op == "log_softmax") {
    check_softmax_rows(explanation);
    CHECK(value(explanation, "log_sum") == Catch::Approx(std::log(value(explanation, "exp"))).margin(1e-6));
    return own(row(explanation, "minus_max"), index) - value(explanation, "log_sum");
  }
  if (op == "embedding")
    return value(explanation, "from") * (has_row(explanation, "factor") ? value(explanation, "factor") : 1);
  if (op == "sinusoidal") {
    const Row& wavelength = row(explanation, "wavelength");
    CHECK(wavelength.value.value() ==
          Catch::Approx(
              std::pow(wavelength.operands[0].value, wavelength.operands[1].value / wavelength.operands[2].value)));
    const double angle = value(explanation, "position") / wavelength.value.value();
    CHECK(value(explanation, "angle") == angle);
    return has_row(explanation, "sin") ? std::sin(angle) : std::cos(angle);
  }
  if (op == "alibi_slopes") return std::exp2(value(explanation, "exponent"));
  if (op == "alibi")
    return has_row(explanation, "slope") ? -value(explanation, "slope") * value(explanation, "distance")
                                         : -std::numeric_limits<double>::infinity();
  if (op == "absolute_index") return value(explanation, "position");
  if (op == "shift_matrix") {
    if (has_row(explanation, "cos")) return value(explanation, "cos");
    if (has_row(explanation, "sin"))
      return index[0] < index[1] ? value(explanation, "sin") : -value(explanation, "sin");
    return 0;
  }
  // What is left computes nothing.
  const std::vector<Operand>& place = row(explanation, "index").operands;
  if (op == "split_heads" || op == "merge_heads")
    CHECK(place[0].value == place[1].value * place[2].value + place[3].value);
  if (op == "concat" || op == "slice") CHECK(place[0].value == place[1].value + place[2].value);
  return value(explanation, "from");
}

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

// Operands that stand in a tensor are its cells, and sources.
template <typename T>
void check_operands(const Graph<T>& graph, const Node<T>& node, const Explanation& explanation) {
  for (const Row& each : explanation.rows) {
    CHECK(each.operands.size() <= 7);
    for (const Operand& operand : each.operands) {
      if (operand.input < 0) continue;
      const Node<T>& input = graph.node(node.inputs[static_cast<std::size_t>(operand.input)]);
      CHECK(operand.value == static_cast<double>(input.value.data()[attn::offset_of(input.shape, operand.index)]));
      CHECK(is_source(explanation, operand.input, operand.index));
    }
  }
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// Another number for a cell: another id where only whole numbers make sense.
double changed(const std::string& op, int input, const Array<double>& second, double x) {
  if (op == "embedding" && input == 0) return x == 0 ? static_cast<double>(second.shape()[0] - 1) : x - 1;
  if (x == 0 || x == 1) return 1 - x;  // a mask
  return x + 0.37;
}

struct Moves {
  std::size_t sources = 0;
  std::size_t moved = 0;
};

// Changes every cell of every input: output[index] moves for sources only.
void check_sources(Graph<double>& graph, std::size_t output, const std::string& op, const Index& index, Moves& moves) {
  const Explanation explanation = graph.explain(output, index);
  const Node<double>& node = graph.node(output);
  const std::size_t offset = attn::offset_of(node.shape, index);
  const double before = node.value.data()[offset];
  for (std::size_t leaf = 0; leaf < output; ++leaf) {
    const Array<double> numbers = graph.node(leaf).value;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const Index cell = attn::index_at(graph.node(leaf).shape, i);
      bool source = false;
      int place = 0;
      for (std::size_t input = 0; input < node.inputs.size(); ++input) {
        if (node.inputs[input] != leaf) continue;
        place = static_cast<int>(input);
        source = source || is_source(explanation, place, cell);
      }
      const Array<double>& second = graph.node(node.inputs.back()).value;
      graph.set_cell(leaf, cell, changed(op, place, second, numbers.data()[i]));
      const bool moved = !same(node.value.data()[offset], before);
      graph.set_cell(leaf, cell, numbers.data()[i]);
      INFO("leaf " << leaf << " cell " << attn::to_string(cell));
      if (!source) REQUIRE_FALSE(moved);
      if (source) ++moves.sources;
      if (source && moved) ++moves.moved;
    }
  }
}

template <typename T>
void check_arithmetic(const op_cases::OpCase<T>& test) {
  const double epsilon = std::is_same_v<T, double> ? 1e-12 : 2e-5;
  for (std::uint32_t seed = 0; seed < 6; ++seed) {
    RandomState random(seed);
    Graph<T> graph;
    const attn::Tensor<T> output = test.build(graph, random);
    const Node<T>& node = graph.node(output.id);
    for (std::size_t i = 0; i < node.value.size(); ++i) {
      const Index index = attn::index_at(node.shape, i);
      INFO("seed " << seed << " cell " << attn::to_string(index));
      const Explanation explanation = graph.explain(output.id, index);
      REQUIRE_FALSE(explanation.rows.empty());
      const double cell = node.value.data()[i];
      CHECK(explanation.rows.back().value == cell);
      check_operands(graph, node, explanation);
      const double again = recombine(test.op, node.op->attributes(), index, explanation);
      if (std::isfinite(cell)) {
        CHECK(again == Catch::Approx(cell).epsilon(epsilon).margin(epsilon));
      } else {
        CHECK(same(again, cell));
      }
    }
  }
}

}  // namespace

TEST_CASE("The rows of an explanation make the cell") {
  for (const auto& test : op_cases::all<double>()) {
    DYNAMIC_SECTION(test.op << ", " << test.use << ", float64") { check_arithmetic(test); }
  }
  for (const auto& test : op_cases::all<float>()) {
    DYNAMIC_SECTION(test.op << ", " << test.use << ", float32") { check_arithmetic(test); }
  }
}

TEST_CASE("The sources of a cell are what moves it") {
  for (const auto& test : op_cases::all<double>()) {
    DYNAMIC_SECTION(test.op << ", " << test.use) {
      Moves moves;
      for (std::uint32_t seed = 0; seed < 4; ++seed) {
        RandomState random(seed);
        Graph<double> graph;
        const attn::Tensor<double> output = test.build(graph, random);
        const std::size_t cells = output.value().size();
        for (std::size_t i = 0; i < cells; i += 1 + cells / 5) {
          const Index index = attn::index_at(output.shape(), i);
          INFO("seed " << seed << " cell " << attn::to_string(index));
          check_sources(graph, output.id, test.op, index, moves);
        }
      }
      INFO(moves.moved << " of " << moves.sources);
      CHECK((moves.moved > 0 || test.op == "alibi_slopes"));
      if (test.every_source_counts) CHECK(moves.moved == moves.sources);
    }
  }
}
