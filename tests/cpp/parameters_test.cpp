// Parameters that outlive graphs: drawn by name, read, set, loaded, trained.
#include "tensor/parameters.hpp"

#include <catch_amalgamated.hpp>

#include "nn/linear.hpp"
#include "ops/mse_loss.hpp"
#include "optim/sgd.hpp"
#include "tensor/random.hpp"

using attn::Array;
using attn::Attribute;
using attn::Graph;
using attn::Initial;
using attn::NamedArray;
using attn::Parameters;
using attn::Shape;
using attn::StateDict;

namespace {

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const attn::InputError& error) {
    return error.what();
  } catch (const attn::MemoryError& error) {
    return error.what();
  }
  return "";
}

const attn::ParameterSpecs kSpecs = {{"zeros", {2}, {}},
                                     {"ones", {3}, {Initial::Kind::ones}},
                                     {"uniform", {4, 5}, {Initial::Kind::uniform, 0.5}},
                                     {"normal", {3, 2}, {.kind = Initial::Kind::normal, .divisor = 4}}};

}  // namespace

TEMPLATE_TEST_CASE("A drawn parameter depends only on its name and the seed, and its origin draws it again", "", float,
                   double) {
  using T = TestType;
  Parameters<T> parameters;
  parameters.draw(kSpecs, 9);
  CHECK(parameters.size() == 4);
  CHECK(parameters.count() == 2 + 3 + 20 + 6);
  Parameters<T> separate;
  separate.draw({kSpecs[2]}, 9);
  CHECK(separate.at("uniform").value == parameters.at("uniform").value);
  Parameters<T> other;
  other.draw(kSpecs, 10);
  CHECK(other.at("uniform").value != parameters.at("uniform").value);
  for (const T cell : parameters.at("zeros").value) CHECK(cell == 0);
  for (const T cell : parameters.at("ones").value) CHECK(cell == 1);

  const auto& uniform = parameters.at("uniform");
  CHECK(uniform.origin.at("method") == Attribute("uniform"));
  attn::RandomState random(static_cast<std::uint32_t>(std::get<double>(uniform.origin.at("seed"))));
  for (const T cell : uniform.value)
    CHECK(cell == static_cast<T>(random.uniform(std::get<double>(uniform.origin.at("low")),
                                                std::get<double>(uniform.origin.at("high")))));
  const auto& normal = parameters.at("normal");
  CHECK(normal.origin.at("method") == Attribute("randn"));
  random = attn::RandomState(static_cast<std::uint32_t>(std::get<double>(normal.origin.at("seed"))));
  for (const T cell : normal.value)
    CHECK(cell == static_cast<T>(random.randn() / std::get<double>(normal.origin.at("divisor"))));
}

TEST_CASE("Parameters are set by name, and refuse what does not fit") {
  Parameters<double> parameters;
  parameters.draw(kSpecs, 1);
  parameters.set("zeros", attn::full<double>({2}, 3));
  CHECK(parameters.at("zeros").value(1) == 3);
  CHECK(refusal([&] { parameters.at("none"); }) == "parameters: name is \"none\", expected the name of a parameter");
  CHECK(refusal([&] { parameters.set("zeros", attn::full<double>({3}, 3)); }) ==
        "parameters: \"zeros\" has shape (3,), expected (2,)");
  CHECK(refusal([&] { parameters.add("zeros", attn::full<double>({2}, 3)); }) ==
        "parameters: name is \"zeros\", expected one that no other parameter has");
  CHECK(refusal([&] { parameters.add("", attn::full<double>({2}, 3)); }) ==
        "parameters: name is empty, expected a name");
  CHECK(refusal([&] { parameters.add_gradient("ones", attn::full<double>({2}, 3)); }) ==
        "parameters: gradient of \"ones\" has shape (2,), expected (3,)");
  CHECK(refusal([&] { parameters.draw({{"new", {1}}, {"ones", {1}}}, 1); }) ==
        "parameters: name is \"ones\", expected one that no other parameter has");
  CHECK(refusal([&] { parameters.draw({{"new", {1}}, {"new", {1}}}, 1); }) ==
        "parameters: name is \"new\", expected one that no other parameter has");
  CHECK_FALSE(parameters.has("new"));
  CHECK(refusal([&] { parameters.draw({{"vast", {1 << 20, 1 << 20}}}, 1); }).find("the limit is 512.0 MB") !=
        std::string::npos);
  CHECK(refusal([&] { parameters.draw({{"half", {40'000'000}}, {"rest", {40'000'000}}}, 1); }).find("the limit is") !=
        std::string::npos);
  CHECK(parameters.size() == 4);
}

