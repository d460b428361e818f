// What training needs of a graph: dropout drawn anew, replays for some nodes, gradients of parameters that accumulate.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <catch_amalgamated.hpp>

#include "nn/dropout.hpp"
#include "nn/encoder.hpp"
#include "op_cases.hpp"
#include "ops/add.hpp"
#include "ops/embedding.hpp"
#include "ops/linear.hpp"
#include "ops/mse_loss.hpp"
#include "ops/multiply.hpp"
#include "ops/scale.hpp"
#include "optim/sgd.hpp"
#include "program/program.hpp"
#include "tensor/random.hpp"
#include "tensor/state_dict.hpp"

using attn::Array;
using attn::Graph;
using attn::Parameters;
using attn::RandomState;
using attn::StateDict;
using attn::Tensor;

namespace {

const attn::LayerSizes kSizes{.d_model = 8, .d_ff = 16};

attn::StackOptions stack(double p = 0) {
  return {.num_layers = 2, .layer = {.num_heads = 2, .dropout = {.p = p, .seed = 7}}};
}

template <typename T>
Array<T> drawn(const attn::Shape& shape, std::uint32_t seed) {
  RandomState random(seed);
  Array<T> array = attn::full<T>(shape, T(0));
  for (T& cell : array) cell = static_cast<T>(random.randn());
  return array;
}

// The numbers that a node has now, which a replay writes over.
template <typename T>
Array<T> copy_of(const Tensor<T>& node) {
  return node.value();
}

template <typename T, typename Work>
std::uint64_t evaluations_of(const Graph<T>& graph, const Work& work) {
  const std::uint64_t before = graph.evaluations();
  work();
  return graph.evaluations() - before;
}

std::string skipped(const std::string& operation, const std::string& node) {
  return operation + ": node is \"" + node +
         "\", which the last replay skipped, expected a node that it was for, or a replay of the whole graph first";
}

}  // namespace

TEMPLATE_TEST_CASE("Dropout is drawn from its seed and a step, as NumPy draws", "", float, double) {
  using T = TestType;
  struct Draw {
    std::uint32_t seed, step;
    double first, second, last;
  };
  // np.random.RandomState([seed, step]).uniform(0, 1, 700); of step 0 np.random.RandomState(seed)
  const Draw draws[] = {
      {7, 0, 0.07630828937395717, 0.7799187922401146, 0.33871568992326884},
      {7, 1, 0.22550888929893187, 0.35860096918797, 0.33453381840077034},
      {7, 2, 0.7042964166818435, 0.15008850079098557, 0.33936935053714423},
      {4294967295, 4294967295, 0.021825695401270107, 0.3380953268613758, 0.5947174111888955},
  };
  for (const Draw& draw : draws) {
    INFO(draw.seed << ", " << draw.step);
    Graph<T> graph;
    const Tensor<T> x = graph.leaf("x", attn::full<T>({7, 100}, 3));
    const Tensor<T> y = attn::dropout(x, attn::Dropout{.p = 0.5, .seed = draw.seed}, "y");
    const Tensor<T> u = graph.at("y.u");
    const Array<T> at_first = copy_of(u);
    graph.redraw_dropout(draw.step);
    CHECK(u.value().data()[0] == static_cast<T>(draw.first));
    CHECK(u.value().data()[1] == static_cast<T>(draw.second));
    CHECK(u.value().data()[699] == static_cast<T>(draw.last));
    CHECK((u.value() == at_first) == (draw.step == 0));
    CHECK(graph.is_stale());
    CHECK(evaluations_of(graph, [&] { graph.replay(); }) == 1);
    for (std::size_t i = 0; i < 700; ++i) CHECK(y.value().data()[i] == (u.value().data()[i] > T(0.5) ? T(6) : T(0)));
    graph.redraw_dropout(0);
    CHECK(u.value() == at_first);
  }
}

