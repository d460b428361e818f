// Uses of attention and its parts.
#include "op_cases.hpp"
#include "op_draws.hpp"
#include "ops/add.hpp"
#include "ops/attention.hpp"
#include "ops/linear.hpp"
#include "ops/log_softmax.hpp"
#include "ops/mask.hpp"
#include "ops/matmul.hpp"
#include "ops/scale.hpp"
#include "ops/softmax.hpp"

namespace op_cases {
namespace {

using attn::Graph;
using attn::Shape;
using attn::Tensor;

template <typename T>
Tensor<T> batched_matmul(Graph<T>& graph, Draws& random) {
  const Shape batch = {size(random, 3), size(random, 3)};
  Shape a = narrowed(random, batch);
  Shape b = narrowed(random, batch);
  const std::size_t m = size(random, 9);
  a.insert(a.end(), {size(random, 6), m});
  b.insert(b.end(), {m, size(random, 6)});
  const Tensor<T> left = normal(graph, random, a);
  return attn::matmul(left, normal(graph, random, b));
}

template <typename T>
Tensor<T> attended(Graph<T>& graph, Draws& random, bool with_bias, bool with_keep,
                   attn::AttentionOptions<T> options = {}) {
  const Shape batch = {size(random, 2), size(random, 2)};
  const std::size_t queries = size(random, 11);
  const std::size_t keys = size(random, 10, 2);
  const std::size_t width = size(random);
  Shape query = narrowed(random, batch);
  Shape key = narrowed(random, batch);
  Shape value = narrowed(random, batch);
  query.insert(query.end(), {queries, width});
  key.insert(key.end(), {keys, width});
  value.insert(value.end(), {keys, size(random)});
  Shape lead(std::max({query.size(), key.size(), value.size()}) - 2, 1);
  for (const Shape& shape : {query, key, value})
    for (std::size_t i = 2; i < shape.size(); ++i)
      lead.end()[1 - static_cast<std::ptrdiff_t>(i)] =
          std::max(lead.end()[1 - static_cast<std::ptrdiff_t>(i)], shape.end()[-1 - static_cast<std::ptrdiff_t>(i)]);
  Shape scores = lead;
  scores.insert(scores.end(), {queries, keys});
  const Tensor<T> q = normal(graph, random, query);
  const Tensor<T> k = normal(graph, random, key);
  const Tensor<T> v = normal(graph, random, value);
  if (with_bias) options.bias = normal(graph, random, narrowed(random, scores));
  if (with_keep) options.keep = whole(graph, random, narrowed(random, scores), 2);
  return attn::attention(q, k, v, options);
}

}  // namespace

template <typename T>
void add_attention(std::vector<OpCase<T>>& cases) {
  cases.push_back({"matmul", "two matrices", [](Graph<T>& graph, Draws& random) {
                     const std::size_t m = size(random, 12);
                     const Tensor<T> a = normal(graph, random, {size(random, 9), m});
                     return attn::matmul(a, normal(graph, random, {m, size(random, 9)}));
                   }});
  cases.push_back({"matmul", "batches that broadcast", batched_matmul<T>});
  cases.push_back({"matmul", "a tensor with itself", [](Graph<T>& graph, Draws& random) {
                     const std::size_t n = size(random);
                     const Tensor<T> a = normal(graph, random, {n, n});
                     return attn::matmul(a, a);
                   }});
  cases.push_back({"linear", "with a bias", [](Graph<T>& graph, Draws& random) {
                     const std::size_t in = size(random, 10);
                     const std::size_t out = size(random, 6);
                     const Tensor<T> x = normal(graph, random, {size(random, 2), size(random, 6), in});
                     const Tensor<T> weight = normal(graph, random, {out, in});
                     return attn::linear(x, weight, normal(graph, random, {out}));
                   }});
  cases.push_back({"linear", "a vector without a bias", [](Graph<T>& graph, Draws& random) {
                     const std::size_t in = size(random);
                     const Tensor<T> x = normal(graph, random, {in});
                     return attn::linear(x, normal(graph, random, {size(random), in}));
                   }});
  cases.push_back({"add", "shapes that broadcast", [](Graph<T>& graph, Draws& random) {
                     const Shape shape = {size(random), size(random), size(random)};
                     const Tensor<T> a = normal(graph, random, narrowed(random, shape));
                     return attn::add(a, normal(graph, random, narrowed(random, shape)));
                   }});
  cases.push_back({"add", "a tensor to itself", [](Graph<T>& graph, Draws& random) {
                     const Tensor<T> a = normal(graph, random, {size(random)});
                     return attn::add(a, a);
                   }});
  cases.push_back({"scale", "by a factor", [](Graph<T>& graph, Draws& random) {
                     return attn::scale(normal(graph, random, {size(random), size(random)}), {.factor = -1.7});
                   }});
  cases.push_back({"scale", "by a divisor", [](Graph<T>& graph, Draws& random) {
                     return attn::scale(normal(graph, random, {}), {.divisor = 1.7});
                   }});
  cases.push_back({"mask", "with -infinity",
                   [](Graph<T>& graph, Draws& random) {
                     const Shape shape = {size(random), size(random), size(random)};
                     const Tensor<T> x = normal(graph, random, shape);
                     return attn::mask(x, whole(graph, random, narrowed(random, shape), 2));
                   },
                   false});
  cases.push_back({"mask", "with a number",
                   [](Graph<T>& graph, Draws& random) {
                     const Shape shape = {size(random), size(random)};
                     const Tensor<T> x = normal(graph, random, shape);
                     return attn::mask(x, whole(graph, random, shape, 2), -3);
                   },
                   false});
  for (int axis : {-1, 0, 1}) {
    cases.push_back({"softmax", "axis " + std::to_string(axis), [axis](Graph<T>& graph, Draws& random) {
                       return attn::softmax(
                           normal(graph, random, {size(random, 5, 2), size(random, 5, 2), size(random, 10, 2)}),
                           {.axis = axis, .empty_is_zero = axis == 0});
                     }});
    cases.push_back({"log_softmax", "axis " + std::to_string(axis), [axis](Graph<T>& graph, Draws& random) {
                       return attn::log_softmax(
                           normal(graph, random, {size(random, 5, 2), size(random, 5, 2), size(random, 10, 2)}), axis);
                     }});
  }
  cases.push_back(
      {"attention", "plain", [](Graph<T>& graph, Draws& random) { return attended<T>(graph, random, false, false); }});
  cases.push_back({"attention", "with a factor, a temperature and a bias",
                   [](Graph<T>& graph, Draws& random) {
                     attn::AttentionOptions<T> options;
                     options.factor = 0.3;
                     options.temperature = 2;
                     return attended<T>(graph, random, true, false, options);
                   },
                   false});
  cases.push_back({"attention", "causal",
                   [](Graph<T>& graph, Draws& random) {
                     attn::AttentionOptions<T> options;
                     options.causal = attn::Causal::top_left;
                     return attended<T>(graph, random, true, false, options);
                   },
                   false});
  cases.push_back({"attention", "causal from the last key, masked",
                   [](Graph<T>& graph, Draws& random) {
                     attn::AttentionOptions<T> options;
                     options.causal = attn::Causal::bottom_right;
                     return attended<T>(graph, random, false, true, options);
                   },
                   false});
  cases.push_back({"attention", "masked",
                   [](Graph<T>& graph, Draws& random) { return attended<T>(graph, random, false, true); }, false});
  cases.push_back({"attention", "masked with a number, with a bias",
                   [](Graph<T>& graph, Draws& random) {
                     attn::AttentionOptions<T> options;
                     options.divisor = 1.3;
                     options.fill = -0.5;
                     return attended<T>(graph, random, true, true, options);
                   },
                   false});
  describe(cases, "attention",
           {.why_unchanged = "a hidden key has no weight, and a bias of all keys of a query leaves their weights",
            .adds_many = true});
  describe(cases, "linear", {.adds_many = true});
  describe(cases, "log_softmax", {.adds_many = true});
  describe(
      cases, "mask",
      {.why_unchanged =
           "a hidden number gives the fill, and the mask changes a cell only where the number differs from the fill"});
  describe(cases, "matmul", {.adds_many = true});
  describe(cases, "softmax", {.adds_many = true});
}

template void add_attention(std::vector<OpCase<float>>&);
template void add_attention(std::vector<OpCase<double>>&);

}  // namespace op_cases
