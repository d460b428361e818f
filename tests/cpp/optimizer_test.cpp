// Optimizers against trajectories from PyTorch and the fit of a line by gradient descent.
#include <memory>

#include "golden.hpp"
#include "optim/adagrad.hpp"
#include "optim/adam.hpp"
#include "optim/rmsprop.hpp"
#include "optim/schedule.hpp"
#include "optim/sgd.hpp"
#include "optim/test_surface.hpp"
#include "refused_call.hpp"
#include "tensor/state_dict.hpp"

using attn::Array;
using attn::Graph;
using attn::Optimizer;
using attn::Parameters;
using attn::Shape;
using attn::StateDict;
using attn::Tensor;
using golden::Json;

namespace {

template <typename T>
std::unique_ptr<Optimizer<T>> optimizer_of(const Json& params) {
  const Json& hyper = params["hyper"];
  const std::string name = params["optimizer"].get<std::string>();
  const auto number = [&](const char* key, double otherwise) { return hyper.value(key, otherwise); };
  if (name == "sgd" || name == "mini_sgd" || name == "mini_momentum") {
    const attn::SgdOptions defaults = name == "mini_momentum" ? attn::kTextbookMomentum : attn::SgdOptions{};
    return std::make_unique<attn::Sgd<T>>(attn::SgdOptions{.lr = number("lr", defaults.lr),
                                                           .momentum = number("momentum", defaults.momentum),
                                                           .dampening = number("dampening", 0),
                                                           .weight_decay = number("weight_decay", 0),
                                                           .nesterov = hyper.value("nesterov", false)});
  }
  if (name == "adagrad" || name == "mini_adagrad") {
    const attn::AdagradOptions defaults = name == "mini_adagrad" ? attn::kTextbookAdagrad : attn::AdagradOptions{};
    return std::make_unique<attn::Adagrad<T>>(
        attn::AdagradOptions{.lr = number("lr", defaults.lr),
                             .lr_decay = number("lr_decay", 0),
                             .weight_decay = number("weight_decay", 0),
                             .initial_accumulator_value = number("initial_accumulator_value", 0),
                             .eps = number("eps", defaults.eps)});
  }
  if (name == "rmsprop" || name == "mini_rmsprop") {
    const attn::RmspropOptions defaults = name == "mini_rmsprop" ? attn::kTextbookRmsprop : attn::RmspropOptions{};
    return std::make_unique<attn::Rmsprop<T>>(attn::RmspropOptions{.lr = number("lr", defaults.lr),
                                                                   .alpha = number("alpha", defaults.alpha),
                                                                   .eps = number("eps", defaults.eps),
                                                                   .weight_decay = number("weight_decay", 0),
                                                                   .momentum = number("momentum", 0),
                                                                   .centered = hyper.value("centered", false)});
  }
  attn::AdamOptions options;
  if (name == "adamw") options = attn::kAdamW;
  if (name == "mini_adam") options = attn::kTextbookAdam;
  if (name == "noam_adam") options = attn::kPaperAdam;
  options.lr = number("lr", options.lr);
  options.beta1 = hyper.contains("betas") ? hyper["betas"][0].get<double>() : number("beta1", options.beta1);
  options.beta2 = hyper.contains("betas") ? hyper["betas"][1].get<double>() : number("beta2", options.beta2);
  options.eps = number("eps", options.eps);
  options.weight_decay = number("weight_decay", options.weight_decay);
  options.amsgrad = hyper.value("amsgrad", false);
  return std::make_unique<attn::Adam<T>>(options);
}

// A problem of the golden files: linear regression has the parameters "w" and "b", the others have "p".
template <typename T>
struct Problem {
  explicit Problem(const Json& test) : test(test), kind(test["params"]["problem"].get<std::string>()) {
    const Array<T> start = golden::array<T>(test["inputs"]["start"]);
    if (kind == "linear") {
      parameters.add("w", attn::full<T>({}, start.data()[0]));
      parameters.add("b", attn::full<T>({}, start.data()[1]));
    } else {
      parameters.add("p", start);
    }
  }

