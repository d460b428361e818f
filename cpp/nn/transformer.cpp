// Encoder and decoder together: "Attention Is All You Need", figure 1 between the embeddings and the logits.
#include "nn/transformer.hpp"

#include "nn/layer_record.hpp"
#include "nn/sub_layers.hpp"

namespace attn {

ParameterSpecs transformer_parameters(const LayerSizes& sizes, const TransformerOptions& options) {
  return join({within("encoder", encoder_parameters(sizes, options.encoder())),
               within("decoder", decoder_parameters(sizes, options.decoder()))});
}

template <typename T>
Transformer<T> transformer(const Tensor<T>& src, const Tensor<T>& tgt, const StateDict<T>& parameters,
                           const TransformerOptions& options, const TransformerMasks<T>& masks,
                           const std::string& name) {
  const std::size_t first = src.graph->size();
  Transformer<T> steps;
  steps.encoder = encoder(src, parameters.within("encoder"), options.encoder(), masks.source,
                          step_prefix(*src.graph, name, "encoder."));
  steps.memory = steps.encoder.output;
  steps.decoder = decoder(tgt, steps.memory, parameters.within("decoder"), options.decoder(), masks.target,
                          masks.memory, step_prefix(*src.graph, name, "decoder."));
  steps.output = steps.decoder.output;
  const LayerSizes sizes{src.shape().back(), steps.encoder.layers[0].feed_forward.hidden.shape().back()};
  const bool has_no_other_masks = !masks.source.mask && !masks.source.key_mask && masks.source.causal == Causal::none &&
                                  !masks.memory.mask && !masks.memory.key_mask && masks.memory.causal == Causal::none;
  auto torch_settings = torch_options(sizes, options.layer, masks.target, tgt.shape().end()[-2]);
  if (torch_settings && has_no_other_masks) {
    torch_settings->insert({{"encoder_layers", static_cast<double>(options.num_encoder_layers)},
                            {"decoder_layers", static_cast<double>(options.num_decoder_layers)}});
    record_layer<T>({.kind = "transformer", .options = *torch_settings, .first = first}, parameters,
                    transformer_parameters(sizes, options), {src, tgt}, steps.output);
  }
  return steps;
}

template Transformer<float> transformer(const Tensor<float>&, const Tensor<float>&, const StateDict<float>&,
                                        const TransformerOptions&, const TransformerMasks<float>&, const std::string&);
template Transformer<double> transformer(const Tensor<double>&, const Tensor<double>&, const StateDict<double>&,
                                         const TransformerOptions&, const TransformerMasks<double>&,
                                         const std::string&);

}  // namespace attn
