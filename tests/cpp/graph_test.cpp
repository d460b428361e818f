// The graph: names, edits that evaluate only dependents, memory, explanations of leaves.
#include "tensor/graph.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <catch_amalgamated.hpp>

#include "ops/add.hpp"
#include "ops/argmax.hpp"
#include "ops/attention.hpp"
#include "ops/concat.hpp"
#include "ops/embedding.hpp"
#include "ops/linear.hpp"
#include "ops/matmul.hpp"
#include "ops/one_hot.hpp"
#include "ops/reshape.hpp"
#include "ops/scale.hpp"
#include "ops/sinusoidal.hpp"
#include "ops/slice.hpp"
#include "ops/softmax.hpp"
#include "ops/transpose.hpp"
#include "tensor/random.hpp"

using attn::Array;
using attn::Graph;
using attn::Shape;
using attn::Tensor;
using Catch::Matchers::ContainsSubstring;

namespace {

Array<double> ramp(const attn::Shape& shape) {
  Array<double> array = attn::full<double>(shape, 0);
  for (std::size_t i = 0; i < array.size(); ++i) array.data()[i] = static_cast<double>(i) - 2.5;
  return array;
}

}  // namespace

TEST_CASE("Every node has its own name") {
  Graph<double> graph;
  const Tensor<double> x = graph.leaf("x", ramp({2, 2}));
  const Tensor<double> y = attn::scale(x, {.factor = 2});
  CHECK(graph.node(y.id).name == "#1");
  CHECK(graph.at("x").id == x.id);
  CHECK_THROWS_WITH(graph.leaf("x", ramp({1})), "leaf: name is \"x\", expected one that no other node has");
  CHECK_THROWS_WITH(attn::scale(x, {.factor = 2}, "x"), "scale: name is \"x\", expected one that no other node has");
  CHECK_THROWS_WITH(graph.leaf("#5", ramp({1})), "leaf: name is \"#5\", expected one that does not start with #");
  CHECK_THROWS_WITH(graph.at("z"), "graph: name is \"z\", expected the name of a node");
  CHECK_THROWS_WITH(graph.at("z", "replay"), "replay: name is \"z\", expected the name of a node");
  CHECK_THROWS_WITH(graph.node(9), "graph: node is 9, expected one below 2");
  CHECK(graph.size() == 2);
  graph.truncate(1);
  CHECK(graph.size() == 1);
  CHECK(attn::scale(x, {.factor = 3}).id == 1);
}

TEST_CASE("Tensors of another graph are refused") {
  Graph<double> graph;
  Graph<double> other;
  const Tensor<double> a = graph.leaf("a", ramp({2, 2}));
  const Tensor<double> b = other.leaf("b", ramp({2, 2}));
  CHECK_THROWS_WITH(attn::add(a, b), "add: input 1 is no node of this graph, expected all inputs in one graph");
}

TEST_CASE("An edit evaluates its dependents, and nothing else") {
  Graph<double> graph;
  const Tensor<double> a = graph.leaf("a", ramp({2, 2}));
  const Tensor<double> b = graph.leaf("b", ramp({2, 2}));
  const Tensor<double> a2 = attn::scale(a, {.factor = 2});
  const Tensor<double> b2 = attn::scale(b, {.factor = 2});
  const Tensor<double> sum = attn::add(a2, b2);
  const Tensor<double> last = attn::scale(sum, {.divisor = 4});
  CHECK(graph.evaluations() == 4);
  graph.backward(last.id);
  CHECK(graph.set_cell(a.id, {1, 0}, 10) == std::vector<std::size_t>{a2.id, sum.id, last.id});
  CHECK(graph.evaluations() == 7);
  CHECK(last.value()(1, 0) == (20 + 2 * b.value()(1, 0)) / 4);
  CHECK_FALSE(graph.node(a.id).gradient.has_value());
  CHECK(graph.set(b.id, attn::full<double>({2, 2}, 1)) == std::vector<std::size_t>{b2.id, sum.id, last.id});
  CHECK(graph.evaluations() == 10);
  CHECK(last.value()(1, 0) == 22.0 / 4);
  CHECK_THROWS_WITH(graph.set(b.id, ramp({3})), "set: value has shape (3,), expected (2, 2), the shape of \"b\"");
  CHECK_THROWS_WITH(graph.set_cell(b.id, {2, 0}, 1), "index: (2, 0) lies outside a tensor of shape (2, 2)");
  CHECK_THROWS_WITH(graph.set_cell(sum.id, {0, 0}, 1),
                    "set_cell: node is \"#4\", which is computed by add, expected a leaf");
  CHECK(graph.evaluations() == 10);
}