TEST_CASE("The origin of a dropout's draw says its seed and step, in explanations and programs too") {
  Graph<double> graph;
  const Tensor<double> x = graph.leaf("x", attn::full<double>({2}, 1));
  attn::dropout(x, attn::Dropout{.p = 0.5, .seed = 7}, "y");
  const std::size_t u = graph.at("y.u").id;
  const attn::Origin at_first = graph.node(u).origin;
  const std::uint64_t bytes = graph.bytes();
  const auto decimal = [](double value) { return std::to_string(static_cast<int>(value)); };
  const auto text = [&] {
    return attn::program(graph, {.language = attn::numpy_language(), .nodes = {}, .decimal = decimal});
  };
  CHECK(text().find("np.random.RandomState(7)") != std::string::npos);
  graph.set_cell(u, {0}, 0.25);
  for (const double step : {3.0, 4.0}) {
    graph.redraw_dropout(static_cast<std::uint32_t>(step));
    graph.replay();
    CHECK(graph.node(u).edited.empty());
    CHECK(graph.bytes() == bytes);
    const attn::Explanation cell = graph.explain(u, {0});
    CHECK(cell.rows[0].role == "drawn");
    CHECK(cell.attributes.at("seed") == attn::Attribute(std::vector{7.0, step}));
    CHECK(text().find("np.random.RandomState((7, " + std::to_string(static_cast<int>(step)) + "))") !=
          std::string::npos);
  }
  graph.numbers(u)(0) = 0.75;
  graph.replay();
  CHECK(graph.explain(u, {0}).rows[0].role == "typed");
  graph.redraw_dropout(0);
  CHECK(graph.node(u).origin == at_first);
}

TEST_CASE("Only dropouts are drawn anew, each with other numbers, and removed ones no longer") {
  Parameters<double> parameters;
  parameters.draw(attn::encoder_parameters(kSizes, stack()), 5);
  Graph<double> graph;
  const Tensor<double> x = graph.leaf("x", drawn<double>({2, 3, 8}, 6), {{"kind", "draw"}, {"method", "uniform"}});
  graph.redraw_dropout(1);  // there is none
  CHECK_FALSE(graph.is_stale());
  const std::size_t before = graph.size();
  const Array<double> numbers = copy_of(x);
  const StateDict<double> state(graph, parameters);
  const Tensor<double> output = attn::encoder(x, state, stack(0.25)).output;
  std::vector<Array<double>> values;
  for (const std::uint32_t step : {0U, 1U, 2U, 1U}) {
    graph.redraw_dropout(step);
    graph.replay();
    values.push_back(output.value());
    CHECK(x.value() == numbers);
  }
  CHECK(values[0] != values[1]);
  CHECK(values[1] != values[2]);
  CHECK(values[1] == values[3]);
  std::vector<double> first;
  for (std::size_t id = before; id < graph.size(); ++id)
    if (!graph.node(id).op && graph.node(id).origin.count("method")) first.push_back(graph.node(id).value.data()[0]);
  std::sort(first.begin(), first.end());
  CHECK(std::unique(first.begin(), first.end()) == first.end());
  graph.truncate(before);
  attn::scale(x, {.factor = 2});
  graph.redraw_dropout(3);
  CHECK_FALSE(graph.is_stale());
}

