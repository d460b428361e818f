// The dependents of a cell: exactly the cells that change with it, for every operation.
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <catch_amalgamated.hpp>

#include "changed_cell.hpp"
#include "op_cases.hpp"
#include "ops/matmul.hpp"
#include "ops/multiply.hpp"
#include "ops/slice.hpp"

using attn::Array;
using attn::CellUse;
using attn::Graph;
using attn::Index;
using attn::Node;
using attn::Tensor;

namespace {

// The offsets of the cells of a node that `uses` contains.
std::set<std::size_t> named_cells(const std::vector<CellUse>& uses, std::size_t consumer, const attn::Shape& shape) {
  std::set<std::size_t> cells;
  for (const CellUse& use : uses) {
    if (use.consumer != consumer) continue;
    for (std::size_t offset = 0; offset < attn::size_of(shape); ++offset) {
      const Index cell = attn::index_at(shape, offset);
      bool inside = true;
      for (std::size_t axis = 0; axis < cell.size(); ++axis)
        inside = inside && cell[axis] >= use.cells.from[axis] && cell[axis] <= use.cells.to[axis];
      if (!inside) continue;
      CHECK(cells.insert(offset).second);  // no cell is contained twice
    }
  }
  return cells;
}

// The cells of a node that change when a cell of a leaf is changed.
std::set<std::size_t> changed_cells(Graph<double>& graph, std::size_t leaf, const Index& index, double value,
                                    std::size_t consumer) {
  const Array<double> before = graph.node(consumer).value;
  const double number = graph.node(leaf).value.data()[attn::offset_of(graph.node(leaf).shape, index)];
  graph.set_cell(leaf, index, value);
  std::set<std::size_t> changed;
  for (std::size_t offset = 0; offset < before.size(); ++offset) {
    const double after = graph.node(consumer).value.data()[offset];
    const bool same = after == before.data()[offset] || (std::isnan(after) && std::isnan(before.data()[offset]));
    if (!same) changed.insert(offset);
  }
  graph.set_cell(leaf, index, number);
  return changed;
}

struct Counts {
  std::size_t reported = 0;
  std::size_t changed = 0;
};

void check_uses(const op_cases::OpCase<double>& test, std::uint32_t seed, Counts& counts) {
  op_cases::Draws draws(seed);
  Graph<double> graph;
  const Tensor<double> output = test.build(graph, draws);
  const Node<double>& node = graph.node(output.id);
  for (std::size_t leaf = 0; leaf < output.id; ++leaf) {
    const Array<double> numbers = graph.node(leaf).value;
    for (std::size_t i = 0; i < numbers.size(); i += 1 + numbers.size() / 16) {
      const Index index = attn::index_at(graph.node(leaf).shape, i);
      INFO("seed " << seed << ", leaf " << leaf << " of shape " << attn::to_string(graph.node(leaf).shape) << ", cell "
                   << attn::to_string(index) << ", output " << attn::to_string(node.shape));
      const std::vector<CellUse> uses = graph.uses(leaf, index);
      const std::set<std::size_t> reported = named_cells(uses, output.id, node.shape);
      std::size_t input_index = 0;
      while (node.inputs[input_index] != leaf) ++input_index;
      const double value = op_cases::changed(graph, node, input_index, numbers.data()[i]);
      const std::set<std::size_t> changed = changed_cells(graph, leaf, index, value, output.id);
      for (const CellUse& use : uses) CHECK(use.consumer == output.id);
      for (const std::size_t cell : changed) CHECK(reported.count(cell) == 1);
      if (!*test.traits.why_unchanged) CHECK(changed == reported);
      counts.reported += reported.size();
      counts.changed += changed.size();
    }
  }
}

}  // namespace

TEST_CASE("The dependents of a cell are the cells that change with it") {
  std::map<std::string, Counts> counts;
  std::map<std::string, std::string> why_unchanged;
  for (const auto& test : op_cases::all<double>()) {
    INFO(test.op << ", " << test.use);
    why_unchanged[test.op] = test.traits.why_unchanged;
    for (std::uint32_t seed = 0; seed < 4; ++seed) check_uses(test, seed, counts[test.op]);
  }
  for (const auto& [op, count] : counts) {
    INFO(op << ": " << why_unchanged[op]);
    CHECK((count.changed > 0 || op_cases::has_no_inputs(op)));
    CHECK((count.changed < count.reported) == !why_unchanged[op].empty());
  }
}

TEST_CASE("Uses are ordered by node, and need no backward") {
  Graph<double> graph;
  const Tensor<double> x = graph.leaf("x", attn::full<double>({2, 3}, 1));
  const Tensor<double> unread = graph.leaf("unread", attn::full<double>({2}, 1));
  const Tensor<double> w = graph.leaf("w", attn::full<double>({3, 4}, 2));
  const Tensor<double> product = attn::matmul(x, w, "product");
  const Tensor<double> square = attn::multiply(x, x, "square");
  const Tensor<double> column = attn::slice(x, 1, 0, 1, "column");

  const std::vector<CellUse> uses = graph.uses(x.id, {1, 2});
  REQUIRE(uses.size() == 2);
  CHECK(uses[0].consumer == product.id);
  CHECK(uses[0].cells.from == Index{1, 0});
  CHECK(uses[0].cells.to == Index{1, 3});
  CHECK(uses[1].consumer == square.id);
  CHECK(uses[1].cells.from == Index{1, 2});
  CHECK(uses[1].cells.to == Index{1, 2});
  CHECK(graph.uses(x.id, {1, 0}).back().consumer == column.id);
  CHECK(graph.uses(w.id, {2, 1})[0].cells.from == Index{0, 1});
  CHECK(graph.uses(w.id, {2, 1})[0].cells.to == Index{1, 1});
  CHECK(graph.uses(unread.id, {0}).empty());
  CHECK(graph.uses(square.id, {0, 0}).empty());

  CHECK_THROWS_AS(graph.uses(x.id, {2, 0}), attn::InputError);
  CHECK_THROWS_AS(graph.uses(6, {0}), attn::InputError);
  graph.numbers(w.id).data()[0] = 3;
  CHECK_THROWS_AS(graph.uses(x.id, {0, 0}), attn::InputError);
}