TEST_CASE("A replay evaluates the dependents of leaves that were ever written or edited, and nothing else") {
  Graph<double> graph;
  const Tensor<double> a = graph.leaf("a", ramp({2, 2}));
  const Tensor<double> b = graph.leaf("b", ramp({2, 2}));
  const Tensor<double> a2 = attn::scale(a, {.factor = 2});
  const Tensor<double> b2 = attn::scale(b, {.factor = 2});
  const Tensor<double> sum = attn::add(a2, b2);
  const auto evaluations_of = [&](const auto& work) {
    const std::uint64_t before = graph.evaluations();
    work();
    return graph.evaluations() - before;
  };
  CHECK(evaluations_of([&] { graph.replay(); }) == 0);
  for (const double written : {10.0, 20.0}) {
    CHECK(evaluations_of([&] {
            graph.numbers(a.id)(1, 0) = written;
            graph.replay();
          }) == 2);
    CHECK(sum.value()(1, 0) == 2 * written + b2.value()(1, 0));
  }
  CHECK(evaluations_of([&] { graph.set_cell(b.id, {1, 0}, 3); }) == 2);
  CHECK(evaluations_of([&] { graph.replay(); }) == 3);
  CHECK(sum.value()(1, 0) == 2 * 20 + 2 * 3);
  const Tensor<double> later = attn::add(sum, b2);
  graph.numbers(a.id)(1, 0) = 1;
  CHECK(evaluations_of([&] { graph.replay(); }) == 4);
  CHECK(later.value()(1, 0) == 2 * 1 + 2 * 3 + 2 * 3);
  // Removed leaves are no longer in the list of written leaves.
  graph.truncate(1);
  const Tensor<double> c = graph.leaf("c", ramp({2, 2}));
  const Tensor<double> c2 = attn::scale(c, {.factor = 2});
  graph.replay();
  CHECK(evaluations_of([&] { graph.replay(); }) == 0);
  graph.numbers(c.id)(1, 0) = 7;
  CHECK(evaluations_of([&] { graph.replay(); }) == 1);
  CHECK(c2.value()(1, 0) == 14);
}

TEST_CASE("A leaf remembers which cells were edited by hand") {
  Graph<double> graph;
  const Tensor<double> x = graph.leaf("x", ramp({2, 3}), {{"kind", "draw"}});
  const Tensor<double> y = attn::scale(x, {.factor = 3});
  CHECK(graph.explain(x.id, {0, 1}).rows[0].role == "drawn");
  graph.set_cell(x.id, {1, 2}, 8);
  graph.set_cell(x.id, {0, 1}, 9);
  graph.set_cell(x.id, {0, 1}, 10);
  REQUIRE(graph.node(x.id).edited.size() == 2);
  CHECK(graph.node(x.id).edited[0].offset == 1);
  CHECK(graph.node(x.id).edited[0].original == -1.5);
  CHECK(graph.explain(x.id, {0, 1}).rows[0].role == "typed");
  CHECK(graph.explain(x.id, {0, 1}).rows[0].value == 10);
  CHECK(graph.explain(x.id, {0, 0}).rows[0].role == "drawn");
  graph.set_cell(x.id, {0, 1}, -1.5);
  CHECK(graph.node(x.id).edited.size() == 1);
  graph.set(x.id, ramp({2, 3}));
  CHECK(graph.node(x.id).edited.empty());
  Array<double> other = ramp({2, 3});
  other(0, 0) = 7;
  graph.set_cell(x.id, {1, 2}, 8);
  other(1, 2) = 9;
  graph.set(x.id, other);
  REQUIRE(graph.node(x.id).edited.size() == 2);
  CHECK(graph.node(x.id).edited[0].offset == 0);
  CHECK(graph.node(x.id).edited[1].original == ramp({2, 3})(1, 2));
  CHECK(graph.reset(x.id) == std::vector<std::size_t>{y.id});
  CHECK(graph.node(x.id).edited.empty());
  CHECK(y.value()(0, 0) == -7.5);
  const Tensor<double> words = graph.leaf("words", ramp({1}), {{"kind", "token_vectors"}});
  CHECK(graph.explain(words.id, {0}).rows[0].role == "looked_up");
  CHECK(graph.explain(graph.leaf("typed", ramp({1})).id, {0}).rows[0].role == "typed");
}