TEST_CASE("A replay for some nodes evaluates what they depend on, and nothing else") {
  Graph<double> graph;
  const auto ones = attn::full<double>({2}, 1);
  const Tensor<double> a = graph.leaf("a", ones);
  const Tensor<double> b = graph.leaf("b", ones);
  const Tensor<double> c = graph.leaf("c", ones);
  const Tensor<double> a2 = attn::scale(a, {.factor = 2}, "a2");
  const Tensor<double> b2 = attn::scale(b, {.factor = 2}, "b2");
  const Tensor<double> sum = attn::add(a2, b2, "sum");
  const Tensor<double> product = attn::multiply(a2, b2, "product");
  const Tensor<double> c2 = attn::scale(c, {.factor = 2}, "c2");
  const Tensor<double> last = attn::add(product, c2, "last");
  const auto replay_for = [&](const std::vector<std::size_t>& targets) {
    return evaluations_of(graph, [&] { graph.replay_for(targets); });
  };
  CHECK(replay_for({sum.id}) == 0);  // no leaf was ever written
  CHECK_FALSE(graph.is_stale());
  graph.numbers(a.id)(0) = 5;
  graph.numbers(b.id)(0) = 3;
  for (int time = 0; time < 2; ++time) {
    CHECK(replay_for({sum.id}) == 3);
    CHECK(sum.value()(0) == 16);
    CHECK(product.value()(0) == 4);
    CHECK(graph.is_stale());
  }
  // What was not skipped may be explained and differentiated.
  CHECK(graph.explain(sum.id, {0}).rows.back().value == 16);
  graph.backward(sum.id);
  CHECK(graph.gradient(a.id)->data()[0] == 2);
  CHECK(graph.explain_gradient(a.id, {0}).sum.value == 2);
  graph.check_not_skipped(sum.id, "value");
  graph.check_not_skipped(c2.id, "value");  // its leaf was never written
  CHECK_THROWS_WITH(graph.check_not_skipped(last.id, "value"), skipped("value", "last"));
  CHECK_THROWS_WITH(graph.backward(product.id), skipped("backward", "product"));
  CHECK_THROWS_WITH(graph.explain(product.id, {0}), skipped("explain", "product"));
  CHECK_THROWS_WITH(graph.explain_gradient(product.id, {0}), skipped("explain_gradient", "product"));
  CHECK_THROWS_AS(graph.uses(a2.id, {0}), attn::InputError);
  CHECK_THROWS_AS(attn::add(sum, b2), attn::InputError);
  // After a further write nothing is up to date, but what was skipped still belongs to an earlier replay.
  graph.numbers(a.id)(0) = 6;
  CHECK_THROWS_AS(graph.backward(sum.id), attn::InputError);
  graph.check_not_skipped(sum.id, "value");
  CHECK_THROWS_WITH(graph.check_not_skipped(last.id, "value"), skipped("value", "last"));

  CHECK(replay_for({sum.id, product.id}) == 4);
  CHECK(product.value()(0) == 72);
  CHECK(replay_for({last.id}) == 4);
  CHECK(last.value()(0) == 74);
  CHECK(replay_for({sum.id, last.id}) == 5);
  CHECK_FALSE(graph.is_stale());
  CHECK(replay_for({a.id}) == 0);
  CHECK(graph.is_stale());
  CHECK(evaluations_of(graph, [&] { graph.replay(); }) == 5);
  CHECK_FALSE(graph.is_stale());
  graph.check_not_skipped(last.id, "value");

  // An edit of a graph of which nodes were skipped evaluates all of it.
  graph.numbers(a.id)(0) = 7;
  graph.replay_for({sum.id});
  CHECK(evaluations_of(graph, [&] { graph.set_cell(c.id, {0}, 2); }) == 6);
  CHECK(last.value()(0) == 14 * 6 + 4);
  CHECK_FALSE(graph.is_stale());
  CHECK(replay_for({last.id}) == 5);  // c was written meanwhile
  CHECK(replay_for({sum.id}) == 3);
  graph.truncate(product.id);  // every node that was skipped
  CHECK_FALSE(graph.is_stale());
  CHECK_THROWS_WITH(graph.replay_for({}), "replay: targets is none, expected at least one node");
  CHECK_THROWS_AS(graph.replay_for({graph.size()}), attn::InputError);
  CHECK_FALSE(graph.is_stale());
}

TEST_CASE("Many lists of nodes can be replayed in turn") {
  Graph<double> graph;
  const Tensor<double> x = graph.leaf("x", attn::full<double>({1}, 1));
  std::vector<Tensor<double>> products;
  for (int factor = 0; factor < 20; ++factor)
    products.push_back(attn::scale(x, {.factor = static_cast<double>(factor)}));
  for (int time = 1; time < 4; ++time) {
    for (std::size_t factor = 0; factor < 20; ++factor) {
      graph.numbers(x.id)(0) = time;
      CHECK(evaluations_of(graph, [&] { graph.replay_for({products[factor].id}); }) == 1);
      CHECK(products[factor].value()(0) == static_cast<double>(factor) * time);
    }
  }
}

