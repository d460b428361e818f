// The backward of every operation against central differences.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include <catch_amalgamated.hpp>

#include "op_cases.hpp"
#include "program/operations.hpp"

using attn::Array;
using attn::Graph;
using attn::Node;
using attn::RandomState;

namespace {

constexpr double kStep = 1e-5;

// sum(upstream * value) over the finite cells: a small change of an input cannot change the others.
double loss(const Array<double>& value, const Array<double>& upstream) {
  double sum = 0;
  for (std::size_t i = 0; i < value.size(); ++i)
    if (std::isfinite(value.data()[i])) sum += value.data()[i] * upstream.data()[i];
  return sum;
}

// Returns how many cells were compared.
std::size_t check_gradients(Graph<double>& graph, std::size_t output, RandomState& random) {
  Array<double> upstream = graph.node(output).value;
  for (std::size_t i = 0; i < upstream.size(); ++i) upstream.data()[i] = random.randn();
  graph.backward(output, upstream);
  const Node<double>& node = graph.node(output);
  std::set<std::size_t> expected;
  for (std::size_t i = 0; i < node.inputs.size(); ++i)
    if (node.op->differentiable(i)) expected.insert(node.inputs[i]);
  // The gradients are copied first, since an edit drops them.
  std::map<std::size_t, Array<double>> gradients;
  for (std::size_t leaf = 0; leaf < output; ++leaf) {
    REQUIRE(graph.node(leaf).gradient.has_value() == (expected.count(leaf) > 0));
    if (expected.count(leaf)) gradients.emplace(leaf, *graph.node(leaf).gradient);
  }
  std::size_t compared = 0;
  for (const auto& [leaf, gradient] : gradients) {
    const Array<double> value = graph.node(leaf).value;
    for (std::size_t i = 0; i < value.size(); ++i) {
      const attn::Index cell = attn::index_at(graph.node(leaf).shape, i);
      graph.set_cell(leaf, cell, value.data()[i] + kStep);
      const double above = loss(graph.node(output).value, upstream);
      graph.set_cell(leaf, cell, value.data()[i] - kStep);
      const double below = loss(graph.node(output).value, upstream);
      graph.set_cell(leaf, cell, value.data()[i]);
      const double slope = (above - below) / (2 * kStep);
      INFO("input node " << leaf << " cell " << i << ": backward " << gradient.data()[i] << ", differences " << slope);
      REQUIRE(std::abs(gradient.data()[i] - slope) <= 1e-7 * (1 + std::abs(slope)));
      ++compared;
    }
  }
  return compared;
}

}  // namespace

namespace {

std::set<std::string> operation_names() {
  std::set<std::string> names;
  for (const attn::OperationText& operation : attn::operations()) names.emplace(operation.name);
  return names;
}

}  // namespace

TEST_CASE("Every op has a case, and every case tests its op") {
  std::set<std::string> used;
  for (const auto& test : op_cases::all<double>()) {
    op_cases::Draws random(1);
    Graph<double> graph;
    CHECK(std::string(graph.node(test.build(graph, random).id).op->name()) == test.op);
    used.insert(test.op);
  }
  CHECK(used == operation_names());
}

TEST_CASE("Every op of the folder is listed, and every listed op has its files") {
  const std::filesystem::path folder = std::filesystem::path(PLAYGROUND_GOLDEN_DIR) / "../../cpp/ops";
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream source(entry.path());
    const std::string text{std::istreambuf_iterator<char>(source), std::istreambuf_iterator<char>()};
    if (entry.path().extension() == ".cpp" && text.find(" final : public ") != std::string::npos)
      files.insert(entry.path().stem().string());
  }
  CHECK(files == operation_names());
}