TEST_CASE("The overhead of parameters counts, and thousands of parameters are found quickly") {
  attn::ParameterSpecs specs;
  for (std::size_t i = 0; i < 50000; ++i) specs.push_back({"layers." + std::to_string(i), {1}});
  Parameters<float> small(50000 * 1000);
  CHECK(refusal([&] { small.draw(specs, 1); }).starts_with("parameters: needs "));
  CHECK(small.size() == 0);
  CHECK(attn::total_bytes<float>(specs) > 50000 * 1000);
  // A linear search for each of them would take minutes.
  Parameters<float> parameters;
  parameters.draw(specs, 1);
  for (const attn::ParameterSpec& spec : specs) parameters.add_gradient(spec.name, attn::full<float>({1}, 1));
  CHECK(parameters.bytes() == 2 * 50000 * sizeof(float));
  parameters.zero_grad();
  CHECK(parameters.bytes() == 50000 * sizeof(float));
  CHECK(parameters.count() == 50000);
}

TEST_CASE("Loading sets every parameter or none") {
  Parameters<float> source;
  source.draw(kSpecs, 3);
  Parameters<float> target;
  target.draw(kSpecs, 4);
  std::vector<NamedArray> arrays = source.save();
  std::reverse(arrays.begin(), arrays.end());
  target.load(arrays);
  for (const auto& parameter : source.list()) CHECK(target.at(parameter.name).value == parameter.value);
  CHECK(target.at("normal").origin.at("kind") == Attribute("literal"));

  const auto attempt = [&](const std::function<void(std::vector<NamedArray>&)>& change) {
    std::vector<NamedArray> changed = source.save();
    for (NamedArray& array : changed) std::fill(array.value.begin(), array.value.end(), 9);
    change(changed);
    const std::string message = refusal([&] { target.load(changed); });
    for (const auto& parameter : source.list()) CHECK(target.at(parameter.name).value == parameter.value);
    return message;
  };
  CHECK(attempt([](auto& changed) { changed.pop_back(); }) == "load: \"normal\" is missing, expected every parameter");
  CHECK(attempt([](auto& changed) { changed[1].name = "Ones"; }) ==
        "load: name is \"Ones\", expected the name of a parameter");
  CHECK(attempt([](auto& changed) { changed[1].value = attn::full<double>({4}, 0); }) ==
        "load: \"ones\" has shape (4,), expected (3,)");
  CHECK(attempt([](auto& changed) { changed[2].value(3, 4) = -1e300; }) ==
        "load: \"uniform\" is -1e300, expected numbers of float32");
  CHECK(attempt([](auto& changed) { changed.push_back(changed[0]); }) ==
        "load: name is \"zeros\", twice, expected each parameter once");
}

TEMPLATE_TEST_CASE("Gradients of several graphs are added, and training continues across them", "", float, double) {
  using T = TestType;
  Parameters<T> parameters;
  parameters.draw(within("layer", attn::linear_parameters(2, 1)), 5);
  attn::Sgd<T> optimizer({.lr = 0.1});
  const auto loss = [&](bool learn) {
    Graph<T> graph;
    const StateDict<T> state(graph, parameters);
    Array<T> x = attn::full<T>({4, 2}, T(0));
    Array<T> y = attn::full<T>({4, 1}, T(0));
    for (std::size_t n = 0; n < 4; ++n) {
      x(n, 0) = static_cast<T>(n & 1);
      x(n, 1) = static_cast<T>(n >> 1);
      y(n, 0) = 2 * x(n, 0) - x(n, 1) + T(0.5);
    }
    const auto output = attn::linear(graph.leaf("x", x), state.within("layer"));
    const auto node = attn::mse_loss(output, graph.leaf("y", y));
    if (learn) {
      graph.backward(node.id);
      parameters.zero_grad();
      state.add_gradients(parameters);
      optimizer.step(parameters);
    }
    return node.value().data()[0];
  };
  const T before = loss(false);
  for (int step = 0; step < 300; ++step) loss(true);
  CHECK(before > 0.01);
  CHECK(loss(false) < 1e-6);
  CHECK(std::abs(parameters.at("layer.weight").value(0, 0) - 2) < 1e-2);
  CHECK(std::abs(parameters.at("layer.bias").value(0) - 0.5) < 1e-2);
}

TEST_CASE("A parameter used twice is one leaf, and gradients add up until they are cleared") {
  Parameters<double> parameters;
  parameters.add("w", attn::full<double>({1, 1}, 2));
  for (int pass = 1; pass <= 2; ++pass) {
    Graph<double> graph;
    const StateDict<double> state(graph, parameters, "model.");
    const auto w = state.at("w");
    CHECK(graph.node(w.id).name == "model.w");
    CHECK(state.at("w").id == w.id);
    const auto square = attn::linear<double>(w, state.at("w"));
    graph.backward(square.id);
    state.add_gradients(parameters);
    CHECK((*parameters.at("w").gradient)(0, 0) == 4.0 * pass);
    CHECK(refusal([&] { state.at("v"); }) == "state_dict: \"v\" is missing, expected a parameter of this name");
    CHECK_FALSE(state.find("v").has_value());
    CHECK_FALSE(state.within("w").has("x"));
  }
  parameters.zero_grad();
  CHECK_FALSE(parameters.at("w").gradient.has_value());
}
