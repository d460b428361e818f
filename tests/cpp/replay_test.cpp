// Replays of graphs: the same numbers as a graph built anew, and no allocation from the second time on.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>
#include <span>
#include <string>
#include <vector>

#include <catch_amalgamated.hpp>

#include "nn/encoder.hpp"
#include "nn/greedy_decoding.hpp"
#include "nn/scaled_dot_product_attention.hpp"
#include "op_cases.hpp"
#include "op_draws.hpp"
#include "ops/add.hpp"
#include "ops/cross_entropy.hpp"
#include "ops/embedding.hpp"
#include "ops/linear.hpp"
#include "ops/mse_loss.hpp"
#include "ops/multiply.hpp"
#include "ops/scale.hpp"
#include "optim/adagrad.hpp"
#include "optim/adam.hpp"
#include "optim/clip_grad_norm.hpp"
#include "optim/rmsprop.hpp"
#include "optim/sgd.hpp"
#include "program/program.hpp"
#include "tensor/state_dict.hpp"

namespace {

std::atomic<std::size_t> allocations{0};

void* counted(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size ? size : 1)) return memory;
  throw std::bad_alloc();
}

}  // namespace

// Replaces operator new of the whole test program, so that every `new` is counted, including those of arrays.
void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size ? size : 1);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

using attn::Array;
using attn::Graph;
using attn::Parameters;
using attn::RandomState;
using attn::StateDict;
using attn::Tensor;

namespace {

template <typename T>
Array<T> drawn(RandomState& random, const attn::Shape& shape) {
  Array<T> array = attn::full<T>(shape, T(0));
  for (T& cell : array) cell = static_cast<T>(random.randn());
  return array;
}

// The number of allocations that `work` makes.
template <typename Work>
std::size_t allocations_of(Work work) {
  const std::size_t before = allocations;
  work();
  return allocations - before;
}

template <typename T>
void write(Graph<T>& graph, const Tensor<T>& leaf, const Array<T>& numbers) {
  std::copy(numbers.begin(), numbers.end(), graph.numbers(leaf.id).begin());
}

// The error message of `operation` on a stale graph.
std::string stale(const std::string& operation) {
  return operation + ": graph is stale, as leaves were written after it was evaluated, expected a replay first";
}

const attn::LayerSizes kSizes{.d_model = 8, .d_ff = 16};

attn::StackOptions stack() { return {.num_layers = 2, .layer = {.num_heads = 2}}; }

// An encoder, and the distance of its output from a target.
template <typename T>
struct Training {
  Training(Graph<T>& graph, const StateDict<T>& state, const Array<T>& from, const Array<T>& to)
      : x(graph.leaf("x", from)),
        target(graph.leaf("target", to)),
        loss(attn::mse_loss(attn::encoder(x, state, stack()).output, target)) {}

  Tensor<T> x, target, loss;
};

}  // namespace

TEST_CASE("Allocations are counted") {
  CHECK(allocations_of([] { std::vector<double> some(3); }) == 1);
  CHECK(allocations_of([] { attn::full<float>({2, 3}, 1.0F); }) == 2);  // the numbers, and the Shape that is passed
}

TEST_CASE("Loading parameters from a file allocates nothing while it replaces numbers, so it cannot fail half way") {
  Parameters<float> parameters;
  std::vector<std::size_t> at_read;
  std::vector<attn::ArraySource> sources;
  for (const char* name : {"first", "second", "third"}) {
    parameters.add(name, attn::full<float>({2}, 0), {{"kind", "draw"}});
    sources.push_back({name, {2}, [&](std::span<double> numbers) {
                         at_read.push_back(allocations);
                         std::fill(numbers.begin(), numbers.end(), 1);
                       }});
  }
  at_read.reserve(6);
  parameters.load(std::span<const attn::ArraySource>(sources));
  const std::size_t at_end = allocations;
  REQUIRE(at_read.size() == 6);  // each is read once to be checked and once to be stored
  CHECK(at_read[3] == at_end);
  for (const auto& parameter : parameters.list()) {
    CHECK(parameter.value == attn::full<float>({2}, 1));
    CHECK(parameter.origin.at("kind") == attn::Attribute("literal"));
  }
}