TEST_CASE("Backward agrees with central differences") {
  for (const auto& test : op_cases::all_with_gradients<double>()) {
    DYNAMIC_SECTION(test.op << ", " << test.use) {
      std::size_t compared = 0;
      bool is_constant = false;
      for (std::uint32_t seed = 0; seed < 12; ++seed) {
        INFO("seed " << seed);
        op_cases::Draws random(seed);
        Graph<double> graph;
        const attn::Tensor<double> output = test.build(graph, random);
        compared += check_gradients(graph, output.id, random);
        is_constant = op_cases::follows_nothing(graph.node(output.id));
      }
      CHECK((compared > 0 || is_constant));
    }
  }
}

TEST_CASE("Backward agrees with central differences where an axis has size 0 or 1") {
  for (const auto& test : op_cases::all_with_gradients<double>()) {
    DYNAMIC_SECTION(test.op << ", " << test.use) {
      const auto refused = op_cases::with_edge_sizes(
          test, [&](Graph<double>& graph, const attn::Tensor<double>& output, op_cases::Draws& random) {
            INFO("shape " << attn::to_string(output.shape()));
            const Array<double>& value = output.value();
            // The divisor of a row of one number has no derivative where it is NaN.
            if (std::any_of(value.begin(), value.end(), [](double cell) { return std::isnan(cell); })) {
              graph.backward(output.id);
            } else {
              check_gradients(graph, output.id, random);
            }
          });
      INFO((refused.empty() ? "" : refused[0]));
      CHECK((refused.empty() || test.traits.needs_cells));
    }
  }
}

TEST_CASE("Backward adds to existing gradients") {
  for (const auto& test : op_cases::all_with_gradients<double>()) {
    INFO(test.op << ", " << test.use);
    op_cases::Draws random(3);
    Graph<double> graph;
    const Node<double>& node = graph.node(test.build(graph, random).id);
    const Array<double> upstream = attn::full<double>(node.shape, 0.5);
    // Adds the gradients once to zeros and once to ones.
    std::vector<Array<double>> onto_zeros, onto_ones;
    std::vector<const Array<double>*> values;
    for (std::size_t input : node.inputs) {
      values.push_back(&graph.node(input).value);
      onto_zeros.push_back(attn::full<double>(graph.node(input).shape, 0));
      onto_ones.push_back(attn::full<double>(graph.node(input).shape, 1));
    }
    for (std::vector<Array<double>>* gradients : {&onto_zeros, &onto_ones}) {
      std::vector<Array<double>*> destinations;
      for (std::size_t i = 0; i < gradients->size(); ++i)
        destinations.push_back(node.op->differentiable(i) ? &(*gradients)[i] : nullptr);
      std::vector<double> scratch(static_cast<std::size_t>(node.scratch_bytes) / sizeof(double), -1);
      node.op->backward(values, node.value, upstream, destinations, scratch);
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!node.op->differentiable(i)) continue;
      for (std::size_t cell = 0; cell < values[i]->size(); ++cell)
        CHECK(onto_ones[i].data()[cell] == Catch::Approx(1 + onto_zeros[i].data()[cell]).margin(1e-12));
    }
  }
}

TEST_CASE("Gradients in float32 are those in float64, rounded") {
  for (const auto& test : op_cases::all_with_gradients<float>()) {
    INFO(test.op << ", " << test.use);
    op_cases::Draws random(3);
    op_cases::Draws same(3);
    Graph<float> single;
    Graph<double> twofold;
    const attn::Tensor<float> output = test.build(single, random);
    attn::Tensor<double> reference;
    for (const auto& other : op_cases::all_with_gradients<double>())
      if (other.op == test.op && other.use == test.use) reference = other.build(twofold, same);
    single.backward(output.id);
    twofold.backward(reference.id);
    REQUIRE(single.size() == twofold.size());
    for (std::size_t id = 0; id < output.id; ++id) {
      const auto& got = single.node(id).gradient;
      const auto& expected_gradient = twofold.node(id).gradient;
      REQUIRE(got.has_value() == expected_gradient.has_value());
      if (!got) continue;
      for (std::size_t i = 0; i < got->size(); ++i) {
        const double expected = expected_gradient->data()[i];
        CHECK(std::abs(got->data()[i] - expected) <= 2e-4 * (1 + std::abs(expected)));
      }
    }
  }
}