TEST_CASE("Replays for different nodes share the packed weights that none of them changes") {
  constexpr std::size_t kMatrix = 64 * 64 * sizeof(float);
  Graph<float> graph;
  const Tensor<float> x = graph.leaf("x", drawn<float>({64, 64}, 1));
  const Tensor<float> w = graph.leaf("w", drawn<float>({64, 64}, 2));
  const Tensor<float> first = attn::linear(x, w);
  const Tensor<float> second = attn::linear(attn::scale(x, {.factor = 2}), w);
  const std::uint64_t before = graph.bytes();
  const Array<float> at_first = copy_of(first);
  const Array<float> at_second = copy_of(second);
  graph.numbers(x.id);
  for (const std::size_t target : {first.id, second.id, first.id}) {
    graph.replay_for({target});
    CHECK(graph.bytes() == before + 2 * kMatrix);
  }
  graph.replay();
  CHECK(graph.bytes() == before + 2 * kMatrix);
  CHECK(first.value() == at_first);
  CHECK(second.value() == at_second);
  graph.numbers(w.id).fill(0);  // no longer constant
  graph.replay_for({second.id});
  CHECK(graph.bytes() == before);
  CHECK(second.value() == attn::full<float>({64, 64}, 0));
}

TEST_CASE("A replay for some nodes does not read ids that only the others refuse") {
  Graph<double> graph;
  const Tensor<double> ids = graph.leaf("ids", attn::full<double>({2}, 1));
  const Tensor<double> table = graph.leaf("table", attn::full<double>({4, 1}, 7));
  const Tensor<double> twice = attn::scale(table, {.factor = 2});
  const Tensor<double> rows = attn::embedding(ids, twice);
  graph.numbers(ids.id)(1) = 4;
  graph.numbers(table.id).fill(8);
  graph.replay_for({twice.id});
  CHECK(twice.value()(0, 0) == 16);
  CHECK_THROWS_WITH(graph.replay_for({rows.id}), "embedding: id at (1,) is 4, expected a row of a table of 4");
  CHECK_THROWS_AS(graph.backward(twice.id), attn::InputError);
  graph.numbers(ids.id)(1) = 3;
  graph.replay_for({rows.id});
  CHECK(rows.value()(1, 0) == 16);
  CHECK_FALSE(graph.is_stale());
}

TEMPLATE_TEST_CASE("A backward for parameters gives them the same gradients, and no node that leads to none", "", float,
                   double) {
  using T = TestType;
  for (const bool observe : {false, true}) {
    Parameters<T> parameters;
    parameters.draw(attn::encoder_parameters(kSizes, stack()), 5);
    Graph<T> graph({.observe = observe});
    const StateDict<T> state(graph, parameters);
    const Tensor<T> x = graph.leaf("x", drawn<T>({2, 3, 8}, 6));
    const Tensor<T> twice = attn::scale(x, {.factor = 2}, "twice");
    const Tensor<T> output = attn::encoder(twice, state, stack(0.25)).output;
    const Tensor<T> target = graph.leaf("target", drawn<T>({2, 3, 8}, 8));
    const Tensor<T> goal = attn::scale(target, {.factor = 2}, "goal");
    const Tensor<T> loss = attn::mse_loss(output, goal);
    graph.backward(loss.id);
    std::vector<std::optional<Array<T>>> all;
    for (std::size_t id = 0; id < graph.size(); ++id) all.push_back(graph.node(id).gradient);
    const std::uint64_t bytes = graph.bytes();
    const auto cell = graph.explain_gradient(graph.parameters()[0], {0, 0});
    for (int time = 0; time < 2; ++time) {
      graph.backward(loss.id, std::nullopt, {.parameters_only = true});
      for (std::size_t id = 0; id < graph.size(); ++id) {
        INFO(graph.node(id).name);
        const bool leads_to_none = id == x.id || id == twice.id || id == target.id || id == goal.id;
        CHECK((graph.node(id).gradient == (leads_to_none ? std::nullopt : all[id])));
      }
      // Four gradients of the shape of x are neither computed nor stored.
      CHECK(graph.bytes() == bytes - 4 * x.value().size() * sizeof(T));
    }
    const auto again = graph.explain_gradient(graph.parameters()[0], {0, 0});
    CHECK(again.sum.value == cell.sum.value);
    CHECK(again.uses.size() == cell.uses.size());
    const std::string message =
        "gradient: node is \"twice\", whose gradient was not asked for, expected a node that leads to a parameter, or "
        "a backward of all nodes first";
    CHECK_THROWS_WITH(graph.check_gradient(twice.id, "gradient"), message);
    CHECK_THROWS_AS(graph.explain_gradient(x.id, {0, 0, 0}), attn::InputError);
    graph.check_gradient(output.id, "gradient");
    // A node that leads to no parameter has no gradient to compute but its own.
    graph.backward(goal.id, std::nullopt, {.parameters_only = true});
    CHECK(graph.gradient(goal.id)->data()[0] == 1);
    CHECK(graph.gradient(target.id) == nullptr);
    graph.check_gradient(graph.parameters()[0], "gradient");  // 0, as it was not reached
    graph.backward(loss.id);
    graph.check_gradient(twice.id, "gradient");
    CHECK((graph.node(x.id).gradient == all[x.id]));
  }
}

