// Scaled dot-product attention: "Attention Is All You Need", section 3.2.1.
#include "nn/scaled_dot_product_attention.hpp"

#include "ops/attention.hpp"
#include "ops/matmul.hpp"
#include "ops/scale.hpp"
#include "ops/softmax.hpp"
#include "ops/transpose.hpp"

namespace attn {
namespace {

constexpr std::string_view kName = "scaled_dot_product_attention";

// The shape of the scores, after checking that query, key and value fit together.
Shape scores_shape(const Shape& query, const Shape& key, const Shape& value) {
  if (query.size() < 2) refuse_shape(kName, "query", query, "at least 2 axes");
  if (key.size() < 2) refuse_shape(kName, "key", key, "at least 2 axes");
  if (value.size() < 2) refuse_shape(kName, "value", value, "at least 2 axes");
  if (key.back() != query.back()) {
    refuse_shape(kName, "key", key, std::to_string(query.back()) + " columns to match query " + to_string(query));
  }
  const std::size_t keys = key[key.size() - 2];
  if (value[value.size() - 2] != keys) {
    refuse_shape(kName, "value", value, std::to_string(keys) + " rows to match key " + to_string(key));
  }
  Shape scores = broadcast(leading_axes(query), leading_axes(key), kName, "leading axes of key");
  broadcast(scores, leading_axes(value), kName, "leading axes of value");
  scores.push_back(query[query.size() - 2]);
  scores.push_back(keys);
  return scores;
}

void check_mask(const std::string& argument, const Shape& mask, const Shape& scores) {
  if (!broadcasts_to(mask, scores)) {
    refuse_shape(kName, argument, mask, "one that broadcasts to the scores " + to_string(scores));
  }
}

}  // namespace

template <typename T>
ScaledDotProductAttention<T> scaled_dot_product_attention(const Tensor<T>& query, const Tensor<T>& key,
                                                          const Tensor<T>& value,
                                                          const ScaledDotProductAttentionOptions<T>& options) {
  Graph<T>& graph = *query.graph;
  const Shape scores = scores_shape(query.shape(), key.shape(), value.shape());
  if (options.mask) check_mask("mask", options.mask->tensor.shape(), scores);
  if (options.key_mask) check_mask("key mask", options.key_mask->tensor.shape(), scores);
  if (options.temperature && !(*options.temperature > 0)) {
    refuse_option(kName, "temperature", format_number(*options.temperature), "a number above 0");
  }

  const bool observe = graph.observe();
  const auto step_name = [&](const char* step) { return observe ? options.name + step : std::string(); };
  const std::string output_name = observe || !options.name.empty() ? options.name + options.output_name : std::string();

  const bool fused = !observe && options.dropout.p == 0;
  // The kernel skips the keys that the causal rule hides. It may do so unless the key mask, which is applied later,
  // would replace their score -infinity by a finite fill.
  const bool key_mask_keeps_hidden = !options.key_mask || options.key_mask->kind == AttentionMask<T>::Kind::add ||
                                     options.key_mask->fill == -std::numeric_limits<double>::infinity();
  const bool uses_causal_kernel = fused && key_mask_keeps_hidden;

  const auto masks_with = [&](bool causal) {
    std::vector<AttentionMask<T>> masks;
    if (options.mask) {
      masks.push_back(*options.mask);
      masks.back().name = step_name("masked_by_mask");
    }
    if (causal && options.causal != Causal::none) {
      const std::size_t queries = scores[scores.size() - 2];
      masks.push_back({causal_mask(graph, options.causal, queries, scores.back(), step_name("causal"))});
      masks.back().name = step_name("masked_by_causal");
    }
    if (options.key_mask) masks.push_back(*options.key_mask);
    if (!masks.empty()) masks.back().name = step_name("masked");
    return masks;
  };
  std::vector<AttentionMask<T>> masks = masks_with(!uses_causal_kernel);

  const std::size_t width = query.shape().back();
  ScaleOptions scaling;
  if (options.scale) {
    scaling.factor = options.scale;
  } else if (width > 0) {
    scaling.sqrt_divisor = static_cast<double>(width);
  } else {
    scaling.factor = 1;
  }

  if (fused) {
    if (const std::optional<FusedMask<T>> mask = fuse_masks(masks)) {
      const AttentionOptions<T> settings{.bias = mask->bias,
                                         .keep = mask->keep,
                                         .fill = mask->fill,
                                         .causal = uses_causal_kernel ? options.causal : Causal::none,
                                         .factor = options.unscaled ? 1 : scaling.factor,
                                         .divisor = {},
                                         .temperature = options.temperature};
      return {.output = attention(query, key, value, settings, output_name)};
    }
  }

  if (uses_causal_kernel) masks = masks_with(true);
  ScaledDotProductAttention<T> steps;
  steps.key_transposed = transpose(key, {}, step_name("K_T"));
  steps.scores = matmul(query, *steps.key_transposed, step_name("scores"));
  Tensor<T> logits = *steps.scores;
  if (!options.unscaled) {
    logits = scale(logits, scaling, step_name("scaled"));
    steps.scaled = logits;
  }
  if (options.temperature) {
    logits = scale(logits, {.divisor = options.temperature}, step_name("tempered"));
    steps.tempered = logits;
  }
  if (!masks.empty()) {
    logits = apply_masks(logits, masks);
    steps.masked = logits;
  }
  steps.weights = softmax(logits, {.axis = -1, .empty_is_zero = true}, step_name("weights"));
  Tensor<T> weights = *steps.weights;
  if (options.dropout.p != 0) {
    weights = dropout(weights, options.dropout, step_name("dropped"));
    steps.dropped = weights;
  }
  steps.output = matmul(weights, value, output_name);
  return steps;
}

template ScaledDotProductAttention<float> scaled_dot_product_attention(const Tensor<float>&, const Tensor<float>&,
                                                                       const Tensor<float>&,
                                                                       const ScaledDotProductAttentionOptions<float>&);
template ScaledDotProductAttention<double> scaled_dot_product_attention(
    const Tensor<double>&, const Tensor<double>&, const Tensor<double>&,
    const ScaledDotProductAttentionOptions<double>&);

}  // namespace attn
