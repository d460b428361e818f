// The encoder and its layers: "Attention Is All You Need", section 3.1.
#pragma once

#include <vector>

#include "nn/layer_options.hpp"
#include "nn/multi_head_attention.hpp"

namespace attn {

// The nodes of one encoder layer.
template <typename T>
struct EncoderLayer {
  std::optional<Tensor<T>> norm1 = {};        // pre-norm: LN(x); post-norm: LN(residual1); none without norms
  MultiHeadAttention<T> self_attention = {};  // self_attn.*
  Tensor<T> residual1 = {};                   // x + self_attention; without residual self_attention
  std::optional<Tensor<T>> norm2 = {};
  FeedForward<T> feed_forward = {};  // linear1, activation, linear2
  Tensor<T> residual2 = {};
  Tensor<T> output = {};  // post-norm: norm2; pre-norm and without norms: residual2
};

// self_attn.in_proj_weight (3D, D), self_attn.in_proj_bias, self_attn.out_proj.weight, .bias, linear1.*, linear2.*,
// norm1.*, norm2.*, with the names and initial values of torch.nn.TransformerEncoderLayer.
ParameterSpecs encoder_layer_parameters(const LayerSizes& sizes);

// post-norm  x = LN1(x + SA(x));  x = LN2(x + FF(x))
// pre-norm   x = x + SA(LN1(x));  x = x + FF(LN2(x))
//
// Without residual the "x +" is left out, without norm each LN is.
//
//   src  (B?, S, D)
//   ->   (B?, S, D)
//
// Dropout (dropout1, dropout2) acts on the output of each sub-layer before it is added, on the attention weights and
// inside the feed-forward network. The steps are called norm1, self_attn.*, residual1, norm2, linear1, activation,
// linear2, residual2 after the prefix `name`. Throws InputError when a parameter is missing, the shapes disagree or a
// mask does not fit.
template <typename T>
EncoderLayer<T> encoder_layer(const Tensor<T>& src, const StateDict<T>& parameters, const LayerOptions& options,
                              const AttentionMasks<T>& masks = {}, const std::string& name = {});

// The nodes of a stack of layers, then the final norm, which gives the output.
template <typename T>
struct Encoder {
  std::vector<EncoderLayer<T>> layers = {};
  Tensor<T> output = {};
};

// layers.N.* and, if requested, norm.*, as torch.nn.TransformerEncoder.
ParameterSpecs encoder_parameters(const LayerSizes& sizes, const StackOptions& options);

// Applies the layers one after another, then the LayerNorm `norm` if options.final_norm is set.
//
//   src  (B?, S, D)
//   ->   (B?, S, D)
//
// Throws InputError when there are no layers, and as encoder_layer does.
template <typename T>
Encoder<T> encoder(const Tensor<T>& src, const StateDict<T>& parameters, const StackOptions& options,
                   const AttentionMasks<T>& masks = {}, const std::string& name = {});

}  // namespace attn