TEMPLATE_TEST_CASE("An op gives an input the same gradient, whichever others have none", "", float, double) {
  using T = TestType;
  for (const auto& test : op_cases::all_with_gradients<T>()) {
    INFO(test.op << ", " << test.use);
    op_cases::Draws random(3);
    Graph<T> graph;
    const attn::Node<T>& node = graph.node(test.build(graph, random).id);
    const Array<T> upstream = attn::full<T>(node.shape, T(0.5));
    std::vector<const Array<T>*> values;
    for (const std::size_t input : node.inputs) values.push_back(&graph.node(input).value);
    const auto gradients_of = [&](const auto& is_wanted) {
      std::vector<Array<T>> gradients;
      std::vector<Array<T>*> destinations;
      for (const Array<T>* value : values) gradients.push_back(attn::full<T>(attn::shape_of(*value), T(0)));
      for (std::size_t i = 0; i < gradients.size(); ++i)
        destinations.push_back(node.op->differentiable(i) && is_wanted(i) ? &gradients[i] : nullptr);
      std::vector<T> scratch(static_cast<std::size_t>(node.scratch_bytes) / sizeof(T), T(-1));
      node.op->backward(values, node.value, upstream, destinations, scratch);
      return gradients;
    };
    const auto all = gradients_of([](std::size_t) { return true; });
    for (std::size_t one = 0; one < values.size(); ++one) {
      if (!node.op->differentiable(one)) continue;
      INFO("input " << one);
      const auto equal = [](T a, T b) { return a == b || (std::isnan(a) && std::isnan(b)); };
      const auto alone = gradients_of([&](std::size_t i) { return i == one; });
      CHECK(std::equal(alone[one].begin(), alone[one].end(), all[one].begin(), equal));
    }
  }
}