TEST_CASE("Gradients are stored on the nodes that were reached") {
  Graph<double> graph;
  const Tensor<double> x = graph.leaf("x", ramp({2, 2}));
  const Tensor<double> aside = graph.leaf("aside", ramp({2, 2}));
  const Tensor<double> y = attn::scale(x, {.factor = 3});
  const Tensor<double> z = attn::add(y, y);
  attn::scale(z, {.factor = 5});
  graph.backward(z.id);
  CHECK(*graph.node(x.id).gradient == attn::full<double>({2, 2}, 6));
  CHECK(*graph.node(y.id).gradient == attn::full<double>({2, 2}, 2));
  CHECK_FALSE(graph.node(aside.id).gradient.has_value());
  CHECK_NOTHROW(graph.check_gradient(aside.id, "gradient"));
  graph.backward(z.id, attn::full<double>({2, 2}, 0.5));
  CHECK(*graph.node(x.id).gradient == attn::full<double>({2, 2}, 3));
  CHECK_THROWS_WITH(graph.backward(z.id, ramp({2})),
                    "backward: gradient has shape (2,), expected (2, 2), the shape of \"#3\"");
}

TEST_CASE("Ids have no gradient, and the nodes they are computed from get 0 through them") {
  Graph<double> graph;
  const Tensor<double> x = graph.leaf("x", ramp({2, 3}));
  const Tensor<double> largest = attn::argmax(x, {.axis = 1}, "largest");
  CHECK(graph.node(largest.id).content.kind == attn::Content::Kind::ids);
  CHECK(graph.node(attn::reshape(largest, {2, 1}).id).content.kind == attn::Content::Kind::ids);
  CHECK_THROWS_WITH(graph.check_gradient(x.id, "gradient"),
                    "gradient: node is \"x\", expected one of a graph that has gradients");
  CHECK_THROWS_WITH(graph.backward(largest.id),
                    "backward: node is \"largest\", which holds ids, expected one whose numbers have a gradient");
  graph.backward(attn::one_hot(largest, 3).id);
  CHECK_NOTHROW(graph.check_gradient(x.id, "gradient"));
  CHECK_FALSE(graph.node(x.id).gradient.has_value());
  CHECK(graph.explain_gradient(x.id, {0, 0}).sum.value == 0);
  CHECK_THROWS_WITH(graph.explain_gradient(largest.id, {0}),
                    ContainsSubstring("explain_gradient: node is \"largest\", which holds ids"));
  graph.set_cell(x.id, {0, 0}, 9);
  CHECK_THROWS_AS(graph.check_gradient(x.id, "gradient"), attn::InputError);
}

TEST_CASE("argmax gives the first of equal numbers, and NaN is larger than any number") {
  Graph<double> graph;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Array<double> numbers = attn::full<double>({2, 4}, 3);
  std::copy_n(std::vector<double>{-1, 5, 5, 0, 7, nan, 9, nan}.begin(), 8, numbers.data());
  const Tensor<double> x = graph.leaf("x", numbers);
  const auto result_of = [&](const attn::ArgmaxOptions& options) {
    const Tensor<double> found = attn::argmax(x, options);
    return std::pair(found.shape(), std::vector<double>(found.value().begin(), found.value().end()));
  };
  CHECK(result_of({.axis = 1}) == std::pair(Shape{2}, std::vector<double>{1, 1}));
  CHECK(result_of({.axis = -2, .keepdim = true}) == std::pair(Shape{1, 4}, std::vector<double>{1, 1, 1, 1}));
  CHECK(result_of({}) == std::pair(Shape{}, std::vector<double>{5}));
  CHECK(result_of({.keepdim = true}) == std::pair(Shape{1, 1}, std::vector<double>{5}));
  CHECK_THROWS_WITH(attn::argmax(graph.leaf("none", ramp({2, 0})), {.axis = 1}),
                    "argmax: x has shape (2, 0), expected 1 to 9007199254740992 cells to choose from");
  CHECK_THROWS_AS(attn::argmax(x, {.axis = 2}), attn::InputError);
}

