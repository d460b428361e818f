// Learning-rate schedules, gradient clipping and test surfaces against known numbers.
#include "optim/schedule.hpp"

#include "golden.hpp"
#include "optim/clip_grad_norm.hpp"
#include "optim/test_surface.hpp"
#include "refused_call.hpp"

using attn::Array;
using attn::Graph;
using attn::Parameters;
using golden::Json;

namespace {}  // namespace

TEST_CASE("Schedules give the reference numbers") {
  for (const Json& test : golden::cases("schedule")) {
    const Json& params = test["params"].empty() ? test["inputs"] : test["params"];
    REQUIRE(params["schedule"] == "noam");
    const attn::NoamOptions options{.d_model = params["d_model"].get<std::size_t>(),
                                    .warmup = params["warmup"].get<std::uint64_t>(),
                                    .factor = params["factor"].get<double>()};
    Array<double> lr = attn::full<double>({params["steps"].size()}, 0);
    for (std::size_t i = 0; i < lr.size(); ++i)
      lr.data()[i] = attn::noam_lr(params["steps"][i].get<std::uint64_t>(), options);
    golden::check<double>(test, "lr", lr);
  }
  const attn::CosineOptions cosine{.lr = 0.4, .min_lr = 0.1, .steps = 4, .warmup = 2};
  const std::vector<double> expected = {0.2, 0.4, 0.4, 0.25 + 0.15 * std::sqrt(0.5), 0.25, 0.25 - 0.15 * std::sqrt(0.5),
                                        0.1, 0.1};
  for (std::size_t step = 0; step < expected.size(); ++step)
    CHECK(std::abs(attn::cosine_lr(step, cosine) - expected[step]) < 1e-15);
  CHECK(refusal([] { attn::noam_lr(0, {}); }) == "noam_lr: step is 0, expected at least 1");
  CHECK(refusal([] { attn::noam_lr(1, {.warmup = 0}); }) == "noam_lr: warmup is 0, expected at least 1");
  CHECK(refusal([] { attn::cosine_lr(1, {.steps = 0}); }) == "cosine_lr: steps is 0, expected at least 1");
}

TEST_CASE("Clipping scales all gradients together, and only when their norm is too large") {
  Parameters<double> parameters;
  parameters.add("a", attn::full<double>({2}, 1));
  parameters.add("b", attn::full<double>({}, 1));
  parameters.add("unused", attn::full<double>({3}, 1));
  Array<double> a = attn::full<double>({2}, 0);
  a(0) = 2;
  a(1) = -3;
  parameters.add_gradient("a", a);
  parameters.add_gradient("b", attn::full<double>({}, 6));
  CHECK(attn::clip_grad_norm(parameters, 8) == 7);
  CHECK((*parameters.at("a").gradient)(0) == 2);
  CHECK(attn::clip_grad_norm(parameters, 3.5) == 7);
  CHECK(std::abs((*parameters.at("a").gradient)(1) + 1.5) < 1e-6);
  CHECK(std::abs(attn::clip_grad_norm(parameters, 100) - 3.5) < 1e-6);
  CHECK_FALSE(parameters.at("unused").gradient.has_value());
  CHECK(refusal([&] { attn::clip_grad_norm(parameters, 0); }) ==
        "clip_grad_norm: max_norm is 0, expected a number above 0");
}

TEST_CASE("Test surfaces have their minima at the stated points") {
  Graph<double> graph;
  Array<double> points = attn::full<double>({3, 2}, 0);
  const std::vector<double> values = {1, 1, 3, 2, 0, 0};
  std::copy(values.begin(), values.end(), points.begin());
  const auto at = [&](const char* surface) { return attn::test_surface(graph.leaf("", points), surface).value(); };
  CHECK(at("rosenbrock")(0) == 0);
  CHECK(at("rosenbrock")(1) == 4 + 100 * 49);
  CHECK(at("bowl")(1) == (9 + 40) / 2.0);
  CHECK(at("saddle")(1) == 5);
  CHECK(at("himmelblau")(1) == 0);
  CHECK(at("himmelblau")(2) == 121 + 49);
  for (const std::string_view surface : attn::test_surfaces())
    CHECK_NOTHROW(attn::test_surface(graph.leaf("", points), surface));
  CHECK(refusal([&] { attn::test_surface(graph.leaf("", points), "cliff"); }) ==
        "test_surface: surface is \"cliff\", expected rosenbrock, bowl, saddle or himmelblau");
}
