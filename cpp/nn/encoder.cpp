// The encoder and its layers: "Attention Is All You Need", section 3.1.
#include "nn/encoder.hpp"

#include "nn/layer_norm.hpp"
#include "nn/layer_record.hpp"
#include "nn/sub_layers.hpp"

namespace attn {
namespace {

template <typename T>
struct EncoderParts : SubLayers<T> {
  EncoderParts(SubLayers<T> parts, const AttentionMasks<T>& given) : SubLayers<T>(std::move(parts)), masks(given) {}

  MultiHeadAttention<T> attention(const Tensor<T>& x) const {
    return SubLayers<T>::attention("self_attn", x, x, masks);
  }

  const AttentionMasks<T>& masks;
};

}  // namespace

ParameterSpecs encoder_layer_parameters(const LayerSizes& sizes) {
  return join({within("self_attn", multi_head_attention_parameters(sizes.d_model)),
               feed_forward_parameters(sizes.d_model, sizes.d_ff),
               within("norm1", layer_norm_parameters(sizes.d_model)),
               within("norm2", layer_norm_parameters(sizes.d_model))});
}

template <typename T>
EncoderLayer<T> encoder_layer(const Tensor<T>& src, const StateDict<T>& parameters, const LayerOptions& options,
                              const AttentionMasks<T>& masks, const std::string& name) {
  const std::size_t first = src.graph->size();
  const EncoderParts<T> parts({parameters, options, name, src.graph->observe()}, masks);
  const EncoderLayer<T> steps = encoder_layer_of(parts, src);
  const LayerSizes sizes{src.shape().back(), steps.feed_forward.hidden.shape().back()};
  if (const auto torch_settings = torch_options(sizes, options, masks, src.shape().end()[-2])) {
    record_layer<T>({.kind = "encoder_layer", .options = *torch_settings, .first = first}, parameters,
                    encoder_layer_parameters(sizes), {src}, steps.output);
  }
  return steps;
}

ParameterSpecs encoder_parameters(const LayerSizes& sizes, const StackOptions& options) {
  check_sizes(sizes, options.layer, "encoder");
  std::vector<ParameterSpecs> parts;
  for (std::size_t i = 0; i < options.num_layers; ++i) {
    parts.push_back(within("layers." + std::to_string(i), encoder_layer_parameters(sizes)));
  }
  if (options.final_norm) parts.push_back(within("norm", layer_norm_parameters(sizes.d_model)));
  return join(std::move(parts));
}

template <typename T>
Encoder<T> encoder(const Tensor<T>& src, const StateDict<T>& parameters, const StackOptions& options,
                   const AttentionMasks<T>& masks, const std::string& name) {
  if (options.num_layers == 0) refuse_option("encoder", "num_layers", "0", "at least 1");
  Encoder<T> steps;
  steps.output = src;
  for (std::size_t i = 0; i < options.num_layers; ++i) {
    const std::string module = "layers." + std::to_string(i);
    steps.layers.push_back(encoder_layer(steps.output, parameters.within(module), options.layer, masks,
                                         step_prefix(*src.graph, name, module + ".")));
    steps.output = steps.layers.back().output;
  }
  if (options.final_norm) {
    steps.output = layer_norm(steps.output, parameters.within("norm"),
                              {.eps = options.layer.eps, .unbiased = options.layer.unbiased},
                              step_prefix(*src.graph, name, "norm"));
  }
  return steps;
}

#define INSTANTIATE(T)                                                                                              \
  template EncoderLayer<T> encoder_layer(const Tensor<T>&, const StateDict<T>&, const LayerOptions&,                \
                                         const AttentionMasks<T>&, const std::string&);                             \
  template Encoder<T> encoder(const Tensor<T>&, const StateDict<T>&, const StackOptions&, const AttentionMasks<T>&, \
                              const std::string&)
INSTANTIATE(float);
INSTANTIATE(double);
#undef INSTANTIATE

}  // namespace attn