TEST_CASE("Memory above the limit is refused with both figures, and nothing is added") {
  Graph<double> graph({.max_bytes = 1000});
  const Tensor<double> x = graph.leaf("x", ramp({10, 1}));
  const std::size_t live = attn::live_bytes;
  CHECK_THROWS_WITH(attn::matmul(x, graph.leaf("row", ramp({1, 11}))),
                    "matmul: needs 1048 bytes, of which 168 bytes are in use; the limit is 1000 bytes");
  CHECK(graph.size() == 2);
  CHECK(graph.bytes() == 168);
  CHECK(attn::live_bytes == live + 88);
  CHECK_THROWS_WITH(graph.leaf("big", ramp({20, 20})), ContainsSubstring("leaf: needs 3368 bytes"));
  const Tensor<double> half = attn::scale(x, {.divisor = 2});
  attn::scale(half, {.divisor = 2}, "quarter");
  CHECK(graph.bytes() == 328);
  CHECK_NOTHROW(graph.backward(graph.at("quarter").id));
  CHECK(graph.bytes() == 568);
  for (int i = 0; i < 4; ++i) attn::scale(half, {.divisor = 2});
  const Tensor<double> last = attn::scale(half, {.divisor = 2});
  CHECK(graph.bytes() == 968);
  // The old gradients are freed for the new ones.
  CHECK_NOTHROW(graph.backward(last.id));
  CHECK_THROWS_AS(attn::scale(half, {.divisor = 2}), attn::MemoryError);

  Graph<double> page;
  const Tensor<double> tall = page.leaf("tall", attn::full<double>({1 << 20, 1}, 0));
  const Tensor<double> wide = page.leaf("wide", attn::full<double>({1, 1 << 20}, 0));
  CHECK_THROWS_WITH(attn::matmul(tall, wide),
                    "matmul: needs 8388624.0 MB, of which 16.0 MB are in use; the limit is 512.0 MB");
}

TEST_CASE("The memory of a graph is counted when it is taken and freed") {
  Graph<double> graph;
  const auto counted = [&] {
    std::uint64_t bytes = 0;
    for (std::size_t id = 0; id < graph.size(); ++id) {
      const auto& node = graph.node(id);
      bytes += (node.value.size() + (node.gradient ? node.gradient->size() : 0)) * sizeof(double) +
               node.edited.size() * sizeof(attn::Edit<double>);
    }
    return bytes;
  };
  const auto check = [&](std::uint64_t bytes) {
    CHECK(graph.bytes() == bytes);
    CHECK(counted() == bytes);
  };
  constexpr std::uint64_t kEdit = sizeof(attn::Edit<double>);
  const Tensor<double> x = graph.leaf("x", ramp({3}));
  const Tensor<double> y = attn::scale(x, {.divisor = 2});
  attn::scale(x, {.divisor = 4});
  check(9 * 8);
  graph.backward(y.id);
  check(15 * 8);
  graph.backward(x.id, ramp({3}));
  check(12 * 8);
  graph.set_cell(x.id, {1}, 5);
  check(9 * 8 + kEdit);
  graph.set(x.id, attn::full<double>({3}, 7));
  check(9 * 8 + 3 * kEdit);
  graph.backward(y.id);
  graph.reset(x.id);
  check(9 * 8);
  const Tensor<double> table = graph.leaf("table", ramp({4, 1}));
  const Tensor<double> ids = graph.leaf("ids", attn::full<double>({2}, 1));
  attn::embedding(ids, table);
  check(17 * 8);
  CHECK_THROWS_AS(graph.set_cell(ids.id, {0}, 9), attn::InputError);
  check(17 * 8);
  graph.set_cell(ids.id, {0}, 2);
  graph.backward(graph.size() - 1);
  graph.truncate(3);
  check(9 * 8);
  graph.truncate(0);
  check(0);
}

TEST_CASE("Ops that only rearrange numbers preserve ids and masks with their fill") {
  using attn::Content;
  Graph<double> graph;
  const Content ids{.kind = Content::Kind::ids};
  const Content mask{.kind = Content::Kind::mask, .fill = -1e9};
  const Tensor<double> a = graph.leaf("a", ramp({2, 3}), {}, ids);
  const Tensor<double> b = graph.leaf("b", attn::full<double>({2, 3}, 1), {}, mask);
  const Tensor<double> c = graph.leaf("c", ramp({2, 3}));
  const auto content = [&](const Tensor<double>& node) { return graph.node(node.id).content; };
  CHECK(content(c) == Content{});
  CHECK(content(attn::reshape(a, {6})) == ids);
  CHECK(content(attn::transpose(b)) == mask);
  CHECK(content(attn::slice(b, 0, 0, 1)) == mask);
  CHECK(content(attn::concat<double>({a, a}, 0)) == ids);
  CHECK(content(attn::concat<double>({a, b}, 0)) == Content{});
  CHECK(content(attn::scale(a, {.divisor = 2})) == Content{});
}