  // Returns the loss before the update; leaves the gradients on the parameters.
  T loss() {
    Graph<T> graph;
    const StateDict<T> state(graph, parameters);
    Tensor<T> loss;
    if (kind == "linear") {
      Array<T> y = attn::arange<T>(5);
      for (T& cell : y) cell = 2 * cell + 1;
      loss = attn::line_fit_loss(state.at("w"), state.at("b"), graph.leaf("x", attn::arange<T>(5)), graph.leaf("y", y));
    } else if (kind == "rosenbrock") {
      loss = attn::test_surface(state.at("p"), "rosenbrock");
    } else {
      REQUIRE(kind == "quadratic");
      loss = attn::quadratic_loss(state.at("p"), graph.leaf("c", golden::array<T>(test["inputs"]["c"])));
    }
    graph.backward(loss.id);
    parameters.zero_grad();
    state.add_gradients(parameters);
    return loss.value().data()[0];
  }

  std::vector<T> values() const {
    std::vector<T> all;
    for (const auto& parameter : parameters.list())
      all.insert(all.end(), parameter.value.begin(), parameter.value.end());
    return all;
  }
  std::vector<T> gradients() const {
    std::vector<T> all;
    for (const auto& parameter : parameters.list())
      all.insert(all.end(), parameter.gradient->begin(), parameter.gradient->end());
    return all;
  }

  const Json& test;
  std::string kind;
  Parameters<T> parameters;
};

template <typename T>
Array<T> stacked(const std::vector<std::vector<T>>& rows) {
  Array<T> array = attn::full<T>({rows.size(), rows[0].size()}, T(0));
  for (std::size_t i = 0; i < array.size(); ++i) array.data()[i] = rows[i / rows[0].size()][i % rows[0].size()];
  return array;
}

}  // namespace

TEMPLATE_TEST_CASE("Optimizers follow PyTorch's trajectories", "", float, double) {
  using T = TestType;
  for (const Json& test : golden::cases("optimizers")) {
    INFO(test["name"].get<std::string>());
    const Json& params = test["params"];
    Problem<T> problem(test);
    const std::unique_ptr<Optimizer<T>> optimizer = optimizer_of<T>(params);
    std::vector<std::vector<T>> trajectory = {problem.values()};
    std::vector<T> losses;
    std::vector<std::vector<T>> gradients;
    for (std::size_t step = 1; step <= params["steps"].get<std::size_t>(); ++step) {
      if (params["optimizer"] == "noam_adam") {
        const Json& hyper = params["hyper"];
        optimizer->set_lr(attn::noam_lr(step, {.d_model = hyper["d"].get<std::size_t>(),
                                               .warmup = hyper["w"].get<std::uint64_t>(),
                                               .factor = hyper["f"].get<double>()}));
      }
      losses.push_back(problem.loss());
      gradients.push_back(problem.gradients());
      optimizer->step(problem.parameters);
      trajectory.push_back(problem.values());
    }
    if (params.contains("report_after_step") || params["hyper"].contains("report_after_step")) {
      const Json& steps =
          params.contains("report_after_step") ? params["report_after_step"] : params["hyper"]["report_after_step"];
      std::vector<std::vector<T>> reported;
      Array<T> reported_losses = attn::full<T>({steps.size()}, T(0));
      for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto step = steps[i].get<std::size_t>();
        reported.push_back(trajectory[step + 1]);
        reported_losses.data()[i] = losses[step];
      }
      golden::check<T>(test, "reported_params", stacked(reported));
      golden::check<T>(test, "reported_losses", reported_losses);
      continue;
    }
    Array<T> all_losses = attn::full<T>({losses.size()}, T(0));
    std::copy(losses.begin(), losses.end(), all_losses.begin());
    golden::check<T>(test, "trajectory", stacked(trajectory));
    golden::check<T>(test, "losses", all_losses);
    golden::check<T>(test, "grads", stacked(gradients));
  }
}

