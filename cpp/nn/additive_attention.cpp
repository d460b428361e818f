// Additive attention: "Neural Machine Translation by Jointly Learning to Align and Translate", section 3.1.
#include "nn/additive_attention.hpp"

#include <cmath>

#include "ops/add.hpp"
#include "ops/matmul.hpp"
#include "ops/reshape.hpp"
#include "ops/softmax.hpp"
#include "ops/tanh.hpp"

namespace attn {
namespace {

constexpr std::string_view kName = "additive_attention";

// Checks the shapes, except whether the leading axes broadcast: the ops check that.
void check(const Shape& query, const Shape& key, const Shape& value, const Shape& w_v) {
  if (query.size() < 2) refuse_shape(kName, "query", query, "at least 2 axes");
  if (key.size() < 2) refuse_shape(kName, "key", key, "at least 2 axes");
  if (value.size() < 2) refuse_shape(kName, "value", value, "at least 2 axes");
  if (value[value.size() - 2] != key[key.size() - 2]) {
    refuse_shape(kName, "value", value, std::to_string(key[key.size() - 2]) + " rows to match key " + to_string(key));
  }
  if (w_v.size() != 1) refuse_shape(kName, "w_v", w_v, "(h)");
}

void check_projection(const char* argument, const Shape& weight, const Shape& sequence, std::size_t hidden) {
  if (weight != Shape{sequence.back(), hidden}) {
    refuse_shape(kName, argument, weight, to_string({sequence.back(), hidden}));
  }
}

// The same numbers with an axis of size 1 inserted before the last `axes` axes.
template <typename T>
Tensor<T> with_axis(const Tensor<T>& x, std::size_t axes, std::string name) {
  Shape shape = x.shape();
  shape.insert(shape.end() - static_cast<std::ptrdiff_t>(axes), 1);
  return reshape(x, shape, std::move(name));
}

}  // namespace

ParameterSpecs additive_attention_parameters(std::size_t query_dim, std::size_t key_dim, std::size_t hidden_dim) {
  const auto initial = [](std::size_t rows) {
    return Initial{Initial::Kind::uniform, 1 / std::sqrt(static_cast<double>(rows))};
  };
  return {{"w_q", {query_dim, hidden_dim}, initial(query_dim)},
          {"w_k", {key_dim, hidden_dim}, initial(key_dim)},
          {"w_v", {hidden_dim}, initial(hidden_dim)}};
}

template <typename T>
AdditiveAttention<T> additive_attention(const Tensor<T>& query, const Tensor<T>& key, const Tensor<T>& value,
                                        const AdditiveAttentionParameters<T>& parameters,
                                        const AdditiveAttentionOptions<T>& options) {
  check(query.shape(), key.shape(), value.shape(), parameters.w_v.shape());
  const std::size_t hidden = parameters.w_v.shape()[0];
  check_projection("w_q", parameters.w_q.shape(), query.shape(), hidden);
  check_projection("w_k", parameters.w_k.shape(), key.shape(), hidden);
  const bool observe = query.graph->observe();
  const auto step_name = [&](const char* step) { return observe ? options.name + step : std::string(); };

  AdditiveAttention<T> steps;
  steps.query = matmul(query, parameters.w_q, step_name("Q"));
  steps.key = matmul(key, parameters.w_k, step_name("K"));
  // Combines every query with every key. Explanations show the projections and the output of tanh and pass over the
  // steps between them.
  Graph<T>& graph = *query.graph;
  const Tensor<T> queries = graph.pass_over(with_axis(steps.query, 1, step_name("Q_pairs")));
  const Tensor<T> keys = graph.pass_over(with_axis(steps.key, 2, step_name("K_pairs")));
  steps.sum = graph.pass_over(add(queries, keys, step_name("sum")));
  steps.hidden = tanh(steps.sum, step_name("hidden"));
  const Tensor<T> column = graph.pass_over(reshape(parameters.w_v, {hidden, 1}, step_name("w_v_column")));
  const Tensor<T> products = graph.pass_over(matmul(steps.hidden, column, step_name("score_columns")));
  Shape scores = products.shape();
  scores.pop_back();
  steps.scores = reshape(products, scores, step_name("scores"));
  Tensor<T> logits = steps.scores;
  if (options.mask) {
    if (!broadcasts_to(options.mask->tensor.shape(), scores)) {
      refuse_shape(kName, "mask", options.mask->tensor.shape(),
                   "one that broadcasts to the scores " + to_string(scores));
    }
    AttentionMask<T> mask = *options.mask;
    mask.name = step_name("masked");
    logits = apply_masks(logits, {mask});
    steps.masked = logits;
  }
  steps.weights = softmax(logits, {.axis = -1, .empty_is_zero = true}, step_name("weights"));
  steps.output =
      matmul(steps.weights, value, observe || !options.name.empty() ? options.name + "output" : std::string());
  return steps;
}

#define INSTANTIATE(T)                                                                                   \
  template AdditiveAttention<T> additive_attention(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&, \
                                                   const AdditiveAttentionParameters<T>&,                \
                                                   const AdditiveAttentionOptions<T>&)
INSTANTIATE(float);
INSTANTIATE(double);
#undef INSTANTIATE

}  // namespace attn
