// The Vision Transformer: "An Image is Worth 16x16 Words", section 3.1, equations 1 to 4.
#pragma once

#include "nn/encoder.hpp"
#include "nn/patch_embedding.hpp"

namespace attn {

// The sizes of a Vision Transformer; lengths of the image and the patches are in pixels.
struct VisionTransformerSizes {
  LayerSizes layer = {};
  std::size_t channels = 3;
  std::size_t image_height = 0;
  std::size_t image_width = 0;
  std::size_t patch = 0;  // the side of a patch
  std::size_t num_classes = 0;
};

// The settings of the paper: pre-norm, GELU, eps 1e-6, a final norm.
StackOptions vision_transformer_options(std::size_t num_layers, std::size_t num_heads);

// The nodes of one Vision Transformer, with the names of the steps.
template <typename T>
struct VisionTransformer {
  PatchEmbedding<T> embedding = {};  // embedding.*
  Encoder<T> encoder = {};           // layers.N.*; its output, (B?, N + 1, D), is called norm
  Tensor<T> cls = {};                // (B?, D)    cls: the row of the class token
  Tensor<T> logits = {};             // (B?, K)    logits
};

// conv_proj.weight (D, C, p, p), conv_proj.bias, class_token (D), pos_embedding (N + 1, D), layers.N.*, norm.*,
// head.weight (K, D), head.bias. Throws InputError when the patch does not divide the image.
ParameterSpecs vision_transformer_parameters(const VisionTransformerSizes& sizes, const StackOptions& options);

// logits = norm(encoder([cls; patches W^T + b] + positions))[0] head^T + bias
//
//   image  (B?, C, H, W)
//   ->     (B?, K)
//
// Throws InputError when a parameter is missing, the shapes disagree or the patch does not divide the image.
template <typename T>
VisionTransformer<T> vision_transformer(const Tensor<T>& image, const StateDict<T>& parameters,
                                        const StackOptions& options, const std::string& name = {});

}  // namespace attn
