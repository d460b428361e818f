// Positional encodings with their positions as leaves, and the tied embedding.
#include "nn/positional_encoding.hpp"

#include "golden.hpp"
#include "nn/tied_embedding.hpp"
#include "tensor/random.hpp"

using attn::Graph;
using attn::Tensor;

TEST_CASE("Positions are a leaf: editing one moves its row") {
  Graph<double> graph;
  const Tensor<double> encoding =
      attn::sinusoidal_encoding(graph, attn::first_positions(graph, 3, "test"), 4, 10000, "PE");
  CHECK(encoding.value()(1, 0) == std::sin(1.0));
  CHECK(encoding.value()(2, 3) == std::cos(2.0 / 100));
  graph.set_cell(graph.at("PE.positions").id, {1}, 2);
  for (std::size_t column = 0; column < 4; ++column) CHECK(encoding.value()(1, column) == encoding.value()(2, column));
  const Tensor<double> index = attn::absolute_index_encoding(graph, {5, 7}, 2);
  CHECK((index.value()(0, 1) == 5 && index.value()(1, 0) == 7));
}

TEST_CASE("The shift matrix of an offset shifts an encoding by that offset") {
  Graph<double> graph;
  const Tensor<double> shift = attn::sinusoidal_shift(graph, 3.0, 6, 10000.0, "shift");
  const Tensor<double> before = attn::sinusoidal_encoding(graph, {4}, 6, 10000);
  const Tensor<double> after = attn::sinusoidal_encoding(graph, {7}, 6, 10000);
  for (std::size_t row = 0; row < 6; ++row) {
    double shifted = 0;
    for (std::size_t k = 0; k < 6; ++k) shifted += shift.value()(row, k) * before.value()(0, k);
    CHECK(golden::within(shifted, after.value()(0, row), 0, 1e-14));
  }
  CHECK(graph.at("shift.offset").value()() == 3);
}

TEST_CASE("The score of two rotated rows depends only on their distance") {
  Graph<double> graph;
  attn::RandomState random(5);
  attn::Array<double> rows = attn::full<double>({2, 8}, 0);
  for (double& cell : rows) cell = random.randn();
  const Tensor<double> x = graph.leaf("x", rows);
  const auto score = [&](double query, double key) {
    const attn::Array<double> rotated =
        attn::rotary_encoding(x, {query, key}, {.base = 10000, .layout = "half"}).value();
    double sum = 0;
    for (std::size_t i = 0; i < 8; ++i) sum += rotated(0, i) * rotated(1, i);
    return sum;
  };
  CHECK(golden::within(score(9, 4), score(105, 100), 1e-12, 1e-12));
  CHECK(!golden::within(score(9, 4), score(9, 5), 1e-6, 1e-6));
}

TEST_CASE("ALiBi's bias is computed from its slopes") {
  Graph<double> graph;
  const auto steps = attn::alibi_bias(graph, 2, {.query_length = 2, .key_length = 3, .causal = true}, "bias");
  CHECK(graph.at("bias.slopes").id == steps.slopes.id);
  CHECK((steps.slopes.value()(0) == 0.0625 && steps.slopes.value()(1) == 0.00390625));
  // The first query is at position 1.
  CHECK(steps.bias.value()(0, 0, 0) == -0.0625);
  CHECK(steps.bias.value()(0, 0, 1) == 0);
  CHECK(std::isinf(steps.bias.value()(0, 0, 2)));
}

TEST_CASE("Logits of a tied embedding are products with its rows") {
  Graph<double> graph;
  attn::Array<double> table = attn::full<double>({3, 2}, 1);
  table(2, 1) = 5;
  const Tensor<double> rows = graph.leaf("table", table);
  const Tensor<double> hidden = graph.leaf("hidden", attn::full<double>({1, 2}, 2));
  const attn::Array<double> logits = attn::tied_logits(hidden, rows).value();
  CHECK((logits(0, 0) == 4 && logits(0, 1) == 4 && logits(0, 2) == 12));
  CHECK_THROWS_WITH(attn::tied_logits(graph.leaf("wide", attn::full<double>({1, 3}, 2)), rows),
                    "tied_logits: hidden has shape (1, 3), expected the width of table (3, 2)");
}
