// softmax and log_softmax against PyTorch's.
#include "ops/softmax.hpp"

#include "golden.hpp"
#include "ops/log_softmax.hpp"

using attn::Graph;
using attn::Tensor;

TEMPLATE_TEST_CASE("softmax and log_softmax give PyTorch's numbers", "", float, double) {
  for (const golden::Json& test : golden::cases("softmax")) {
    const int axis = test["params"]["axis"].get<int>();
    Graph<TestType> graph;
    const Tensor<TestType> x = graph.leaf("x", golden::array<TestType>(test["inputs"]["x"]));
    golden::check<TestType>(test, "y", attn::softmax(x, {.axis = axis}).value());
    golden::check<TestType>(test, "log_y", attn::log_softmax(x, axis).value());
    if (test["expected"].contains("y_zero_policy"))
      golden::check<TestType>(test, "y_zero_policy", attn::softmax(x, {.axis = axis, .empty_is_zero = true}).value());
  }
}

TEST_CASE("A long slice is explained by its largest numbers and that of the cell") {
  Graph<double> graph;
  attn::Array<double> numbers = attn::full<double>({9}, 0);
  const double values[] = {0.1, 3, -1, 2, 0.5, 5, 0.2, 0.3, -2};
  std::copy(std::begin(values), std::end(values), numbers.data());
  const Tensor<double> y = attn::softmax(graph.leaf("x", std::move(numbers)));
  const attn::Explanation of_smallest = graph.explain(y.id, {8});
  std::vector<std::size_t> columns;
  for (const attn::Operand& operand : of_smallest.rows[0].operands) columns.push_back(operand.index[0]);
  CHECK(columns == std::vector<std::size_t>{1, 3, 5, 8});
  CHECK(of_smallest.rows[0].rest->count == 5);
  CHECK_FALSE(of_smallest.rows[0].rest->value.has_value());
  CHECK(of_smallest.rows[2].rest->value.has_value());
  CHECK(graph.explain(y.id, {5}).rows[0].operands.size() == 3);
}

TEST_CASE("An empty slice is explained as empty") {
  Graph<double> graph;
  const double hidden = -std::numeric_limits<double>::infinity();
  const Tensor<double> x = graph.leaf("x", attn::full<double>({2, 3}, hidden));
  const Tensor<double> y = attn::softmax(x, {.empty_is_zero = true});
  const attn::Explanation explanation = graph.explain(y.id, {1, 1});
  CHECK(explanation.rows.back().role == "empty");
  CHECK(explanation.rows.back().value == 0);
  CHECK(std::isnan(graph.explain(attn::softmax(x).id, {1, 1}).rows.back().value.value()));
  graph.backward(y.id);
  for (std::size_t i = 0; i < 6; ++i) CHECK(graph.node(x.id).gradient->data()[i] == 0);
}