TEMPLATE_TEST_CASE("A replayed graph has the numbers of a graph built anew", "", float, double) {
  using T = TestType;
  for (const bool observe : {false, true}) {
    Parameters<T> parameters;
    parameters.draw(attn::encoder_parameters(kSizes, stack()), 5);
    RandomState random(6);
    Graph<T> graph({.observe = observe});
    const Training<T> training(graph, StateDict<T>(graph, parameters), drawn<T>(random, {2, 3, 8}),
                               drawn<T>(random, {2, 3, 8}));
    graph.backward(training.loss.id);
    for (int pass = 0; pass < 3; ++pass) {
      const Array<T> x = drawn<T>(random, {2, 3, 8});
      const Array<T> target = drawn<T>(random, {2, 3, 8});
      write(graph, training.x, x);
      write(graph, training.target, target);
      graph.replay();
      CHECK_FALSE(graph.node(training.x.id).gradient.has_value());
      graph.backward(training.loss.id);
      Graph<T> anew({.observe = observe});
      const Training<T> other(anew, StateDict<T>(anew, parameters), x, target);
      anew.backward(other.loss.id);
      REQUIRE(graph.size() == anew.size());
      CHECK(graph.bytes() == anew.bytes());
      for (std::size_t id = 0; id < graph.size(); ++id) {
        INFO(graph.node(id).name);
        CHECK(graph.node(id).value == anew.node(id).value);
        CHECK((graph.node(id).gradient == anew.node(id).gradient));
      }
    }
  }
}