TEST_CASE("Gradient descent fits a line in 100 steps") {
  for (const Json& test : golden::cases("seed_examples")) {
    if (test["name"] != "blog_linear_fit") continue;
    Json problem_case = test;
    problem_case["params"]["problem"] = "linear";
    Problem<double> problem(problem_case);
    attn::Sgd<double> optimizer({.lr = 0.01});
    std::vector<std::vector<double>> lines;
    std::vector<double> losses;
    for (int step = 0; step < 100; ++step) {
      const double loss = problem.loss();
      optimizer.step(problem.parameters);
      if (step % 20 == 0) {
        lines.push_back(problem.values());
        losses.push_back(loss);
      }
    }
    Array<double> all = attn::full<double>({losses.size()}, 0);
    std::copy(losses.begin(), losses.end(), all.begin());
    for (const char* key : {"params", "printed_params"}) golden::check<double>(test, key, stacked(lines));
    for (const char* key : {"losses", "printed_losses"}) golden::check<double>(test, key, all);
    return;
  }
  FAIL("no case blog_linear_fit");
}

TEST_CASE("An optimizer changes parameters with a gradient, keeps their state by name, and clears their origin") {
  Parameters<double> parameters;
  parameters.draw(
      {{"moved", {2}, {.kind = attn::Initial::Kind::normal}}, {"left", {2}, {.kind = attn::Initial::Kind::normal}}}, 1);
  const Array<double> left = parameters.at("left").value;
  parameters.add_gradient("moved", attn::full<double>({2}, 1));
  attn::Adam<double> adam({.lr = 0.1});
  adam.step(parameters);
  adam.step(parameters);
  CHECK(parameters.at("left").value == left);
  CHECK(parameters.at("left").origin.at("kind") == attn::Attribute("draw"));
  CHECK(parameters.at("moved").origin.at("kind") == attn::Attribute("literal"));
  REQUIRE(adam.state(parameters).size() == 1);
  CHECK(adam.state(parameters).at("moved").step == 2);
  CHECK(std::abs(adam.state(parameters).at("moved").buffers.at("exp_avg")(0) - 0.19) < 1e-15);
}

TEST_CASE("Optimizers refuse invalid settings and parameters") {
  CHECK(refusal([] { attn::Sgd<double>({.lr = -1}); }) == "sgd: lr is -1, expected a number from 0 up");
  CHECK(refusal([] { attn::Sgd<double>({.momentum = -0.1}); }) == "sgd: momentum is -0.1, expected a number from 0 up");
  CHECK(refusal([] { attn::Sgd<double>({.nesterov = true}); }) ==
        "sgd: momentum is 0, expected a number above 0 with nesterov");
  CHECK(refusal([] { attn::Sgd<double>({.momentum = 0.9, .dampening = 0.5, .nesterov = true}); }) ==
        "sgd: dampening is 0.5, expected 0 with nesterov");
  CHECK(refusal([] { attn::Adagrad<double>({.eps = std::nan("")}); }) ==
        "adagrad: eps is nan, expected a number from 0 up");
  CHECK(refusal([] { attn::Rmsprop<double>({.alpha = 1.5}); }) ==
        "rmsprop: alpha is 1.5, expected a number from 0 to 1");
  CHECK(refusal([] { attn::Adam<double>({.beta1 = 1}); }) == "adam: beta1 is 1, expected a number from 0 to below 1");
  CHECK(refusal([] { attn::Adam<double>({.weight_decay = -1}); }) ==
        "adam: weight_decay is -1, expected a number from 0 up");
  attn::Adam<double> adam({});
  CHECK(refusal([&] { adam.set_lr(std::numeric_limits<double>::infinity()); }) ==
        "adam: lr is inf, expected a number from 0 up");
  attn::AdamOptions adamw = attn::kAdamW;
  adamw.eps = -1;
  CHECK(refusal([&] { attn::Adam<double>{adamw}; }) == "adamw: eps is -1, expected a number from 0 up");
}

