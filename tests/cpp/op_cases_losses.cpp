// Uses of losses and of operations that compare or count.
#include "op_cases.hpp"
#include "op_draws.hpp"
#include "ops/cosine_similarity.hpp"
#include "ops/cross_entropy.hpp"
#include "ops/entropy.hpp"
#include "ops/histogram.hpp"
#include "ops/kl_divergence.hpp"
#include "ops/mse_loss.hpp"

namespace op_cases {
namespace {

using attn::CrossEntropyOptions;
using attn::Graph;
using attn::Shape;
using attn::Tensor;

// Class ids, some of them ignored; or probabilities (not normalised, which the formulas do not require).
template <typename T>
OpCase<T> against(const std::string& use, bool ids, bool weighted, const CrossEntropyOptions& options,
                  bool every_source_changes_cell = true) {
  return {"cross_entropy", use,
          [=](Graph<T>& graph, Draws& random) {
            const std::size_t classes = size(random, 9, 2);
            Shape rows = {size(random), size(random, 3)};
            if (random.randint(0, 2) == 0) rows.pop_back();
            Shape all = rows;
            all.push_back(classes);
            const Tensor<T> logits = normal(graph, random, all);
            bool first = true;
            const Tensor<T> target =
                ids ? drawn(graph, rows,
                            [&] {
                              const bool ignored = !first && options.ignore_index >= 0 && random.randint(0, 3) == 0;
                              first = false;
                              return ignored ? options.ignore_index
                                             : static_cast<double>(random.randint(
                                                   0, std::max<std::int64_t>(1, static_cast<std::int64_t>(classes))));
                            })
                    : uniform(graph, random, all, 0.1, 1);
            if (!weighted) return attn::cross_entropy(logits, target, options);
            return attn::cross_entropy(logits, target, options, uniform(graph, random, {classes}, 0.5, 2));
          },
          every_source_changes_cell};
}

template <typename T>
void add_cross_entropies(std::vector<OpCase<T>>& cases) {
  cases.push_back(against<T>("classes, none", true, false, {.reduction = "none"}));
  cases.push_back(against<T>("classes, mean", true, false, {}));
  cases.push_back(against<T>("weighted classes, none", true, true, {.reduction = "none"}));
  cases.push_back(against<T>("weighted classes, mean, some ignored", true, true, {.ignore_index = 7}, false));
  cases.push_back(
      against<T>("smoothed over all, none, weighted", true, true, {.reduction = "none", .label_smoothing = 0.2}));
  cases.push_back(against<T>("smoothed over the others, sum", true, false,
                             {.reduction = "sum", .label_smoothing = 0.3, .spread = "others"}, false));
  cases.push_back(against<T>("smoothed over the others, none, some ignored", true, false,
                             {.reduction = "none", .ignore_index = 9, .label_smoothing = 0.3, .spread = "others"},
                             false));
  cases.push_back(against<T>("probabilities, none", false, false, {.reduction = "none"}));
  cases.push_back(against<T>("probabilities, mean, smoothed, weighted", false, true, {.label_smoothing = 0.1}));
  cases.push_back(against<T>("probabilities, none, smoothed over the others", false, true,
                             {.reduction = "none", .label_smoothing = 0.1, .spread = "others"}));
}

}  // namespace

template <typename T>
void add_losses(std::vector<OpCase<T>>& cases) {
  add_cross_entropies(cases);
  for (const char* reduction : {"mean", "batchmean", "sum", "none"}) {
    cases.push_back({"kl_divergence", reduction, [reduction](Graph<T>& graph, Draws& random) {
                       const Shape shape = {size(random), size(random, 3)};
                       const Tensor<T> input = normal(graph, random, shape);
                       return attn::kl_divergence(input, uniform(graph, random, shape, 0.1, 1),
                                                  {.reduction = reduction});
                     }});
  }
  for (const char* reduction : {"mean", "sum", "none"}) {
    cases.push_back({"mse_loss", reduction, [reduction](Graph<T>& graph, Draws& random) {
                       const Shape shape = {size(random), size(random, 3)};
                       const Tensor<T> input = normal(graph, random, shape);
                       return attn::mse_loss(input, normal(graph, random, shape), {.reduction = reduction});
                     }});
  }
  cases.push_back({"cosine_similarity", "rows that broadcast", [](Graph<T>& graph, Draws& random) {
                     const Shape rows = {size(random, 3), size(random, 3)};
                     Shape a = narrowed(random, rows);
                     Shape b = narrowed(random, rows);
                     const std::size_t width = size(random, 8, 2);
                     a.push_back(width);
                     b.push_back(width);
                     const Tensor<T> left = normal(graph, random, a);
                     return attn::cosine_similarity(left, normal(graph, random, b));
                   }});
  cases.push_back({"entropy", "rows", [](Graph<T>& graph, Draws& random) {
                     return attn::entropy(
                         uniform(graph, random, {size(random), size(random), size(random, 9)}, 0.05, 1));
                   }});
  cases.push_back({"histogram", "edges one apart",
                   [](Graph<T>& graph, Draws& random) {
                     const Tensor<T> x = normal(graph, random, {size(random), size(random, 9)});
                     double edge = -2.6;
                     return attn::histogram(x, drawn(graph, {size(random, 6, 2)}, [&] { return ++edge; }));
                   },
                   false});
  describe(cases, "cosine_similarity", {.adds_many = true});
  describe(cases, "cross_entropy",
           {.why_unchanged = "an ignored row has no loss, and the weight of a class that no row has is not used",
            .needs_cells = true,
            .adds_many = true});
  describe(cases, "entropy", {.adds_many = true});
  describe(cases, "histogram",
           {.why_unchanged = "a number may stay in its bin, and an edge may move without passing a number",
            .needs_cells = true,
            .adds_many = true});
  describe(cases, "kl_divergence", {.adds_many = true});
  describe(cases, "mean", {.adds_many = true});
  describe(cases, "mse_loss", {.adds_many = true});
}

template void add_losses(std::vector<OpCase<float>>&);
template void add_losses(std::vector<OpCase<double>>&);

}  // namespace op_cases