TEMPLATE_TEST_CASE("Gradients accumulate over batches to those of all batches at once", "", float, double) {
  using T = TestType;
  constexpr T kNear = sizeof(T) == sizeof(float) ? T(1e-6) : T(1e-14);
  Parameters<T> parameters;
  parameters.draw(attn::encoder_parameters(kSizes, stack()), 5);
  const Array<T> x = drawn<T>({4, 3, 8}, 6);
  const Array<T> target = drawn<T>({4, 3, 8}, 7);
  Graph<T> whole;
  const StateDict<T> whole_state(whole, parameters);
  const Tensor<T> whole_loss =
      attn::mse_loss(attn::encoder(whole.leaf("x", x), whole_state, stack()).output, whole.leaf("target", target));
  whole.backward(whole_loss.id);

  for (const bool parameters_only : {false, true}) {
    Graph<T> graph;
    const StateDict<T> state(graph, parameters);
    const Tensor<T> part = graph.leaf("x", attn::full<T>({1, 3, 8}, 0));
    const Tensor<T> goal = graph.leaf("target", attn::full<T>({1, 3, 8}, 0));
    const Tensor<T> loss = attn::mse_loss(attn::encoder(part, state, stack()).output, goal);
    const Tensor<T> unused = graph.parameter("unused", attn::full<T>({1}, 3));
    CHECK_THROWS_WITH(graph.backward(loss.id, std::nullopt, {.accumulate = true}),
                      "backward: accumulate is true, expected false, as no parameter has a gradient to add to");
    const auto backward = [&](std::size_t batch, bool accumulate) {
      std::copy_n(x.data() + batch * 24, 24, graph.numbers(part.id).data());
      std::copy_n(target.data() + batch * 24, 24, graph.numbers(goal.id).data());
      graph.replay_for({loss.id});
      graph.backward(loss.id, attn::full<T>({}, T(0.25)),
                     {.parameters_only = parameters_only, .accumulate = accumulate});
    };
    for (int step = 0; step < 2; ++step) {  // the second step starts from nothing again
      for (std::size_t batch = 0; batch < 4; ++batch) backward(batch, batch > 0);
      for (const std::size_t id : graph.parameters()) {
        if (id == unused.id) continue;
        INFO(graph.node(id).name);
        const Array<T>& expected = *whole.gradient(whole.at(graph.node(id).name).id);
        for (std::size_t i = 0; i < expected.size(); ++i)
          CHECK(std::abs(graph.gradient(id)->data()[i] - expected.data()[i]) <= kNear);
      }
      CHECK(graph.gradient(unused.id) == nullptr);
    }
    // The gradients of other nodes are those of the last batch.
    if (!parameters_only) {
      const Array<T> of_last = *graph.gradient(part.id);
      backward(3, false);
      CHECK(*graph.gradient(part.id) == of_last);
    }
  }
}

TEST_CASE("Accumulated gradients stay where the next backward does not reach, until they are dropped") {
  Graph<double> graph;
  const Tensor<double> v = graph.parameter("v", attn::full<double>({1}, 3));
  const Tensor<double> w = graph.parameter("w", attn::full<double>({1}, 2));
  const Tensor<double> x = graph.leaf("x", attn::full<double>({1}, 5));
  const Tensor<double> vx = attn::multiply(v, x);
  const Tensor<double> wx = attn::multiply(w, x);
  graph.backward(vx.id);
  graph.backward(wx.id, std::nullopt, {.accumulate = true});
  CHECK(graph.gradient(v.id)->data()[0] == 5);
  CHECK(graph.gradient(w.id)->data()[0] == 5);
  CHECK(graph.gradient(x.id)->data()[0] == 2);
  CHECK(graph.gradient(vx.id) == nullptr);
  // A sum over several backwards is not the arithmetic of one of them.
  CHECK_THROWS_WITH(graph.explain_gradient(w.id, {0}),
                    "explain_gradient: node is \"w\", whose gradient is a sum over several backwards, expected a "
                    "backward that does not accumulate first");
  CHECK(graph.explain_gradient(x.id, {0}).sum.value == 2);
  graph.backward(w.id, attn::full<double>({1}, 0.5), {.accumulate = true});
  CHECK(graph.gradient(w.id)->data()[0] == 5.5);

  // A replay makes them unreadable; to accumulate, they are still there.
  graph.numbers(x.id)(0) = 7;
  graph.replay();
  CHECK(graph.gradient(v.id) == nullptr);
  CHECK_THROWS_AS(graph.check_gradient(v.id, "gradient"), attn::InputError);
  graph.backward(vx.id, std::nullopt, {.accumulate = true});
  CHECK(graph.gradient(v.id)->data()[0] == 12);
  CHECK(graph.gradient(w.id)->data()[0] == 5.5);

  // A refused call leaves them as they were.
  CHECK_THROWS_AS(graph.backward(vx.id, attn::full<double>({2}, 1), {.accumulate = true}), attn::InputError);
  CHECK(graph.gradient(v.id)->data()[0] == 12);
  graph.set_cell(x.id, {0}, 1);
  CHECK_THROWS_AS(graph.backward(vx.id, std::nullopt, {.accumulate = true}), attn::InputError);
  graph.backward(vx.id);
  CHECK(graph.explain_gradient(v.id, {0}).sum.value == 1);
  CHECK(graph.gradient(w.id) == nullptr);
}