TEST_CASE("A step that is refused changes nothing") {
  Parameters<double> parameters;
  for (const char* name : {"first", "second"}) {
    parameters.add(name, attn::full<double>({2}, 1));
    parameters.add_gradient(name, attn::full<double>({2}, 1));
  }
  attn::Adam<double> adam({});
  adam.step(parameters);
  const Array<double> first = parameters.at("first").value;
  parameters.list()[1].gradient = attn::full<double>({3}, 1);
  CHECK(refusal([&] { adam.step(parameters); }) ==
        "adam: gradient of \"second\" has shape (3,), expected (2,), the shape of the parameter");
  parameters.list()[1].gradient = attn::full<double>({3}, 1);
  parameters.list()[1].value = attn::full<double>({3}, 1);
  CHECK(refusal([&] { adam.step(parameters); }) ==
        "adam: exp_avg of \"second\" has shape (2,), expected (3,), the shape of the parameter");
  CHECK(parameters.at("first").value == first);
  CHECK(adam.state(parameters).at("first").step == 1);
}

TEST_CASE("Parameters of the same names in different owners have separate states, which are freed with their owner") {
  const auto parameters_with = [](double gradient) {
    Parameters<double> parameters;
    parameters.add("weight", attn::full<double>({1}, 1));
    parameters.add_gradient("weight", attn::full<double>({1}, gradient));
    return parameters;
  };
  // The result of one optimizer for each owner.
  const auto single_step_result = [&](double gradient) {
    Parameters<double> parameters = parameters_with(gradient);
    attn::Adam<double> adam({.lr = 0.1});
    for (int step = 0; step < 3; ++step) adam.step(parameters);
    return parameters.at("weight").value(0);
  };
  Parameters<double> one = parameters_with(1);
  std::optional<Parameters<double>> other = parameters_with(-50);
  attn::Adam<double> adam({.lr = 0.1});
  const std::size_t before = attn::live_bytes;
  for (int step = 0; step < 3; ++step) {
    adam.step(one);
    adam.step(*other);
  }
  CHECK(one.at("weight").value(0) == single_step_result(1));
  CHECK(other->at("weight").value(0) == single_step_result(-50));
  CHECK(adam.state(*other).at("weight").step == 3);
  CHECK(adam.state(parameters_with(1)).empty());
  // Two moments of one number were stored for each of the two.
  CHECK(attn::live_bytes == before + 4 * sizeof(double));
  other.reset();
  adam.step(one);
  CHECK(attn::live_bytes == before + 2 * sizeof(double) - 2 * sizeof(double));
}

TEST_CASE("The variance of a centred RMSProp is never below 0") {
  // The same gradient at every step has variance 0 except for rounding, which may make it positive or negative.
  Parameters<double> parameters;
  attn::Rmsprop<double> rmsprop({.lr = 0.001, .centered = true});
  for (const double gradient : {0.1, 0.3, 0.7}) {
    const std::string name = std::to_string(gradient);
    parameters.add(name, attn::full<double>({1}, 1));
    parameters.add_gradient(name, attn::full<double>({1}, gradient));
  }
  for (int step = 0; step < 6000; ++step) rmsprop.step(parameters);
  std::size_t negative = 0;
  for (const auto& [name, state] : rmsprop.state(parameters)) {
    const double mean = state.buffers.at("grad_avg")(0);
    negative += state.buffers.at("square_avg")(0) < mean * mean;
    CHECK(std::isfinite(parameters.at(name).value(0)));
  }
  CHECK(negative > 0);
}

TEST_CASE("A step without any gradient is refused and stores no state") {
  Parameters<double> parameters;
  parameters.add("weight", attn::full<double>({1}, 1));
  attn::Adam<double> adam({});
  CHECK(refusal([&] { adam.step(parameters); }) ==
        "adam: gradient is missing for every parameter, expected the gradients of a backward, added before the step");
  CHECK(adam.state(parameters).empty());
  Graph<double> graph;
  graph.parameter("weight", attn::full<double>({1}, 1), {{"kind", "literal"}});
  CHECK(refusal([&] { adam.step(graph); }) ==
        "adam: gradient is missing for every parameter, expected the gradients of a backward before the step");
}

