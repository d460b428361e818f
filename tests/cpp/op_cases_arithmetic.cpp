// Uses of cell-by-cell arithmetic, activations, sums and normalisation.
#include <algorithm>

#include "op_cases.hpp"
#include "op_draws.hpp"
#include "ops/argmax.hpp"
#include "ops/conv1d.hpp"
#include "ops/divide.hpp"
#include "ops/dropout.hpp"
#include "ops/exp.hpp"
#include "ops/gelu.hpp"
#include "ops/layer_norm.hpp"
#include "ops/log.hpp"
#include "ops/log_sigmoid.hpp"
#include "ops/maximum.hpp"
#include "ops/mean.hpp"
#include "ops/minimum.hpp"
#include "ops/multiply.hpp"
#include "ops/relu.hpp"
#include "ops/sqrt.hpp"
#include "ops/subtract.hpp"
#include "ops/sum.hpp"
#include "ops/tanh.hpp"

namespace op_cases {
namespace {

using attn::Graph;
using attn::Shape;
using attn::Tensor;

template <typename T>
using Pair = Tensor<T> (*)(const Tensor<T>&, const Tensor<T>&, std::string);
template <typename T>
using Single = Tensor<T> (*)(const Tensor<T>&, std::string);

// `op` with shapes that broadcast; the second input stays away from 0, so that it can be a divisor.
template <typename T>
void add_pair(std::vector<OpCase<T>>& cases, const std::string& name, Pair<T> op,
              bool every_source_changes_cell = true) {
  cases.push_back({name, "shapes that broadcast",
                   [op](Graph<T>& graph, Draws& random) {
                     const Shape shape = {size(random), size(random), size(random)};
                     const Tensor<T> a = normal(graph, random, narrowed(random, shape));
                     return op(a, uniform(graph, random, narrowed(random, shape), 0.5, 2), "");
                   },
                   every_source_changes_cell});
  cases.push_back({name, "one shape",
                   [op](Graph<T>& graph, Draws& random) {
                     const Shape shape = {size(random), size(random)};
                     const Tensor<T> a = normal(graph, random, shape);
                     return op(a, uniform(graph, random, shape, -2, -0.5), "");
                   },
                   every_source_changes_cell});
}

template <typename T>
void add_single(std::vector<OpCase<T>>& cases, const std::string& name, Single<T> op, double low, double high,
                bool every_source_changes_cell = true) {
  cases.push_back({name, "every cell",
                   [op, low, high](Graph<T>& graph, Draws& random) {
                     return op(uniform(graph, random, {size(random), size(random)}, low, high), "");
                   },
                   every_source_changes_cell});
}

template <typename T>
void add_reductions(std::vector<OpCase<T>>& cases) {
  const std::vector<attn::ReductionOptions> uses = {{},
                                                    {.axes = std::vector<int>{-1}},
                                                    {.axes = std::vector<int>{2, 0}, .keepdim = true},
                                                    {.axes = std::vector<int>{}}};
  for (std::size_t use = 0; use < uses.size(); ++use) {
    const attn::ReductionOptions& options = uses[use];
    cases.push_back({"sum", "use " + std::to_string(use), [options](Graph<T>& graph, Draws& random) {
                       return attn::sum(normal(graph, random, {size(random), size(random, 9), size(random)}), options);
                     }});
    cases.push_back({"mean", "use " + std::to_string(use), [options](Graph<T>& graph, Draws& random) {
                       return attn::mean(normal(graph, random, {size(random), size(random, 9), size(random)}), options);
                     }});
  }
  cases.push_back(
      {"sum", "a scalar", [](Graph<T>& graph, Draws& random) { return attn::sum(normal(graph, random, {})); }});
}

// The position of the first largest number of the row: along the axis, or in row-major order.
double index_of_largest(const attn::Explanation& explanation) {
  const attn::Row& numbers = explanation.rows[0];
  const auto is_largest = [&](const attn::Operand& number) { return number.value == *numbers.value; };
  const auto largest = std::find_if(numbers.operands.begin(), numbers.operands.end(), is_largest);
  const auto axis = explanation.attributes.find("axis");
  if (axis != explanation.attributes.end())
    return static_cast<double>(largest->index[static_cast<std::size_t>(std::get<double>(axis->second))]);
  Shape shape = explanation.sources[0].to;
  for (std::size_t& last : shape) ++last;
  return static_cast<double>(attn::offset_of(shape, largest->index));
}

template <typename T>
void add_choices(std::vector<OpCase<T>>& cases) {
  const std::vector<attn::ArgmaxOptions> uses = {{}, {.axis = -1}, {.axis = 0, .keepdim = true}, {.keepdim = true}};
  for (const attn::ArgmaxOptions& options : uses) {
    const std::string over = options.axis ? "axis " + std::to_string(*options.axis) : "all cells";
    cases.push_back({"argmax", over + (options.keepdim ? ", kept" : ""),
                     [options](Graph<T>& graph, Draws& random) {
                       return attn::argmax(normal(graph, random, {size(random), size(random), size(random, 9)}),
                                           options);
                     },
                     false});
  }
  describe(cases, "argmax",
           {.why_unchanged = "a number that is not the largest may change and still not be the largest",
            .needs_cells = true,
            .recombine = index_of_largest});
}

template <typename T>
void add_layer_norms(std::vector<OpCase<T>>& cases) {
  for (bool unbiased : {false, true}) {
    const attn::LayerNormOptions options{.eps = 0.01, .unbiased = unbiased};
    const std::string kind = unbiased ? "unbiased" : "biased";
    cases.push_back({"layer_norm", kind + " with weight and bias", [options](Graph<T>& graph, Draws& random) {
                       const std::size_t n = size(random, 10, 3);
                       const Tensor<T> x = normal(graph, random, {size(random), size(random), n});
                       const Tensor<T> weight = normal(graph, random, {n});
                       return attn::layer_norm(x, weight, normal(graph, random, {n}), options);
                     }});
    cases.push_back({"layer_norm", kind + " without", [options](Graph<T>& graph, Draws& random) {
                       return attn::layer_norm(normal(graph, random, {size(random, 6, 3)}), {}, {}, options);
                     }});
  }
  cases.push_back({"layer_norm", "with a bias alone", [](Graph<T>& graph, Draws& random) {
                     const std::size_t n = size(random, 6, 3);
                     const Tensor<T> x = normal(graph, random, {size(random), n});
                     return attn::layer_norm(x, {}, normal(graph, random, {n}));
                   }});
}

template <typename T>
void add_convolutions(std::vector<OpCase<T>>& cases) {
  for (bool batched : {false, true}) {
    cases.push_back({"conv1d", batched ? "a batch" : "one sequence",
                     [batched](Graph<T>& graph, Draws& random) {
                       const std::size_t channels = size(random, 3);
                       const std::size_t out = size(random, 3);
                       Shape x = {size(random, 2), channels, size(random, 7, 3)};
                       if (!batched) x.erase(x.begin());
                       const Tensor<T> sequence = normal(graph, random, x);
                       const attn::Conv1dOptions options{.stride = size(random, 3),
                                                         .padding = static_cast<std::size_t>(random.randint(0, 4))};
                       const Tensor<T> weight = normal(graph, random, {out, channels, size(random, 3)});
                       if (!batched) return attn::conv1d(sequence, weight, {}, options);
                       return attn::conv1d(sequence, weight, normal(graph, random, {out}), options);
                     },
                     false});
  }
}

}  // namespace

template <typename T>
void add_arithmetic(std::vector<OpCase<T>>& cases) {
  add_pair<T>(cases, "subtract", attn::subtract<T>);
  add_pair<T>(cases, "multiply", attn::multiply<T>);
  add_pair<T>(cases, "divide", attn::divide<T>);
  add_pair<T>(cases, "minimum", attn::minimum<T>, false);
  add_pair<T>(cases, "maximum", attn::maximum<T>, false);
  cases.push_back({"multiply", "a tensor with itself", [](Graph<T>& graph, Draws& random) {
                     const Tensor<T> a = normal(graph, random, {size(random)});
                     return attn::multiply(a, a);
                   }});
  add_single<T>(cases, "exp", attn::exp<T>, -2, 2);
  add_single<T>(cases, "log", attn::log<T>, 0.2, 3);
  add_single<T>(cases, "sqrt", attn::sqrt<T>, 0.2, 3);
  add_single<T>(cases, "tanh", attn::tanh<T>, -2, 2);
  add_single<T>(cases, "log_sigmoid", attn::log_sigmoid<T>, -4, 4);
  add_single<T>(cases, "relu", attn::relu<T>, -2, 2, false);
  for (const char* variant : {"erf", "tanh"}) {
    cases.push_back({"gelu", variant, [variant](Graph<T>& graph, Draws& random) {
                       return attn::gelu(normal(graph, random, {size(random), size(random)}), {.variant = variant});
                     }});
  }
  cases.push_back({"dropout", "a third",
                   [](Graph<T>& graph, Draws& random) {
                     const Shape shape = {size(random), size(random)};
                     const Tensor<T> x = normal(graph, random, shape);
                     return attn::dropout(x, uniform(graph, random, shape, 0, 1), 1.0 / 3);
                   },
                   false});
  add_reductions(cases);
  add_choices(cases);
  add_layer_norms(cases);
  add_convolutions(cases);
  describe(cases, "conv1d", {.needs_cells = true});
  describe(cases, "dropout",
           {.why_unchanged = "a dropped number gives 0, and of a draw only whether it is above p matters"});
  describe(cases, "layer_norm", {.adds_many = true});
  describe(cases, "maximum", {.why_unchanged = "the smaller number stays the smaller"});
  describe(cases, "minimum", {.why_unchanged = "the larger number stays the larger"});
  describe(cases, "relu", {.why_unchanged = "a negative number gives 0, whatever it is"});
  describe(cases, "sum", {.adds_many = true});
}

template void add_arithmetic(std::vector<OpCase<float>>&);
template void add_arithmetic(std::vector<OpCase<double>>&);

}  // namespace op_cases
