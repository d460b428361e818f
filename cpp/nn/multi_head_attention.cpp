// Multi-head attention: "Attention Is All You Need", section 3.2.2.
#include "nn/multi_head_attention.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "nn/linear.hpp"
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

// Checks that the sequences have the same axes and batch, and that keys and values have the same length.
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

// Computes everything from the projected sequences to the concatenated heads, all but the output projection.
// `concat_name` is the name of the last step.
template <typename T>
MultiHeadAttention<T> attend(const std::array<Tensor<T>, 3>& projected, const MultiHeadAttentionOptions<T>& options,
                             std::string concat_name) {
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
  const auto step_name = [&](const char* step) { return observe ? options.name + step : std::string(); };

  ScaledDotProductAttentionOptions<T> settings{.mask = options.mask,
                                               .causal = options.causal,
                                               .key_mask = {},
                                               .scale = options.scale,
                                               .unscaled = options.unscaled,
                                               .temperature = {},
                                               .dropout = options.dropout,
                                               .name = options.name,
                                               .output_name = "heads"};
  if (options.mask && options.mask->tensor.shape().size() == 3 && batched) {
    const Shape& shape = options.mask->tensor.shape();
    if (shape != Shape{batch * heads, queries, keys}) {
      refuse_shape(kName, "mask", shape,
                   to_string({batch * heads, queries, keys}) + " (a mask per head) or " + to_string({queries, keys}));
    }
    settings.mask->tensor = reshape(options.mask->tensor, {batch, heads, queries, keys}, step_name("mask_heads"));
  }
  if (options.key_mask) {
    const Shape& shape = options.key_mask->shape();
    const Shape expected = batched ? Shape{batch, keys} : Shape{keys};
    if (shape != expected) refuse_shape(kName, "key mask", shape, to_string(expected));
    settings.key_mask = AttentionMask<T>{*options.key_mask};
    if (batched)
      settings.key_mask->tensor = reshape(*options.key_mask, {batch, 1, 1, keys}, step_name("key_mask_heads"));
  }

  MultiHeadAttention<T> steps{.query = query, .key = key, .value = value};
  steps.query_heads = split_heads(query, heads, step_name("Q_heads"));
  steps.key_heads = split_heads(key, heads, step_name("K_heads"));
  steps.value_heads = split_heads(value, heads, step_name("V_heads"));
  steps.attention = scaled_dot_product_attention(steps.query_heads, steps.key_heads, steps.value_heads, settings);
  steps.concat = merge_heads(steps.attention.output, std::move(concat_name));
  return steps;
}

template <typename T>
std::string concat_name(const Graph<T>& graph, const std::string& prefix) {
  return graph.observe() ? prefix + "concat" : std::string();
}

// The name of the output; with a prefix, it has one even in a graph that does not observe.
template <typename T>
std::string output_name(const Graph<T>& graph, const std::string& prefix) {
  return graph.observe() || !prefix.empty() ? prefix + "output" : std::string();
}

// The rows of a stacked parameter that belong to one projection: 0 is the query's, 1 the key's, 2 the value's.
template <typename T>
Tensor<T> rows_of_projection(const Tensor<T>& stacked, std::size_t number, std::string name) {
  const std::size_t rows = stacked.shape()[0] / 3;
  return slice(stacked, 0, number * rows, (number + 1) * rows, std::move(name));
}

// One of the three input projections of torch.nn.MultiheadAttention.
enum class InputProjection { query, key, value };

template <typename T>
const std::optional<Tensor<T>>& separate_weight(const TorchParameters<T>& parameters, InputProjection projection) {
  if (projection == InputProjection::query) return parameters.q_proj_weight;
  return projection == InputProjection::key ? parameters.k_proj_weight : parameters.v_proj_weight;
}

template <typename T>
void check_parameters(const TorchParameters<T>& parameters) {
  const bool stacked = parameters.in_proj_weight.has_value();
  for (const InputProjection projection : {InputProjection::query, InputProjection::key, InputProjection::value}) {
    if (separate_weight(parameters, projection).has_value() == stacked) {
      refuse_option(kName, "parameters", "incomplete",
                    "either in_proj_weight or q_proj_weight, k_proj_weight and v_proj_weight");
    }
  }
  const Shape& weight_shape = (stacked ? *parameters.in_proj_weight : *parameters.q_proj_weight).shape();
  check_matrix(stacked ? "in_proj_weight" : "q_proj_weight", weight_shape, "(rows, columns)");
  const std::size_t rows = stacked ? weight_shape[0] : 3 * weight_shape[0];
  if (rows % 3 != 0) refuse_shape(kName, "in_proj_weight", weight_shape, "a number of rows that 3 divides");
  if (parameters.in_proj_bias && parameters.in_proj_bias->shape() != Shape{rows}) {
    refuse_shape(kName, "in_proj_bias", parameters.in_proj_bias->shape(), to_string({rows}));
  }
}

