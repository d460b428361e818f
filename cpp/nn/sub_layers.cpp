// The parts of encoder and decoder layers, with the names of parameters and steps.
#include "nn/sub_layers.hpp"

#include "nn/layer_norm.hpp"
#include "ops/add.hpp"
#include "ops/concat.hpp"

namespace attn {

void check_sizes(const LayerSizes& sizes, const LayerOptions& options, std::string_view operation) {
  if (sizes.d_model == 0) refuse_option(operation, "d_model", "0", "at least 1");
  if (sizes.d_ff == 0) refuse_option(operation, "d_ff", "0", "at least 1");
  if (options.num_heads == 0 || sizes.d_model % options.num_heads != 0) {
    refuse_option(operation, "num_heads", std::to_string(options.num_heads),
                  "a divisor of d_model " + std::to_string(sizes.d_model));
  }
}

template <typename T>
std::optional<Attributes> torch_options(const LayerSizes& sizes, const LayerOptions& options,
                                        const AttentionMasks<T>& masks, std::size_t queries) {
  if (masks.mask || masks.key_mask || options.dropout.p != 0 || options.unbiased || options.unscaled ||
      !options.residual || !options.norm || options.activation == Activation::gelu_tanh)
    return std::nullopt;
  return Attributes{{"d_model", static_cast<double>(sizes.d_model)},
                    {"d_ff", static_cast<double>(sizes.d_ff)},
                    {"num_heads", static_cast<double>(options.num_heads)},
                    {"activation", std::string(options.activation == Activation::relu ? "relu" : "gelu")},
                    {"norm_first", options.norm_first},
                    {"eps", options.eps},
                    {"causal", masks.causal != Causal::none},
                    {"queries", static_cast<double>(queries)}};
}

template std::optional<Attributes> torch_options(const LayerSizes&, const LayerOptions&, const AttentionMasks<float>&,
                                                 std::size_t);
template std::optional<Attributes> torch_options(const LayerSizes&, const LayerOptions&, const AttentionMasks<double>&,
                                                 std::size_t);

template <typename T>
std::string SubLayers<T>::step_name(const std::string& step, bool last) const {
  return observe_ || (last && !name_.empty()) ? name_ + step : std::string();
}

template <typename T>
std::optional<Tensor<T>> SubLayers<T>::norm(const Tensor<T>& x, int number, bool last) const {
  if (!options_.norm) return std::nullopt;
  const std::string module = names_.norm + std::to_string(number);
  return layer_norm(x, parameters_.within(module), {.eps = options_.eps, .unbiased = options_.unbiased},
                    step_name(module, last));
}

template <typename T>
Tensor<T> SubLayers<T>::residual(const Tensor<T>& x, const Tensor<T>& branch, int number, bool last) const {
  const std::string& step = names_.dropouts[static_cast<std::size_t>(number) - 1];
  const Dropout settings = options_.dropout.at(parameters_.module() + step);
  if (!options_.residual) return dropout(branch, settings, step_name(step, last));
  return add(x, dropout(branch, settings, step_name(step)), step_name("residual" + std::to_string(number), last));
}

template <typename T>
MultiHeadAttentionOptions<T> SubLayers<T>::attention_options(const std::string& module,
                                                             const AttentionMasks<T>& masks) const {
  return {.num_heads = options_.num_heads,
          .mask = masks.mask,
          .key_mask = masks.key_mask,
          .causal = masks.causal,
          .scale = {},
          .unscaled = options_.unscaled,
          .dropout = options_.dropout.at(parameters_.module() + module + "." + names_.attention_dropout),
          .name = observe_ || !name_.empty() ? name_ + module + "." : std::string()};
}

template <typename T>
MultiHeadAttention<T> SubLayers<T>::attention(const std::string& module, const Tensor<T>& query,
                                              const Tensor<T>& source, const AttentionMasks<T>& masks) const {
  return multi_head_attention(query, source, source, torch_parameters(parameters_.within(module)),
                              attention_options(module, masks));
}

template <typename T>
MultiHeadAttention<T> SubLayers<T>::attention(const std::string& module, const Tensor<T>& query,
                                              const std::optional<Tensor<T>>& source, const AttentionMasks<T>& masks,
                                              std::optional<KeyValue<T>>& cached) const {
  const TorchParameters<T> parameters = torch_parameters(parameters_.within(module));
  const MultiHeadAttentionOptions<T> options = attention_options(module, masks);
  if (source) append(project_key_value(*source, *source, parameters, options.name), module, cached);
  return multi_head_attention(query, *cached, parameters, options);
}

template <typename T>
void SubLayers<T>::append(const KeyValue<T>& current, const std::string& module,
                          std::optional<KeyValue<T>>& cached) const {
  if (cached) {
    cached = KeyValue<T>{concat<T>({cached->key, current.key}, -2, step_name(module + ".K_seen")),
                         concat<T>({cached->value, current.value}, -2, step_name(module + ".V_seen"))};
  } else {
    cached = current;
  }
}

template <typename T>
FeedForward<T> SubLayers<T>::feed_forward(const Tensor<T>& x) const {
  return attn::feed_forward(x, parameters_,
                            {.activation = options_.activation,
                             .dropout = options_.dropout.at(parameters_.module() + "dropout"),
                             .name = name_});
}

template class SubLayers<float>;
template class SubLayers<double>;

}  // namespace attn
