// An image as a sequence of tokens: "An Image is Worth 16x16 Words", section 3.1, equation 1.
#pragma once

#include <optional>

#include "tensor/graph.hpp"

namespace attn {

template <typename T>
struct PatchEmbeddingParameters {
  Tensor<T> weight;                        // (D, C, ph, pw), as a Conv2d with kernel = stride = patch stores it
  std::optional<Tensor<T>> bias = {};      // (D)
  std::optional<Tensor<T>> cls = {};       // (D), the class token
  std::optional<Tensor<T>> position = {};  // (N + 1, D) with a class token, (N, D) without: learned positions
};

template <typename T>
struct PatchEmbedding {
  Tensor<T> patches;  // (B?, N, C ph pw)  each patch as "c p1 p2"
  Tensor<T> tokens;   // (B?, N, D)        patches W^T + b
  Tensor<T> output;   // (B?, N + 1, D)    the class token first, positions added; tokens when there is neither
};

// tokens = patches W^T + b, identical to Conv2d(kernel = stride = patch); output = [cls; tokens] + position
//
//   image  (B?, C, H, W)     N = (H / ph) (W / pw)
//
// Steps are called patches, tokens, with_cls and output, after the prefix `name`, which ends in a dot unless it is empty.
// Throws InputError when the patch does not divide the image, or a parameter does not fit.
template <typename T>
PatchEmbedding<T> patch_embedding(const Tensor<T>& image, const PatchEmbeddingParameters<T>& parameters,
                                  const std::string& name = {});

}  // namespace attn