// Records the call as a layer if torch.nn.MultiheadAttention can compute it: no masks but the causal one, no dropout,
// the scale 1 / sqrt(d_k).
template <typename T>
void record_torch_layer(const std::array<Tensor<T>, 3>& inputs, const TorchParameters<T>& parameters,
                        const MultiHeadAttentionOptions<T>& options, std::size_t first, const Tensor<T>& output) {
  const auto width = [](const Tensor<T>& tensor) { return tensor.shape().back(); };
  const auto length = [](const Tensor<T>& tensor) { return tensor.shape().end()[-2]; };
  const auto& [query, key, value] = inputs;
  const std::size_t embed_dim = width(query);
  const bool stacked = parameters.in_proj_weight.has_value();
  const bool same_widths = width(key) == embed_dim && width(value) == embed_dim;
  const bool has_torch_causal_rule = options.causal != Causal::bottom_right || length(query) == length(key);
  const bool has_bias = parameters.in_proj_bias.has_value();
  const Shape square = {embed_dim, embed_dim};
  const bool is_torch_layer =
      !options.mask && !options.key_mask && !options.scale && !options.unscaled && options.dropout.p == 0 &&
      has_torch_causal_rule && stacked == same_widths && has_bias == parameters.out_proj_bias.has_value() &&
      parameters.out_proj_weight.shape() == square && (stacked || (*parameters.q_proj_weight).shape() == square);
  if (!is_torch_layer) return;
  LayerCall layer{.kind = "multi_head_attention",
                  .options = {{"embed_dim", static_cast<double>(embed_dim)},
                              {"num_heads", static_cast<double>(options.num_heads)},
                              {"bias", has_bias},
                              {"causal", options.causal != Causal::none},
                              {"queries", static_cast<double>(length(query))},
                              {"keys", static_cast<double>(length(key))}},
                  .inputs = {query.id, key.id, value.id},
                  .first = first,
                  .output = output.id};
  if (!stacked) {
    layer.options["kdim"] = static_cast<double>(width(key));
    layer.options["vdim"] = static_cast<double>(width(value));
  }
  const auto add = [&](const char* name, const std::optional<Tensor<T>>& parameter) {
    if (parameter) layer.parameters.emplace_back(name, parameter->id);
  };
  add("in_proj_weight", parameters.in_proj_weight);
  add("q_proj_weight", parameters.q_proj_weight);
  add("k_proj_weight", parameters.k_proj_weight);
  add("v_proj_weight", parameters.v_proj_weight);
  add("in_proj_bias", parameters.in_proj_bias);
  add("out_proj.weight", parameters.out_proj_weight);
  add("out_proj.bias", parameters.out_proj_bias);
  output.graph->record(std::move(layer));
}

// Q, K or V: sequence W^T + b, with the weight and bias of that projection.
template <typename T>
Tensor<T> project(const Tensor<T>& sequence, InputProjection projection, const TorchParameters<T>& parameters,
                  const std::string& prefix) {
  const bool observe = parameters.out_proj_weight.graph->observe();
  const auto step_name = [&](const char* step) { return observe ? prefix + step : std::string(); };
  constexpr std::array<const char*, 3> weight_names = {"q_proj_weight", "k_proj_weight", "v_proj_weight"};
  constexpr std::array<const char*, 3> bias_names = {"q_proj_bias", "k_proj_bias", "v_proj_bias"};
  constexpr std::array<const char*, 3> names = {"Q", "K", "V"};
  const auto i = static_cast<std::size_t>(projection);
  const Tensor<T> weight = parameters.in_proj_weight
                               ? rows_of_projection(*parameters.in_proj_weight, i, step_name(weight_names[i]))
                               : *separate_weight(parameters, projection);
  std::optional<Tensor<T>> bias;
  if (parameters.in_proj_bias) bias = rows_of_projection(*parameters.in_proj_bias, i, step_name(bias_names[i]));
  return linear(sequence, weight, bias, step_name(names[i]));
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
  if (parameters.w_o) check_matrix("w_o", parameters.w_o->shape(), "(H d_v, D)");
  if (parameters.b_o && !parameters.w_o) {
    refuse_option(kName, "parameters", "b_o without w_o", "w_o beside b_o: without w_o nothing is projected");
  }
  check_heads("w_q", parameters.w_q.shape()[1], options.num_heads);
  check_heads("w_k", parameters.w_k.shape()[1], options.num_heads);
  check_heads("w_v", parameters.w_v.shape()[1], options.num_heads);
  const Graph<T>& graph = *query.graph;
  const auto project = [](const Tensor<T>& x, const Tensor<T>& weight, const OptionalTensor<T>& bias, const char* name,
                          const std::string& step) { return row_vector_linear(x, weight, bias, kName, name, step); };
  const auto step_name = [&](const char* step) { return graph.observe() ? options.name + step : std::string(); };
  const std::string last = output_name(graph, options.name);
  MultiHeadAttention<T> steps = attend<T>({project(query, parameters.w_q, parameters.b_q, "b_q", step_name("Q")),
                                           project(key, parameters.w_k, parameters.b_k, "b_k", step_name("K")),
                                           project(value, parameters.w_v, parameters.b_v, "b_v", step_name("V"))},
                                          options, parameters.w_o ? concat_name(graph, options.name) : last);
  steps.output = parameters.w_o ? project(steps.concat, *parameters.w_o, parameters.b_o, "b_o", last) : steps.concat;
  return steps;
}

