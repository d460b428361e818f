// The decoder and its layers: "Attention Is All You Need", section 3.1.
#include "nn/decoder.hpp"

#include "nn/layer_norm.hpp"
#include "nn/layer_record.hpp"
#include "nn/sub_layers.hpp"

namespace attn {
namespace {

// The two attentions of one layer, with or without a cache.
template <typename T>
struct Attentions {
  const SubLayers<T>& parts;
  const AttentionMasks<T>& target_masks;
  const AttentionMasks<T>& memory_masks;
  DecoderLayerCache<T>* cache;

  MultiHeadAttention<T> self(const Tensor<T>& x) const {
    if (!cache) return parts.attention("self_attn", x, x, target_masks);
    AttentionMasks<T> masks = target_masks;
    masks.causal = Causal::bottom_right;
    return parts.attention("self_attn", x, std::optional(x), masks, cache->target);
  }

  MultiHeadAttention<T> cross(const Tensor<T>& x, const Tensor<T>& memory) const {
    if (!cache) return parts.attention("multihead_attn", x, memory, memory_masks);
    const std::optional<Tensor<T>> source = cache->memory ? std::nullopt : std::optional(memory);
    return parts.attention("multihead_attn", x, source, memory_masks, cache->memory);
  }
};

}  // namespace

template <typename T>
DecoderCache<T> copy_of_cache(const DecoderCache<T>* cache, std::size_t num_layers, std::string_view operation) {
  DecoderCache<T> copy = cache ? *cache : DecoderCache<T>();
  if (copy.layers.empty()) copy.layers.resize(num_layers);
  if (copy.layers.size() == num_layers) return copy;
  refuse_option(operation, "cache", std::to_string(copy.layers.size()) + " layers", std::to_string(num_layers));
}

ParameterSpecs decoder_layer_parameters(const LayerSizes& sizes) {
  return join(
      {within("self_attn", multi_head_attention_parameters(sizes.d_model)),
       within("multihead_attn", multi_head_attention_parameters(sizes.d_model)),
       feed_forward_parameters(sizes.d_model, sizes.d_ff), within("norm1", layer_norm_parameters(sizes.d_model)),
       within("norm2", layer_norm_parameters(sizes.d_model)), within("norm3", layer_norm_parameters(sizes.d_model))});
}

template <typename T>
DecoderLayer<T> decoder_layer(const Tensor<T>& tgt, const Tensor<T>& memory, const StateDict<T>& parameters,
                              const LayerOptions& options, const AttentionMasks<T>& target_masks,
                              const AttentionMasks<T>& memory_masks, const std::string& name,
                              DecoderLayerCache<T>* cache) {
  const std::size_t first = tgt.graph->size();
  const SubLayers<T> parts(parameters, options, name, tgt.graph->observe());
  // A copy, so that *cache does not change when a later step is refused.
  DecoderLayerCache<T> updated = cache ? *cache : DecoderLayerCache<T>();
  const Attentions<T> attentions{parts, target_masks, memory_masks, cache ? &updated : nullptr};
  DecoderLayer<T> steps;
  const auto attend = [&](const Tensor<T>& x) { return (steps.self_attention = attentions.self(x)).output; };
  const auto read = [&](const Tensor<T>& x) { return (steps.cross_attention = attentions.cross(x, memory)).output; };
  const auto feed = [&](const Tensor<T>& x) { return (steps.feed_forward = parts.feed_forward(x)).output; };
  Tensor<T> x = parts.sub_layer(tgt, 1, false, steps.norm1, steps.residual1, attend);
  x = parts.sub_layer(x, 2, false, steps.norm2, steps.residual2, read);
  steps.output = parts.sub_layer(x, 3, true, steps.norm3, steps.residual3, feed);
  if (cache) {
    *cache = updated;
    return steps;
  }
  const LayerSizes sizes{tgt.shape().back(), steps.feed_forward.hidden.shape().back()};
  const auto torch_settings = torch_options(sizes, options, target_masks, tgt.shape().end()[-2]);
  if (torch_settings && !memory_masks.mask && !memory_masks.key_mask && memory_masks.causal == Causal::none) {
    record_layer<T>({.kind = "decoder_layer", .options = *torch_settings, .first = first}, parameters,
                    decoder_layer_parameters(sizes), {tgt, memory}, steps.output);
  }
  return steps;
}

ParameterSpecs decoder_parameters(const LayerSizes& sizes, const StackOptions& options) {
  check_sizes(sizes, options.layer, "decoder");
  std::vector<ParameterSpecs> parts;
  for (std::size_t i = 0; i < options.num_layers; ++i) {
    parts.push_back(within("layers." + std::to_string(i), decoder_layer_parameters(sizes)));
  }
  if (options.final_norm) parts.push_back(within("norm", layer_norm_parameters(sizes.d_model)));
  return join(std::move(parts));
}

template <typename T>
Decoder<T> decoder(const Tensor<T>& tgt, const Tensor<T>& memory, const StateDict<T>& parameters,
                   const StackOptions& options, const AttentionMasks<T>& target_masks,
                   const AttentionMasks<T>& memory_masks, const std::string& name, DecoderCache<T>* cache) {
  if (options.num_layers == 0) refuse_option("decoder", "num_layers", "0", "at least 1");
  DecoderCache<T> updated = copy_of_cache(cache, options.num_layers, "decoder");
  Decoder<T> steps;
  steps.output = tgt;
  for (std::size_t i = 0; i < options.num_layers; ++i) {
    const std::string module = "layers." + std::to_string(i);
    steps.layers.push_back(decoder_layer(steps.output, memory, parameters.within(module), options.layer, target_masks,
                                         memory_masks, step_prefix(*tgt.graph, name, module + "."),
                                         cache ? &updated.layers[i] : nullptr));
    steps.output = steps.layers.back().output;
  }
  if (options.final_norm) {
    steps.output = layer_norm(steps.output, parameters.within("norm"),
                              {.eps = options.layer.eps, .unbiased = options.layer.unbiased},
                              step_prefix(*tgt.graph, name, "norm"));
  }
  if (cache) *cache = std::move(updated);
  return steps;
}

#define INSTANTIATE(T)                                                                                                 \
  template DecoderLayer<T> decoder_layer(const Tensor<T>&, const Tensor<T>&, const StateDict<T>&, const LayerOptions&, \
                                         const AttentionMasks<T>&, const AttentionMasks<T>&, const std::string&,       \
                                         DecoderLayerCache<T>*);                                                       \
  template Decoder<T> decoder(const Tensor<T>&, const Tensor<T>&, const StateDict<T>&, const StackOptions&,            \
                              const AttentionMasks<T>&, const AttentionMasks<T>&, const std::string&,                  \
                              DecoderCache<T>*);                                                                       \
  template DecoderCache<T> copy_of_cache(const DecoderCache<T>*, std::size_t, std::string_view)
INSTANTIATE(float);
INSTANTIATE(double);
#undef INSTANTIATE

}  // namespace attn