namespace {

// A NaN is equal to another NaN here.
template <typename T>
bool same_numbers(const Array<T>& a, const Array<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](T x, T y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

template <typename T>
void check_replay(Graph<T>& graph, const Tensor<T>& output) {
  Array<T> value;
  value = output.value();  // a copy, since the graph changes its own
  const bool has_gradient = graph.node(output.id).content.kind == attn::Content::Kind::numbers;
  if (has_gradient) graph.backward(output.id);
  std::vector<std::optional<Array<T>>> gradients;
  for (std::size_t id = 0; id < graph.size(); ++id) gradients.push_back(graph.node(id).gradient);
  std::vector<std::size_t> leaves;
  for (std::size_t id = 0; id < graph.size(); ++id)
    if (!graph.node(id).op) leaves.push_back(id);
  for (const std::size_t id : leaves) graph.numbers(id);
  graph.replay();
  for (const std::size_t id : graph.dependents(leaves))
    std::fill_n(const_cast<T*>(graph.node(id).value.data()), graph.node(id).value.size(), T(9));
  CHECK(allocations_of([&] {
          graph.replay();
          if (has_gradient) graph.backward(output.id);
        }) == 0);
  CHECK(same_numbers(output.value(), value));
  for (std::size_t id = 0; id < graph.size(); ++id) {
    REQUIRE(graph.node(id).gradient.has_value() == gradients[id].has_value());
    if (gradients[id]) CHECK(same_numbers(*graph.node(id).gradient, *gradients[id]));
  }
}

}  // namespace

TEMPLATE_TEST_CASE("Every op replays with the same numbers, forward and backward, and allocates nothing", "", float,
                   double) {
  using T = TestType;
  for (const auto& test : op_cases::all<T>()) {
    INFO(test.op << ", " << test.use);
    op_cases::Draws random(3);
    Graph<T> graph;
    check_replay(graph, test.build(graph, random));
    op_cases::with_edge_sizes(test, [&](Graph<T>& edge, const Tensor<T>& output, op_cases::Draws&) {
      INFO("shape " << attn::to_string(output.shape()));
      check_replay(edge, output);
    });
  }
}

TEMPLATE_TEST_CASE("A training step in the graph equals a step on the parameters, and allocates nothing", "", float,
                   double) {
  using T = TestType;
  const std::vector<std::function<std::unique_ptr<attn::Optimizer<T>>()>> kinds = {
      [] { return std::make_unique<attn::Adam<T>>(attn::AdamOptions{.lr = 0.01, .amsgrad = true}); },
      [] { return std::make_unique<attn::Adam<T>>(attn::kAdamW); },
      [] { return std::make_unique<attn::Sgd<T>>(attn::SgdOptions{.lr = 0.01, .momentum = 0.5}); },
      [] { return std::make_unique<attn::Adagrad<T>>(attn::AdagradOptions{}); },
      [] { return std::make_unique<attn::Rmsprop<T>>(attn::RmspropOptions{.momentum = 0.5, .centered = true}); },
  };
  for (const auto& create_optimizer : kinds) {
    for (const bool observe : {false, true}) {
      Parameters<T> parameters;
      parameters.draw(attn::encoder_parameters(kSizes, stack()), 5);
      RandomState random(6);
      const Array<T> x = drawn<T>(random, {2, 3, 8});
      const Array<T> target = drawn<T>(random, {2, 3, 8});
      Graph<T> graph({.observe = observe});
      const StateDict<T> leaves(graph, parameters);
      // In the order of the parameters, in which the squares of the norm are summed.
      for (const auto& parameter : parameters.list()) leaves.at(parameter.name);
      const Training<T> training(graph, leaves, x, target);
      const auto in_graph = create_optimizer();
      const auto separate = create_optimizer();
      INFO(in_graph->kind() << (observe ? ", observed" : ""));
      for (int step = 0; step < 4; ++step) {
        double norm = 0;
        const std::size_t made_now = allocations_of([&] {
          if (step > 0) graph.replay();
          graph.backward(training.loss.id);
          norm = attn::clip_grad_norm(graph, 0.5);
          in_graph->step(graph);
        });
        if (step > 1) CHECK(made_now == 0);

        Graph<T> anew({.observe = observe});
        const StateDict<T> state(anew, parameters);
        const Training<T> other(anew, state, x, target);
        anew.backward(other.loss.id);
        parameters.zero_grad();
        state.add_gradients(parameters);
        CHECK(attn::clip_grad_norm(parameters, 0.5) == norm);
        separate->step(parameters);
        CHECK(training.loss.value() == other.loss.value());
      }
      for (const auto& parameter : parameters.list()) CHECK(graph.at(parameter.name).value() == parameter.value);
      CHECK(graph.parameters().size() == parameters.size());
      CHECK(in_graph->state(graph).size() == separate->state(parameters).size());
    }
  }
}

TEST_CASE("A thousand steps with dropout and batches in parts allocate nothing and hold the same memory") {
  Parameters<float> parameters;
  attn::StackOptions options = stack();
  options.layer.dropout = {.p = 0.25, .seed = 3};
  parameters.draw(attn::encoder_parameters(kSizes, options), 5);
  RandomState random(6);
  Graph<float> graph;
  const StateDict<float> state(graph, parameters);
  const Tensor<float> x = graph.leaf("x", drawn<float>(random, {1, 3, 8}));
  const Tensor<float> output = attn::encoder(x, state, options).output;
  const Tensor<float> loss = attn::mse_loss(output, graph.leaf("target", drawn<float>(random, {1, 3, 8})));
  attn::scale(output, {.factor = 2});  // not needed for the loss
  attn::Adam<float> adam({.lr = 0.01});
  const std::vector<std::size_t> targets = {loss.id};
  std::uint32_t step = 0;
  const auto train = [&](std::uint32_t steps) {
    for (const std::uint32_t end = step + steps; step < end; ++step) {
      for (const bool accumulate : {false, true}) {
        graph.redraw_dropout(2 * step + accumulate);
        graph.replay_for(targets);
        graph.backward(loss.id, std::nullopt, {.parameters_only = true, .accumulate = accumulate});
      }
      adam.step(graph);
    }
  };
  train(2);
  const std::uint64_t bytes = graph.bytes();
  CHECK(allocations_of([&] { train(1000); }) == 0);
  CHECK(graph.bytes() == bytes);
}

TEST_CASE("Attention with masks, fused and observed, replays without allocating") {
  RandomState random(4);
  for (const bool observe : {false, true}) {
    Graph<float> graph({.observe = observe});
    const Tensor<float> query = graph.leaf("query", drawn<float>(random, {2, 3, 5, 4}));
    const Tensor<float> key = graph.leaf("key", drawn<float>(random, {2, 1, 7, 4}));
    const auto steps = attn::scaled_dot_product_attention(query, key, key, {.causal = attn::Causal::bottom_right});
    graph.numbers(query.id)(0, 0, 0, 0) = 1;
    graph.replay();
    graph.backward(steps.output.id);
    CHECK(allocations_of([&] {
            graph.numbers(query.id)(0, 0, 0, 0) = 2;
            graph.replay();
            graph.backward(steps.output.id);
          }) == 0);
  }
}

TEST_CASE("A decoder decodes without allocating, and a replay of some nodes leaves the others unchanged") {
  const attn::Seq2SeqOptions options{
      .transformer = {.num_encoder_layers = 1, .num_decoder_layers = 2, .layer = {.num_heads = 2}}};
  Parameters<float> parameters;
  parameters.draw(attn::seq2seq_parameters(kSizes, 9, options), 4);
  attn::GreedyDecoder<float> decoder(parameters, {3, 4}, options, {.begin = 1, .steps = 5});
  decoder.decode();
  CHECK(allocations_of([&] {
          decoder.source()(0, 1) = 3;
          decoder.decode();
        }) == 0);

  Graph<double> graph;
  const Tensor<double> a = graph.leaf("a", attn::full<double>({2}, 1));
  const Tensor<double> b = graph.leaf("b", attn::full<double>({2}, 1));
  const Tensor<double> twice_a = attn::scale(a, {.factor = 2});
  const Tensor<double> twice_b = attn::scale(b, {.factor = 2});
  const Tensor<double> four_a = attn::scale(twice_a, {.factor = 2});
  const std::vector<std::size_t> of_a = graph.dependents({a.id});
  CHECK(of_a == std::vector{twice_a.id, four_a.id});
  graph.backward(four_a.id);
  graph.numbers(a.id)(0) = graph.numbers(b.id)(0) = 3;
  graph.replay(of_a);
  CHECK(four_a.value()(0) == 12);
  CHECK(twice_b.value()(0) == 2);
  CHECK_FALSE(graph.node(a.id).gradient.has_value());
}

TEST_CASE("Numbers written before a replay count as typed, not as drawn or edited") {
  Graph<double> graph;
  const Tensor<double> x = graph.leaf("x", attn::full<double>({2}, 1), {{"kind", "draw"}});
  const Tensor<double> y = attn::scale(x, {.factor = 3});
  graph.set_cell(x.id, {0}, 5);
  const std::uint64_t bytes = graph.bytes();
  graph.numbers(x.id)(1) = 4;
  CHECK(graph.bytes() < bytes);
  CHECK(graph.node(x.id).edited.empty());
  CHECK(y.value()(1) == 3);
  graph.replay();
  CHECK(graph.explain(x.id, {1}).rows[0].role == "typed");
  CHECK(y.value()(0) == 15);
  CHECK(y.value()(1) == 12);
  CHECK_THROWS_WITH(graph.numbers(y.id), "replay: node is \"#1\", which is computed by scale, expected a leaf");
}

TEST_CASE("A replay is refused where an op refuses the numbers") {
  Graph<double> graph;
  const Tensor<double> ids = graph.leaf("ids", attn::full<double>({2}, 1));
  Array<double> table = attn::full<double>({4, 1}, 0);
  table(3, 0) = 3;
  table(1, 0) = 1;
  const Tensor<double> rows = attn::embedding(ids, graph.leaf("table", table));
  graph.numbers(ids.id)(1) = 9;
  CHECK_THROWS_WITH(graph.replay(), "embedding: id at (1,) is 9, expected a row of a table of 4");
  CHECK(rows.value()(1, 0) == 1);
  CHECK(graph.is_stale());
  CHECK_THROWS_WITH(graph.backward(rows.id), stale("backward"));
  CHECK_THROWS_WITH(graph.explain(rows.id, {1, 0}), stale("explain"));
  graph.numbers(ids.id)(1) = 3;
  graph.replay();
  CHECK_FALSE(graph.is_stale());
  CHECK(rows.value()(1, 0) == 3);
}

TEST_CASE("A stale graph refuses calls that would mix old and new numbers, and an edit evaluates all of it") {
  // w^3 as two multiplications, whose gradient at 2 is 12 and at 10 is 300.
  Graph<double> graph;
  const Tensor<double> w = graph.parameter("w", attn::full<double>({1}, 2));
  const Tensor<double> b = graph.leaf("b", attn::full<double>({1}, 0));
  const Tensor<double> square = attn::multiply(w, w);
  const Tensor<double> cube = attn::multiply(square, w);
  const Tensor<double> total = attn::add(square, b);
  const auto evaluated = std::vector{square.id, cube.id, total.id};
  graph.backward(cube.id);
  attn::Sgd<double> sgd({.lr = 1});
  sgd.step(graph);
  REQUIRE(w.value()(0) == -10);
  CHECK(graph.is_stale());
  CHECK(cube.value()(0) == 8);  // unchanged
  CHECK_THROWS_WITH(graph.backward(cube.id), stale("backward"));
  CHECK_THROWS_WITH(graph.explain(cube.id, {0}), stale("explain"));
  CHECK_THROWS_WITH(graph.explain_gradient(w.id, {0}), stale("explain_gradient"));
  CHECK_THROWS_WITH(attn::multiply(cube, w), stale("multiply"));
  CHECK_THROWS_WITH(attn::program(graph, {.language = attn::numpy_language(), .nodes = {}}), stale("program"));
  CHECK(graph.size() == 5);
  CHECK(graph.node(w.id).gradient->data()[0] == 12);

  CHECK(graph.set_cell(b.id, {0}, 1) == evaluated);
  CHECK_FALSE(graph.is_stale());
  CHECK(cube.value()(0) == -1000);
  CHECK(total.value()(0) == 101);
  graph.backward(cube.id);
  CHECK(graph.node(w.id).gradient->data()[0] == 300);
  CHECK(graph.explain(cube.id, {0}).rows.back().value == -1000);

  graph.numbers(w.id)(0) = 3;
  CHECK(graph.reset(b.id) == evaluated);
  CHECK(cube.value()(0) == 27);
  graph.numbers(w.id)(0) = 4;
  CHECK(graph.set(b.id, attn::full<double>({1}, 5)) == evaluated);
  CHECK(total.value()(0) == 21);
  CHECK(graph.set_cell(b.id, {0}, 6) == std::vector{total.id});  // in a graph that is not stale, only the reader of b
  graph.numbers(w.id)(0) = 5;
  graph.replay(graph.dependents({w.id}));
  CHECK(graph.is_stale());
  graph.replay();
  CHECK_FALSE(graph.is_stale());
}

TEST_CASE("After a refused edit a stale graph is evaluated with the previous numbers of the leaf") {
  Graph<double> graph;
  const Tensor<double> ids = graph.leaf("ids", attn::full<double>({2}, 1));
  const Tensor<double> table = graph.parameter("table", attn::full<double>({4, 1}, 7));
  const Tensor<double> twice = attn::scale(table, {.factor = 2});
  const Tensor<double> rows = attn::embedding(ids, twice);
  graph.backward(rows.id);
  graph.numbers(table.id).fill(8);
  CHECK_THROWS_WITH(graph.set_cell(ids.id, {1}, 4), "embedding: id at (1,) is 4, expected a row of a table of 4");
  CHECK_FALSE(graph.is_stale());
  CHECK(ids.value()(1) == 1);
  CHECK(rows.value()(1, 0) == 16);
  CHECK_FALSE(graph.node(table.id).gradient.has_value());  // it belonged to the previous numbers

  // While a leaf holds an invalid id, edits of other leaves are refused; an edit of that leaf restores the graph.
  graph.numbers(ids.id)(1) = 4;
  CHECK_THROWS_WITH(graph.set_cell(table.id, {0, 0}, 1), "embedding: id at (1,) is 4, expected a row of a table of 4");
  CHECK(graph.is_stale());
  CHECK(table.value()(0, 0) == 8);
  graph.set_cell(ids.id, {1}, 0);
  CHECK_FALSE(graph.is_stale());
  CHECK(rows.value()(1, 0) == 16);
}

TEST_CASE("An edit that cannot be undone reports its own error, and the graph stays stale") {
  Graph<double> graph;
  const Tensor<double> table = graph.leaf("table", attn::full<double>({4, 1}, 7));
  const Tensor<double> first = graph.leaf("first", attn::full<double>({2}, 1));
  const Tensor<double> second = graph.leaf("second", attn::full<double>({2}, 1));
  attn::embedding(first, table);
  attn::embedding(second, table);
  graph.numbers(second.id)(0) = 8;
  CHECK_THROWS_WITH(graph.set_cell(first.id, {1}, 9), "embedding: id at (1,) is 9, expected a row of a table of 4");
  CHECK(graph.is_stale());
  CHECK(first.value()(1) == 1);
}

TEST_CASE("A graph without computed nodes is never stale") {
  Graph<double> graph;
  const Tensor<double> x = graph.leaf("x", attn::full<double>({1}, 2));
  graph.numbers(x.id)(0) = 3;
  CHECK_FALSE(graph.is_stale());
  const Tensor<double> twice = attn::scale(x, {.factor = 2});
  CHECK(twice.value()(0) == 6);
  attn::scale(x, {.factor = 5});
  graph.numbers(x.id)(0) = 4;
  CHECK(graph.is_stale());
  graph.truncate(2);
  CHECK(graph.is_stale());  // the first product is still that of 3
  graph.truncate(1);
  CHECK_FALSE(graph.is_stale());
  CHECK(attn::scale(x, {.factor = 2}).value()(0) == 8);
}

TEMPLATE_TEST_CASE("An id outside its table is refused before it is used as a memory offset", "", float, double) {
  using T = TestType;
  // No method does this: an id is written without the graph, which therefore is not marked as stale.
  const auto spoil = [](const Tensor<T>& ids, T id) { const_cast<T&>(ids.value().data()[1]) = id; };
  for (const T bad : {T(4), T(6), T(400), T(60000), T(-1), T(0.5), T(1e30), std::numeric_limits<T>::quiet_NaN()}) {
    INFO(bad);
    Graph<T> graph;
    const Tensor<T> ids = graph.leaf("ids", attn::full<T>({2}, 1));
    const Tensor<T> table = graph.leaf("table", attn::full<T>({4, 2}, 3));
    const Tensor<T> rows = attn::embedding(ids, table);
    graph.backward(rows.id);
    spoil(ids, bad);
    CHECK_THROWS_AS(graph.backward(rows.id), attn::InputError);
    CHECK_THROWS_AS(graph.explain(rows.id, {1, 0}), attn::InputError);
    spoil(ids, 1);
    graph.backward(rows.id);
    spoil(ids, bad);
    CHECK_THROWS_AS(graph.explain_gradient(table.id, {1, 0}), attn::InputError);

    Graph<T> losses;
    const Tensor<T> target = losses.leaf("target", attn::full<T>({2}, 1));
    const Tensor<T> logits = losses.leaf("logits", attn::full<T>({2, 4}, 0));
    const Tensor<T> weight = losses.leaf("weight", attn::full<T>({4}, 1));
    const Tensor<T> loss = attn::cross_entropy(logits, target, {}, weight);
    losses.backward(loss.id);
    spoil(target, bad);
    CHECK_THROWS_AS(losses.explain(loss.id, {}), attn::InputError);
    CHECK_THROWS_AS(losses.explain_gradient(logits.id, {1, 0}), attn::InputError);
    CHECK_THROWS_AS(losses.backward(loss.id), attn::InputError);
  }
}

TEST_CASE("A weight that replays do not change is kept packed, and gives the same digits") {
  RandomState random(8);
  // More than 512 products per cell, a last panel that is not full, rows that do not fill a tile.
  for (const std::size_t rows : {11, 12, 17, 40, 131, 600}) {
    INFO(rows << " rows");
    const Array<float> weight = drawn<float>(random, {13, 530});
    Graph<float> graph;
    const Tensor<float> x = graph.leaf("x", drawn<float>(random, {rows, 530}));
    const Tensor<float> w = graph.leaf("w", weight);
    const Tensor<float> bias = graph.leaf("bias", drawn<float>(random, {13}));
    const Tensor<float> y = attn::linear(x, w, bias);
    const std::uint64_t before = graph.bytes();
    const std::uint64_t packed_bytes = rows < 12 || rows > 512 ? 0 : 16 * 530 * sizeof(float);
    const auto check = [&](const Array<float>& numbers) {
      graph.numbers(x.id) = numbers;
      graph.replay();
      Graph<float> anew;
      const Tensor<float> other = attn::linear(anew.leaf("x", numbers), anew.leaf("w", graph.node(w.id).value),
                                               anew.leaf("bias", graph.node(bias.id).value));
      CHECK(y.value() == other.value());
    };
    for (int time = 0; time < 2; ++time) {
      check(drawn<float>(random, {rows, 530}));
      CHECK(graph.bytes() == before + packed_bytes);
    }
    // A weight that is written is no longer read from its packed copy.
    graph.set(w.id, drawn<float>(random, {13, 530}));
    check(drawn<float>(random, {rows, 530}));
    graph.numbers(w.id) = weight;
    check(drawn<float>(random, {rows, 530}));
    CHECK(graph.bytes() == before);
  }
}

TEST_CASE("Packed constants are freed when other allocations need their memory") {
  RandomState random(9);
  const std::size_t matrix = 64 * 64 * sizeof(float);
  // x, w, y and the packed copy of w; then the gradients of x, w and y in its place.
  Graph<float> graph({.max_bytes = 6 * matrix});
  const Tensor<float> x = graph.leaf("x", drawn<float>(random, {64, 64}));
  const Tensor<float> y = attn::linear(x, graph.leaf("w", drawn<float>(random, {64, 64})));
  graph.numbers(x.id);
  graph.replay();
  CHECK(graph.bytes() == 4 * matrix);
  graph.backward(y.id);
  CHECK(graph.bytes() == 6 * matrix);
  Array<float> before;
  before = y.value();  // a copy, since the graph changes its own
  graph.replay();      // reuses the memory of the gradients, and no more fits
  CHECK(y.value() == before);
  CHECK(graph.bytes() == 6 * matrix);

  Graph<float> grown({.max_bytes = 4 * matrix});
  const Tensor<float> a = grown.leaf("a", drawn<float>(random, {64, 64}));
  const Tensor<float> b = attn::linear(a, grown.leaf("w", drawn<float>(random, {64, 64})));
  grown.numbers(a.id);
  grown.replay();
  CHECK(grown.bytes() == 4 * matrix);
  attn::add(a, b);
  CHECK(grown.bytes() == 4 * matrix);
  CHECK_THROWS_AS(attn::add(a, b), attn::MemoryError);
}

TEST_CASE("A graph without spare memory packs no constants, and still replays") {
  RandomState random(9);
  const std::size_t numbers = 64 * 64 + 64 * 64 + 64 * 64;
  Graph<float> graph({.max_bytes = numbers * sizeof(float)});
  const Tensor<float> x = graph.leaf("x", drawn<float>(random, {64, 64}));
  const Tensor<float> y = attn::linear(x, graph.leaf("w", drawn<float>(random, {64, 64})));
  Array<float> before;
  before = y.value();  // a copy, since the graph changes its own
  graph.numbers(x.id);
  graph.replay();
  CHECK(y.value() == before);
  CHECK(graph.bytes() == numbers * sizeof(float));
}