TEST_CASE("A loaded state continues where it was read, and is refused where it does not fit") {
  const auto initial_parameters = [] {
    Parameters<double> parameters;
    parameters.add("weight", attn::full<double>({2}, 1));
    parameters.add_gradient("weight", attn::full<double>({2}, 0.3));
    return parameters;
  };
  Parameters<double> uninterrupted = initial_parameters();
  attn::Rmsprop<double> first({.momentum = 0.9, .centered = true});
  for (int step = 0; step < 2; ++step) first.step(uninterrupted);
  Parameters<double> resumed = initial_parameters();
  resumed.set("weight", uninterrupted.at("weight").value);
  attn::Rmsprop<double> second({.momentum = 0.9, .centered = true});
  second.load_state(resumed, first.state(uninterrupted));
  first.step(uninterrupted);
  second.step(resumed);
  CHECK(resumed.at("weight").value == uninterrupted.at("weight").value);

  attn::Rmsprop<double>::States states = first.state(uninterrupted);
  states["weight"].buffers.erase("grad_avg");
  CHECK(
      refusal([&] { second.load_state(resumed, states); }) ==
      "rmsprop: buffers of \"weight\" is momentum_buffer, square_avg, expected grad_avg, momentum_buffer, square_avg");
  states = first.state(uninterrupted);
  states["weight"].buffers.at("grad_avg") = attn::full<double>({3}, 1);
  CHECK(refusal([&] { second.load_state(resumed, states); }) ==
        "rmsprop: grad_avg of \"weight\" has shape (3,), expected (2,), the shape of the parameter");
  CHECK(refusal([&] { second.load_state(resumed, {{"other", {}}}); }) ==
        "rmsprop: name is \"other\", expected the name of a parameter");
  CHECK(second.state(resumed).at("weight").step == 3);
}

TEST_CASE("The shapes of states are checked, and their memory is granted, before they are read") {
  const attn::Adam<float> adam({});
  const attn::Adam<float>::StateShapes shapes{{"weight", {{"exp_avg", {100}}, {"exp_avg_sq", {100}}}}};
  Parameters<float> narrow(2000);
  narrow.add("weight", attn::full<float>({100}, 1));
  CHECK_THROWS_AS(adam.check_load(narrow, shapes, "loadState"), attn::MemoryError);
  CHECK_THROWS_WITH(adam.check_load(narrow, shapes, "loadState"), Catch::Matchers::StartsWith("loadState"));
  Parameters<float> wide;
  wide.add("weight", attn::full<float>({100}, 1));
  CHECK_NOTHROW(adam.check_load(wide, shapes, "loadState"));
  CHECK(refusal([&] { adam.check_load(wide, {{"weight", {}}}, "loadState"); }) ==
        "adam: buffers of \"weight\" is none, expected exp_avg, exp_avg_sq");
  CHECK(refusal([&] {
          adam.check_load(wide, {{"weight", {{"exp_avg", {100}}, {"exp_avg_sq", {99}}}}}, "loadState");
        }) == "adam: exp_avg_sq of \"weight\" has shape (99,), expected (100,), the shape of the parameter");

  Graph<float> graph({.max_bytes = 1000});
  graph.parameter("weight", attn::full<float>({100}, 1));
  CHECK_THROWS_AS(adam.check_load(graph, shapes, "loadState"), attn::MemoryError);
}

TEST_CASE("The present state counts as memory until the loaded one replaces it") {
  attn::Adam<float> adam({});
  const attn::Adam<float>::StateShapes shapes{{"weight", {{"exp_avg", {1000}}, {"exp_avg_sq", {1000}}}}};
  // A weight and its gradient take 8000 bytes, and so do two buffers.
  Parameters<float> parameters(8000 + 12000 + attn::kOverheadBytes);
  parameters.add("weight", attn::full<float>({1000}, 1));
  parameters.add_gradient("weight", attn::full<float>({1000}, 1));
  CHECK_NOTHROW(adam.check_load(parameters, shapes, "loadState"));
  adam.step(parameters);
  CHECK_THROWS_AS(adam.check_load(parameters, shapes, "loadState"), attn::MemoryError);

  Graph<float> graph({.max_bytes = 8000 + 12000});
  const attn::Tensor<float> weight = graph.parameter("weight", attn::full<float>({1000}, 1));
  graph.backward(weight.id);
  CHECK_NOTHROW(adam.check_load(graph, shapes, "loadState"));
  adam.step(graph);
  CHECK_THROWS_AS(adam.check_load(graph, shapes, "loadState"), attn::MemoryError);
}
