// Encoder and decoder together: "Attention Is All You Need", figure 1 between the embeddings and the logits.
#pragma once

#include "nn/decoder.hpp"
#include "nn/encoder.hpp"

namespace attn {

struct TransformerOptions {
  std::size_t num_encoder_layers = 6;
  std::size_t num_decoder_layers = 6;
  bool final_norm = true;  // of both
  LayerOptions layer = {};

  StackOptions encoder() const { return {.num_layers = num_encoder_layers, .final_norm = final_norm, .layer = layer}; }
  StackOptions decoder() const { return {.num_layers = num_decoder_layers, .final_norm = final_norm, .layer = layer}; }
};

// The masks of the self-attention of encoder and decoder, and of the cross attention.
template <typename T>
struct TransformerMasks {
  AttentionMasks<T> source = {};
  AttentionMasks<T> target = {};
  AttentionMasks<T> memory = {};  // of cross attention
};

// The nodes of one Transformer.
template <typename T>
struct Transformer {
  Encoder<T> encoder = {};
  Decoder<T> decoder = {};
  Tensor<T> memory = {};  // (B?, S, D)  the encoder's output
  Tensor<T> output = {};  // (B?, L, D)  the decoder's output
};

// encoder.layers.N.*, encoder.norm.*, decoder.layers.N.*, decoder.norm.*, as torch.nn.Transformer.
ParameterSpecs transformer_parameters(const LayerSizes& sizes, const TransformerOptions& options);

// memory = norm(encoder(src)), output = norm(decoder(tgt, memory))
//
//   src  (B?, S, D)    embedded, with positions
//   tgt  (B?, L, D)
//   ->   (B?, L, D)
//
// The steps are called encoder.layers.N.*, encoder.norm, decoder.layers.N.*, decoder.norm after the prefix `name`.
// The final norms of encoder and decoder are PyTorch's; the paper, post-norm throughout, has none. Throws InputError
// as the layers do.
template <typename T>
Transformer<T> transformer(const Tensor<T>& src, const Tensor<T>& tgt, const StateDict<T>& parameters,
                           const TransformerOptions& options, const TransformerMasks<T>& masks = {},
                           const std::string& name = {});

}  // namespace attn
