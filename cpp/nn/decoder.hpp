// The decoder and its layers: "Attention Is All You Need", section 3.1.
#pragma once

#include <vector>

#include "nn/layer_options.hpp"
#include "nn/multi_head_attention.hpp"

namespace attn {

// The cache of one layer: the keys and values of earlier tokens, so that only new tokens are computed.
template <typename T>
struct DecoderLayerCache {
  std::optional<KeyValue<T>> target = {};  // of all tokens so far
  std::optional<KeyValue<T>> memory = {};  // of the encoder's output, projected once
};

// The caches of all layers, in order; empty before the first call.
template <typename T>
struct DecoderCache {
  std::vector<DecoderLayerCache<T>> layers = {};
};

// A copy of a cache, so that a refused call changes nothing; caches of `num_layers` empty layers for an empty one or none.
// Throws InputError naming `operation` for another number of layers.
template <typename T>
DecoderCache<T> copy_of_cache(const DecoderCache<T>* cache, std::size_t num_layers, std::string_view operation);

// The nodes of one decoder layer.
template <typename T>
struct DecoderLayer {
  std::optional<Tensor<T>> norm1 = {};
  MultiHeadAttention<T> self_attention = {};  // self_attn.*
  Tensor<T> residual1 = {};                   // x + self_attention; without residual self_attention
  std::optional<Tensor<T>> norm2 = {};
  MultiHeadAttention<T> cross_attention = {};  // multihead_attn.*: queries of the target, keys and values of the memory
  Tensor<T> residual2 = {};                    // + cross_attention
  std::optional<Tensor<T>> norm3 = {};
  FeedForward<T> feed_forward = {};  // linear1, activation, linear2
  Tensor<T> residual3 = {};
  Tensor<T> output = {};  // post-norm: norm3; pre-norm and without norms: residual3
};

// self_attn.*, multihead_attn.*, linear1.*, linear2.*, norm1.*, norm2.*, norm3.*, as torch.nn.TransformerDecoderLayer.
ParameterSpecs decoder_layer_parameters(const LayerSizes& sizes);

// post-norm  x = LN1(x + SA(x));  x = LN2(x + CA(x, memory));  x = LN3(x + FF(x))
// pre-norm   x = x + SA(LN1(x));  x = x + CA(LN2(x), memory);  x = x + FF(LN3(x))
//
// Without residual the "x +" is left out, without norm each LN is.
//
//   tgt     (B?, L, D)
//   memory  (B?, S, D)
//   ->      (B?, L, D)
//
// With a cache, tgt contains the tokens after those in the cache: their keys and values are appended to the cache, and
// query i of the new tokens attends to all cached tokens and the new ones up to i (Causal::bottom_right, which replaces
// target_masks.causal). The steps are called norm1, self_attn.*, residual1, norm2, multihead_attn.*, residual2, norm3,
// linear1, activation, linear2, residual3 after the prefix `name`. Throws InputError when a parameter is missing, the
// shapes disagree or a mask does not fit.
template <typename T>
DecoderLayer<T> decoder_layer(const Tensor<T>& tgt, const Tensor<T>& memory, const StateDict<T>& parameters,
                              const LayerOptions& options, const AttentionMasks<T>& target_masks = {},
                              const AttentionMasks<T>& memory_masks = {}, const std::string& name = {},
                              DecoderLayerCache<T>* cache = nullptr);

// The nodes of a stack of layers, then the final norm, which gives the output.
template <typename T>
struct Decoder {
  std::vector<DecoderLayer<T>> layers = {};
  Tensor<T> output = {};
};

// layers.N.* and, if requested, norm.*, as torch.nn.TransformerDecoder.
ParameterSpecs decoder_parameters(const LayerSizes& sizes, const StackOptions& options);

// Applies the layers one after another, then the LayerNorm `norm` if options.final_norm is set.
//
//   tgt     (B?, L, D)
//   memory  (B?, S, D)
//   ->      (B?, L, D)
//
// Throws InputError when there are no layers, and as decoder_layer does.
template <typename T>
Decoder<T> decoder(const Tensor<T>& tgt, const Tensor<T>& memory, const StateDict<T>& parameters,
                   const StackOptions& options, const AttentionMasks<T>& target_masks = {},
                   const AttentionMasks<T>& memory_masks = {}, const std::string& name = {},
                   DecoderCache<T>* cache = nullptr);

}  // namespace attn
