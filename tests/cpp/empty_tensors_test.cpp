// The results of operations on tensors without cells, as NumPy and PyTorch give them.
#include <cmath>
#include <functional>
#include <limits>

#include <catch_amalgamated.hpp>

#include "ops/attention.hpp"
#include "ops/concat.hpp"
#include "ops/conv1d.hpp"
#include "ops/cosine_similarity.hpp"
#include "ops/cross_entropy.hpp"
#include "ops/embedding.hpp"
#include "ops/entropy.hpp"
#include "ops/histogram.hpp"
#include "ops/kl_divergence.hpp"
#include "ops/layer_norm.hpp"
#include "ops/linear.hpp"
#include "ops/matmul.hpp"
#include "ops/mean.hpp"
#include "ops/mse_loss.hpp"
#include "ops/patchify.hpp"
#include "ops/reshape.hpp"
#include "ops/sinusoidal.hpp"
#include "ops/softmax.hpp"
#include "ops/split_heads.hpp"
#include "ops/sum.hpp"

using attn::Graph;
using attn::Shape;
using attn::Tensor;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// The output of `build` in a graph whose number leaves contain only threes: its shape, and the number in every cell.
template <typename T>
struct Case {
  const char* what;
  std::function<Tensor<T>(const std::function<Tensor<T>(const Shape&)>&)> build;
  Shape shape;
  double cell = 0;  // where there are cells
};

template <typename T>
std::vector<Case<T>> cases() {
  using Leaf = std::function<Tensor<T>(const Shape&)>;
  const auto of_axis = [](int axis) { return attn::ReductionOptions{.axes = std::vector<int>{axis}}; };
  return {
      {"sum of nothing", [](const Leaf& x) { return attn::sum(x({0, 2})); }, {}, 0},
      {"sums along an axis without cells", [=](const Leaf& x) { return attn::sum(x({0, 2}), of_axis(0)); }, {2}, 0},
      {"sums of no rows", [=](const Leaf& x) { return attn::sum(x({0, 2}), of_axis(1)); }, {0}},
      {"mean of nothing", [](const Leaf& x) { return attn::mean(x({3, 0})); }, {}, kNaN},
      {"means along an axis without cells",
       [=](const Leaf& x) { return attn::mean(x({3, 0}), of_axis(1)); },
       {3},
       kNaN},
      {"product over no columns", [](const Leaf& x) { return attn::matmul(x({2, 0}), x({0, 3})); }, {2, 3}, 0},
      {"product of no rows", [](const Leaf& x) { return attn::matmul(x({0, 2}), x({2, 3})); }, {0, 3}},
      {"products of no batch", [](const Leaf& x) { return attn::matmul(x({0, 2, 2}), x({1, 2, 3})); }, {0, 2, 3}},
      {"linear of no features", [](const Leaf& x) { return attn::linear(x({2, 0}), x({4, 0}), x({4})); }, {2, 4}, 3},
      {"linear to no features", [](const Leaf& x) { return attn::linear(x({2, 3}), x({0, 3}), x({0})); }, {2, 0}},
      {"softmax along an axis without cells", [](const Leaf& x) { return attn::softmax(x({2, 0})); }, {2, 0}},
      {"layer_norm of rows without cells", [](const Leaf& x) { return attn::layer_norm(x({2, 0}), x({0})); }, {2, 0}},
      {"attention to no keys",
       [](const Leaf& x) { return attn::attention(x({2, 3}), x({0, 3}), x({0, 4})); },
       {2, 4},
       0},
      {"attention of no queries",
       [](const Leaf& x) { return attn::attention(x({0, 3}), x({2, 3}), x({2, 4})); },
       {0, 4}},
      // A score is 0 / sqrt(0), both in steps and fused.
      {"attention by no columns",
       [](const Leaf& x) { return attn::attention(x({2, 0}), x({2, 0}), x({2, 4})); },
       {2, 4},
       kNaN},
      {"attention in no head",
       [](const Leaf& x) { return attn::attention(x({0, 2, 3}), x({0, 2, 3}), x({0, 2, 4})); },
       {0, 2, 4}},
      {"conv1d over no channels",
       [](const Leaf& x) { return attn::conv1d(x({0, 5}), x({2, 0, 3}), x({2})); },
       {2, 3},
       3},
      {"conv1d of no batch", [](const Leaf& x) { return attn::conv1d(x({0, 2, 5}), x({2, 2, 3}), x({2})); }, {0, 2, 3}},
      {"entropy of no classes", [](const Leaf& x) { return attn::entropy(x({2, 0})); }, {2}, 0},
      {"cosine of rows without cells",
       [](const Leaf& x) { return attn::cosine_similarity(x({2, 0}), x({2, 0})); },
       {2},
       0},
      {"mean squared error of nothing", [](const Leaf& x) { return attn::mse_loss(x({0}), x({0})); }, {}, kNaN},
      {"summed squared error of nothing",
       [](const Leaf& x) { return attn::mse_loss(x({0}), x({0}), {.reduction = "sum"}); },
       {},
       0},
      {"divergence of no batch",
       [](const Leaf& x) { return attn::kl_divergence(x({0, 2}), x({0, 2}), {.reduction = "batchmean"}); },
       {},
       kNaN},
      {"cross entropy of no rows", [](const Leaf& x) { return attn::cross_entropy(x({0, 4}), x({0})); }, {}, kNaN},
      {"summed cross entropy of no rows",
       [](const Leaf& x) { return attn::cross_entropy(x({0, 4}), x({0}), {.reduction = "sum"}); },
       {},
       0},
      {"rows of no ids", [](const Leaf& x) { return attn::embedding(x({0, 2}), x({4, 3})); }, {0, 2, 3}},
      {"rows without columns", [](const Leaf& x) { return attn::embedding(x({2}), x({4, 0})); }, {2, 0}},
      {"concat with a part of nothing",
       [](const Leaf& x) { return attn::concat<T>({x({0, 2}), x({1, 2})}, 0); },
       {1, 2},
       3},
      {"reshape of nothing", [](const Leaf& x) { return attn::reshape(x({0, 2}), {5, 0}); }, {5, 0}},
      {"heads of rows without columns", [](const Leaf& x) { return attn::split_heads(x({3, 0}), 2); }, {2, 3, 0}},
      {"patches of an image without rows", [](const Leaf& x) { return attn::patchify(x({3, 0, 4}), {2, 2}); }, {0, 12}},
      {"patches of no channels", [](const Leaf& x) { return attn::patchify(x({0, 4, 4}), {2, 2}); }, {4, 0}},
      {"sines of no positions", [](const Leaf& x) { return attn::sinusoidal(x({0}), 6); }, {0, 6}},
  };
}

}  // namespace

TEMPLATE_TEST_CASE("Operations on tensors without cells give the results of NumPy and PyTorch", "", float, double) {
  using T = TestType;
  for (const Case<T>& test : cases<T>()) {
    INFO(test.what);
    Graph<T> graph;
    const Tensor<T> output = test.build([&](const Shape& shape) { return graph.leaf("", attn::full<T>(shape, T(3))); });
    CHECK(output.shape() == test.shape);
    REQUIRE(output.value().size() == attn::size_of(test.shape));
    for (const T cell : output.value()) {
      if (std::isnan(test.cell)) {
        CHECK(std::isnan(cell));
      } else {
        CHECK(cell == Catch::Approx(test.cell).margin(1e-12));
      }
    }
    graph.backward(output.id);
    for (std::size_t id = 0; id < output.id; ++id)
      if (graph.node(id).gradient) CHECK(attn::shape_of(*graph.node(id).gradient) == graph.node(id).shape);
  }
}
