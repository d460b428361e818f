// Multi-head attention: "Attention Is All You Need", section 3.2.2.
#include "nn/multi_head_attention.hpp"

#include <array>
#include <utility>

#include "ops/linear.hpp"
#include "ops/matmul.hpp"
#include "ops/merge_heads.hpp"
#include "ops/reshape.hpp"
#include "ops/slice.hpp"
#include "ops/split_heads.hpp"

namespace attn {
namespace {

constexpr std::string_view kName = "multi_head_attention";

void check_sequence(const std::string& argument, const Shape& shape) {
  if (shape.size() < 2 || shape.size() > 3) {
    refuse_shape(kName, argument, shape, "(batch, length, width) or (length, width)");
  }
}

void check_matrix(const std::string& argument, const Shape& shape, const std::string& expected) {
  if (shape.size() != 2) refuse_shape(kName, argument, shape, expected);
}

// Sequences agree in their axes and their batch, and keys and values in length.
void check_sequences(const Shape& query, const Shape& key, const Shape& value) {
  check_sequence("query", query);
  check_sequence("key", key);
  check_sequence("value", value);
  for (const auto& [argument, shape] : {std::pair{"key", key}, std::pair{"value", value}}) {
    if (shape.size() != query.size() || (query.size() == 3 && shape[0] != query[0])) {
      refuse_shape(kName, argument, shape, "the batch of query " + to_string(query));
    }
  }
  if (value[value.size() - 2] != key[key.size() - 2]) {
    refuse_shape(kName, "value", value, "the length of key " + to_string(key));
  }
}

void check_heads(const std::string& argument, std::size_t width, std::size_t num_heads) {
  if (num_heads == 0 || width % num_heads != 0) {
    refuse_option(kName, "width of " + argument, std::to_string(width),
                  "a multiple of num_heads " + std::to_string(num_heads));
  }
}

// From the projected sequences to the concatenated heads: everything but the output projection.
template <typename T>
MultiHeadAttention<T> attend(const std::array<Tensor<T>, 3>& projected, const MultiHeadAttentionOptions<T>& options) {
  const auto& [query, key, value] = projected;
  const bool batched = query.shape().size() == 3;
  const std::size_t batch = batched ? query.shape()[0] : 1;
  const std::size_t heads = options.num_heads;
  const std::size_t queries = query.shape()[query.shape().size() - 2];
  const std::size_t keys = key.shape()[key.shape().size() - 2];
  check_heads("query", query.shape().back(), heads);
  check_heads("key", key.shape().back(), heads);
  check_heads("value", value.shape().back(), heads);

  const bool observe = query.graph->observe();
  const auto named = [&](const char* step) { return observe ? options.name + step : std::string(); };

  ScaledDotProductAttentionOptions<T> settings{.mask = options.mask,
                                               .causal = options.causal,
                                               .key_mask = {},
                                               .scale = options.scale,
                                               .unscaled = options.unscaled,
                                               .temperature = {},
                                               .name = options.name,
                                               .output_name = "heads"};
  if (options.mask && options.mask->tensor.shape().size() == 3 && batched) {
    const Shape& shape = options.mask->tensor.shape();
    if (shape != Shape{batch * heads, queries, keys}) {
      refuse_shape(kName, "mask", shape,
                   to_string({batch * heads, queries, keys}) + " (a mask per head) or " + to_string({queries, keys}));
    }
    settings.mask->tensor = reshape(options.mask->tensor, {batch, heads, queries, keys}, named("mask_heads"));
  }
  if (options.key_mask) {
    const Shape& shape = options.key_mask->shape();
    const Shape expected = batched ? Shape{batch, keys} : Shape{keys};
    if (shape != expected) refuse_shape(kName, "key mask", shape, to_string(expected));
    settings.key_mask = AttentionMask<T>{*options.key_mask};
    if (batched) settings.key_mask->tensor = reshape(*options.key_mask, {batch, 1, 1, keys}, named("key_mask_heads"));
  }

  MultiHeadAttention<T> steps{.query = query, .key = key, .value = value};
  steps.query_heads = split_heads(query, heads, named("Q_heads"));
  steps.key_heads = split_heads(key, heads, named("K_heads"));
  steps.value_heads = split_heads(value, heads, named("V_heads"));
  steps.attention = scaled_dot_product_attention(steps.query_heads, steps.key_heads, steps.value_heads, settings);
  steps.concat = merge_heads(steps.attention.output, named("concat"));
  return steps;
}

// The output projection's place is named whether the graph observes or not.
template <typename T>
std::string output_name(const Graph<T>& graph, const std::string& prefix) {
  return graph.observe() || !prefix.empty() ? prefix + "output" : std::string();
}

// Rows of a stacked parameter: 0 is query's third, 1 key's, 2 value's.
template <typename T>
Tensor<T> third(const Tensor<T>& stacked, std::size_t which, std::string name) {
  const std::size_t rows = stacked.shape()[0] / 3;
  return slice(stacked, 0, which * rows, (which + 1) * rows, std::move(name));
}

// The three projections x W^T + b of torch.nn.MultiheadAttention.
template <typename T>
std::array<Tensor<T>, 3> project(const std::array<Tensor<T>, 3>& sequences, const TorchParameters<T>& parameters,
                                 const std::string& prefix) {
  const std::array<std::optional<Tensor<T>>, 3> separate = {parameters.q_proj_weight, parameters.k_proj_weight,
                                                            parameters.v_proj_weight};
  const bool stacked = parameters.in_proj_weight.has_value();
  for (const auto& weight : separate) {
    if (weight.has_value() == stacked) {
      refuse_option(kName, "parameters", "incomplete",
                    "either in_proj_weight or q_proj_weight, k_proj_weight and v_proj_weight");
    }
  }
  const Shape& weight_shape = (stacked ? *parameters.in_proj_weight : *separate[0]).shape();
  check_matrix(stacked ? "in_proj_weight" : "q_proj_weight", weight_shape, "(rows, columns)");
  const std::size_t rows = stacked ? weight_shape[0] : 3 * weight_shape[0];
  if (rows % 3 != 0) refuse_shape(kName, "in_proj_weight", weight_shape, "a number of rows that 3 divides");
  if (parameters.in_proj_bias && parameters.in_proj_bias->shape() != Shape{rows}) {
    refuse_shape(kName, "in_proj_bias", parameters.in_proj_bias->shape(), to_string({rows}));
  }

  const bool observe = parameters.out_proj_weight.graph->observe();
  const auto named = [&](const char* step) { return observe ? prefix + step : std::string(); };
  constexpr std::array<const char*, 3> weight_names = {"q_proj_weight", "k_proj_weight", "v_proj_weight"};
  constexpr std::array<const char*, 3> bias_names = {"q_proj_bias", "k_proj_bias", "v_proj_bias"};
  constexpr std::array<const char*, 3> names = {"Q", "K", "V"};
  std::array<Tensor<T>, 3> projected;
  for (std::size_t i = 0; i < 3; ++i) {
    const Tensor<T> weight = stacked ? third(*parameters.in_proj_weight, i, named(weight_names[i])) : *separate[i];
    std::optional<Tensor<T>> bias;
    if (parameters.in_proj_bias) bias = third(*parameters.in_proj_bias, i, named(bias_names[i]));
    projected[i] = linear(sequences[i], weight, bias, named(names[i]));
  }
  return projected;
}

}  // namespace

template <typename T>
MultiHeadAttention<T> multi_head_attention(const Tensor<T>& query, const Tensor<T>& key, const Tensor<T>& value,
                                           const RowVectorParameters<T>& parameters,
                                           const MultiHeadAttentionOptions<T>& options) {
  check_sequences(query.shape(), key.shape(), value.shape());
  check_matrix("w_q", parameters.w_q.shape(), "(D, H d_k)");
  check_matrix("w_k", parameters.w_k.shape(), "(D, H d_k)");
  check_matrix("w_v", parameters.w_v.shape(), "(D, H d_v)");
  check_matrix("w_o", parameters.w_o.shape(), "(H d_v, D)");
  check_heads("w_q", parameters.w_q.shape()[1], options.num_heads);
  check_heads("w_k", parameters.w_k.shape()[1], options.num_heads);
  check_heads("w_v", parameters.w_v.shape()[1], options.num_heads);
  const Graph<T>& graph = *query.graph;
  const auto named = [&](const char* step) { return graph.observe() ? options.name + step : std::string(); };
  MultiHeadAttention<T> steps =
      attend<T>({matmul(query, parameters.w_q, named("Q")), matmul(key, parameters.w_k, named("K")),
                 matmul(value, parameters.w_v, named("V"))},
                options);
  steps.output = matmul(steps.concat, parameters.w_o, output_name(graph, options.name));
  return steps;
}

template <typename T>
MultiHeadAttention<T> multi_head_attention(const Tensor<T>& query, const Tensor<T>& key, const Tensor<T>& value,
                                           const TorchParameters<T>& parameters,
                                           const MultiHeadAttentionOptions<T>& options) {
  check_sequences(query.shape(), key.shape(), value.shape());
  const Graph<T>& graph = *query.graph;
  MultiHeadAttention<T> steps = attend<T>(project<T>({query, key, value}, parameters, options.name), options);
  steps.output =
      linear(steps.concat, parameters.out_proj_weight, parameters.out_proj_bias, output_name(graph, options.name));
  return steps;
}

#define INSTANTIATE(T)                                                                                      \
  template MultiHeadAttention<T> multi_head_attention(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&, \
                                                      const RowVectorParameters<T>&,                        \
                                                      const MultiHeadAttentionOptions<T>&);                 \
  template MultiHeadAttention<T> multi_head_attention(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&, \
                                                      const TorchParameters<T>&, const MultiHeadAttentionOptions<T>&)
INSTANTIATE(float);
INSTANTIATE(double);
#undef INSTANTIATE

}  // namespace attn