template <typename T>
MultiHeadAttention<T> multi_head_attention(const Tensor<T>& query, const Tensor<T>& key, const Tensor<T>& value,
                                           const TorchParameters<T>& parameters,
                                           const MultiHeadAttentionOptions<T>& options) {
  check_sequences(query.shape(), key.shape(), value.shape());
  check_parameters(parameters);
  const std::size_t first = query.graph->size();
  const Tensor<T> projected_query = project(query, InputProjection::query, parameters, options.name);
  const KeyValue<T> projected = project_key_value(key, value, parameters, options.name);
  MultiHeadAttention<T> steps =
      attend<T>({projected_query, projected.key, projected.value}, options, concat_name(*query.graph, options.name));
  steps.output = linear(steps.concat, parameters.out_proj_weight, parameters.out_proj_bias,
                        output_name(*query.graph, options.name));
  record_torch_layer<T>({query, key, value}, parameters, options, first, steps.output);
  return steps;
}

template <typename T>
KeyValue<T> project_key_value(const Tensor<T>& key, const Tensor<T>& value, const TorchParameters<T>& parameters,
                              const std::string& name) {
  check_sequences(key.shape(), key.shape(), value.shape());
  check_parameters(parameters);
  const Tensor<T> projected_key = project(key, InputProjection::key, parameters, name);
  return {.key = projected_key, .value = project(value, InputProjection::value, parameters, name)};
}

template <typename T>
MultiHeadAttention<T> multi_head_attention(const Tensor<T>& query, const KeyValue<T>& projected,
                                           const TorchParameters<T>& parameters,
                                           const MultiHeadAttentionOptions<T>& options) {
  check_sequences(query.shape(), projected.key.shape(), projected.value.shape());
  check_parameters(parameters);
  const Tensor<T> projected_query = project(query, InputProjection::query, parameters, options.name);
  MultiHeadAttention<T> steps =
      attend<T>({projected_query, projected.key, projected.value}, options, concat_name(*query.graph, options.name));
  steps.output = linear(steps.concat, parameters.out_proj_weight, parameters.out_proj_bias,
                        output_name(*query.graph, options.name));
  return steps;
}

ParameterSpecs multi_head_attention_parameters(std::size_t embed_dim) {
  const auto width = static_cast<double>(embed_dim);
  return {{"in_proj_weight", {3 * embed_dim, embed_dim}, {Initial::Kind::uniform, std::sqrt(6 / (4 * width))}},
          {"in_proj_bias", {3 * embed_dim}},
          {"out_proj.weight", {embed_dim, embed_dim}, {Initial::Kind::uniform, 1 / std::sqrt(width)}},
          {"out_proj.bias", {embed_dim}}};
}

template <typename T>
TorchParameters<T> torch_parameters(const StateDict<T>& parameters) {
  return {.in_proj_weight = parameters.find("in_proj_weight"),
          .q_proj_weight = parameters.find("q_proj_weight"),
          .k_proj_weight = parameters.find("k_proj_weight"),
          .v_proj_weight = parameters.find("v_proj_weight"),
          .in_proj_bias = parameters.bias("in_proj_bias"),
          .out_proj_weight = parameters.at("out_proj.weight"),
          .out_proj_bias = parameters.bias("out_proj.bias")};
}

template <typename T>
MultiHeadAttention<T> attend_heads(const Tensor<T>& query, const KeyValue<T>& projected,
                                   const MultiHeadAttentionOptions<T>& options) {
  check_sequences(query.shape(), projected.key.shape(), projected.value.shape());
  MultiHeadAttention<T> steps =
      attend<T>({query, projected.key, projected.value}, options, concat_name(*query.graph, options.name));
  steps.output = steps.concat;
  return steps;
}

#define INSTANTIATE(T)                                                                                                 \
  template MultiHeadAttention<T> multi_head_attention(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&,            \
                                                      const RowVectorParameters<T>&,                                   \
                                                      const MultiHeadAttentionOptions<T>&);                            \
  template MultiHeadAttention<T> multi_head_attention(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&,            \
                                                      const TorchParameters<T>&, const MultiHeadAttentionOptions<T>&); \
  template KeyValue<T> project_key_value(const Tensor<T>&, const Tensor<T>&, const TorchParameters<T>&,                \
                                         const std::string&);                                                          \
  template MultiHeadAttention<T> multi_head_attention(const Tensor<T>&, const KeyValue<T>&, const TorchParameters<T>&, \
                                                      const MultiHeadAttentionOptions<T>&);                            \
  template MultiHeadAttention<T> attend_heads(const Tensor<T>&, const KeyValue<T>&,                                    \
                                              const MultiHeadAttentionOptions<T>&);                                    \
  template TorchParameters<T> torch_parameters(const StateDict<T>&)
INSTANTIATE(float);
INSTANTIATE(double);
#undef INSTANTIATE

}  // namespace attn