TEST_CASE("Memory prepared by an op counts as long as its node exists") {
  Graph<double> graph({.max_bytes = 4000});
  const Tensor<double> positions = graph.leaf("positions", ramp({2}));
  const std::uint64_t leaf = graph.bytes();
  attn::sinusoidal(positions, 100, 10000, "table");
  CHECK(graph.bytes() == leaf + (2 * 100 + 50) * sizeof(double));  // the table, and a wavelength per pair of columns
  CHECK_THROWS_WITH(attn::sinusoidal(positions, 100, 10000), ContainsSubstring("sinusoidal: needs 4016 bytes"));
  graph.truncate(1);
  CHECK(graph.bytes() == leaf);
  CHECK_NOTHROW(attn::sinusoidal(positions, 100, 10000));
}

TEST_CASE("Counts that no machine can hold are refused") {
  CHECK_THROWS_AS(attn::size_of({std::size_t(1) << 30, std::size_t(1) << 30}), attn::InputError);
  CHECK(attn::size_of({std::size_t(1) << 30, 0}) == 0);
  CHECK(attn::cell_count({1 << 20, 1 << 20}) == std::uint64_t(1) << 40);
  CHECK_THROWS_WITH(attn::cell_count({1 << 20, 1 << 20, 1 << 20}),
                    "shape: (1048576, 1048576, 1048576) has too many cells, expected at most 9007199254740992");
#ifdef __EMSCRIPTEN__
  // 2 GB are more than the module may use.
  Graph<double> graph({.max_bytes = std::numeric_limits<std::size_t>::max()});
  const Tensor<double> tall = graph.leaf("tall", attn::full<double>({1 << 14, 1}, 0));
  const Tensor<double> wide = graph.leaf("wide", attn::full<double>({1, 1 << 14}, 0));
  CHECK_THROWS_AS(attn::matmul(tall, wide), attn::MemoryError);
  CHECK(graph.size() == 2);
#endif
}

TEST_CASE("A limit above the addressable memory is refused") {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  if constexpr (sizeof(std::size_t) < sizeof(std::uint64_t)) {
    CHECK_THROWS_WITH(
        Graph<double>({.max_bytes = kMost}),
        "graph: max_bytes is 18446744073709551615, expected at most 4294967295, which is all that can be addressed");
  } else {
    CHECK_NOTHROW(Graph<double>({.max_bytes = kMost}));
  }
  CHECK_NOTHROW(Graph<double>({.max_bytes = std::numeric_limits<std::size_t>::max()}));
}

TEST_CASE("A thousand graphs leave no memory behind") {
  const std::size_t before = attn::live_bytes;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    attn::RandomState random(i);
    Graph<float> graph({.max_bytes = 20000});
    Array<float> numbers = attn::full<float>({6, 4}, 0);
    for (std::size_t cell = 0; cell < numbers.size(); ++cell) numbers.data()[cell] = static_cast<float>(random.randn());
    const Tensor<float> x = graph.leaf("x", std::move(numbers));
    const Tensor<float> output = attn::linear(attn::attention(x, x, x), x);
    graph.backward(attn::softmax(output).id);
    graph.set_cell(x.id, {1, 1}, 3);
    graph.explain(output.id, {0, 0});
    CHECK_THROWS_AS(attn::matmul(x, x), attn::InputError);
    CHECK_THROWS_AS(graph.leaf("big", attn::full<float>({100, 100}, 0)), attn::MemoryError);
    CHECK(attn::live_bytes > before);
  }
  CHECK(attn::live_bytes == before);
}

TEST_CASE("Operations accept empty tensors") {
  Graph<double> graph;
  const Tensor<double> none = graph.leaf("none", ramp({0, 4}));
  const Tensor<double> x = graph.leaf("x", ramp({3, 4}));
  const Tensor<double> weight = graph.leaf("weight", ramp({2, 4}));
  CHECK(attn::linear(none, weight).shape() == attn::Shape{0, 2});
  CHECK(attn::softmax(none).shape() == attn::Shape{0, 4});
  const Tensor<double> nothing_seen = attn::attention(x, none, none);
  CHECK(nothing_seen.value() == attn::full<double>({3, 4}, 0));
  graph.backward(nothing_seen.id);
  CHECK(graph.explain(nothing_seen.id, {1, 1}).rows.back().value == 0);
  const Tensor<double> product = attn::matmul(graph.leaf("a", ramp({2, 0})), graph.leaf("b", ramp({0, 2})));
  CHECK(product.value() == attn::full<double>({2, 2}, 0));
  CHECK(graph.explain(product.id, {0, 0}).sources.empty());
}
