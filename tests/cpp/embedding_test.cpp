// Lookup, scaling and tied logits against reference numbers.
#include "ops/embedding.hpp"

#include <algorithm>
#include <vector>

#include "golden.hpp"
#include "ops/linear.hpp"
#include "ops/scale.hpp"
#include "ops/softmax.hpp"

using attn::Graph;
using attn::Tensor;

TEMPLATE_TEST_CASE("embedding gives the reference numbers", "", float, double) {
  for (const golden::Json& test : golden::cases("embedding")) {
    INFO(test["name"].get<std::string>());
    Graph<TestType> graph;
    const Tensor<TestType> ids = graph.leaf("ids", golden::array<TestType>(test["inputs"]["ids"]));
    const Tensor<TestType> table = graph.leaf("table", golden::array<TestType>(test["inputs"]["table"]));
    if (test["expected"].contains("error")) {
      CHECK_THROWS_AS(attn::embedding(ids, table), attn::InputError);
      CHECK(graph.size() == 2);
      continue;
    }
    golden::check<TestType>(test, "rows", attn::embedding(ids, table).value());
    golden::check<TestType>(test, "scaled", attn::embedding(ids, table, true).value());
    if (!test["inputs"].contains("hidden")) continue;
    const Tensor<TestType> hidden = graph.leaf("hidden", golden::array<TestType>(test["inputs"]["hidden"]));
    const Tensor<TestType> logits = attn::linear(hidden, table);
    golden::check<TestType>(test, "tied_logits", logits.value());
    golden::check<TestType>(test, "tied_probs", attn::softmax(logits).value());
  }
}

TEST_CASE("An edit to an id outside the table is refused and changes nothing") {
  Graph<double> graph;
  const Tensor<double> ids = graph.leaf("ids", attn::arange<double>(3));
  const Tensor<double> table = graph.leaf("table", attn::full<double>({3, 2}, 0.5));
  graph.set_cell(table.id, {2, 1}, 7);
  const Tensor<double> rows = attn::embedding(ids, table);
  const std::vector<double> before(rows.value().begin(), rows.value().end());
  CHECK_THROWS_WITH(graph.set_cell(ids.id, {1}, 3), "embedding: id at (1,) is 3, expected a row of a table of 3");
  CHECK_THROWS_WITH(graph.set_cell(ids.id, {1}, 0.5), "embedding: id at (1,) is 0.5, expected a row of a table of 3");
  CHECK(std::equal(before.begin(), before.end(), rows.value().begin()));
  CHECK(ids.value().data()[1] == 1);
  CHECK(graph.node(ids.id).edited.empty());
}

TEST_CASE("A refusal later in an evaluation restores the nodes that were already evaluated") {
  Graph<double> graph;
  const Tensor<double> half = graph.leaf("half", attn::arange<double>(2));
  const Tensor<double> ids = attn::scale(half, {.factor = 2});
  const Tensor<double> rows = attn::embedding(ids, graph.leaf("table", attn::full<double>({3, 2}, 0.5)));
  CHECK_THROWS_AS(graph.set_cell(half.id, {0}, 9), attn::InputError);
  CHECK(half.value() == attn::arange<double>(2));
  CHECK(ids.value().data()[0] == 0);
  CHECK(rows.shape() == attn::Shape{2, 2});
}
