// An image as a sequence of tokens: "An Image is Worth 16x16 Words", section 3.1, equation 1.
#pragma once

#include <optional>
#include <string>

#include "tensor/graph.hpp"

namespace attn {

template <typename T>
struct PatchEmbeddingParameters {
  Tensor<T> weight;                        // (D, C, ph, pw), as a Conv2d with kernel = stride = patch stores it;
                                           // or (C ph pw, D), the W of x W, when options.patch is set
  std::optional<Tensor<T>> bias = {};      // (D)
  std::optional<Tensor<T>> cls = {};       // (D), (1, D) or (1, 1, D), the class token
  std::optional<Tensor<T>> position = {};  // (N + 1, D) with a class token, (N, D) without: learned
                                           // positions; also with a leading axis of size 1
};

// The size of a patch in pixels.
struct PatchSize {
  std::size_t height = 0;
  std::size_t width = 0;
};

struct PatchEmbeddingOptions {
  std::optional<PatchSize> patch = {};  // when set, weight is in row-vector form
  std::string name = {};                // prefix of the names of the steps; ends in a dot unless it is empty
  std::string output_name = "output";   // name of the last step
};

// The nodes of one patch embedding.
template <typename T>
struct PatchEmbedding {
  Tensor<T> patches;                        // (B?, N, C ph pw)  each patch as "c p1 p2"
  std::optional<Tensor<T>> projected = {};  // (B?, N, D)        patches W; only in row-vector form with a bias
  Tensor<T> tokens;                         // (B?, N, D)        patches W + b
  std::optional<Tensor<T>> joined = {};     // (B?, N + 1, D)    the class token first; only with both it and positions
  Tensor<T> output;                         // (B?, N + 1, D)    positions added; tokens when there is neither
};

// tokens = patches W^T + b, identical to Conv2d(kernel = stride = patch); output = [cls; tokens] + position
//
//   image  (B?, C, H, W)     N = (H / ph) (W / pw)
//
// Steps are called patches, projected, tokens, joined and output.
// Throws InputError when the patch does not divide the image, or a parameter does not fit.
template <typename T>
PatchEmbedding<T> patch_embedding(const Tensor<T>& image, const PatchEmbeddingParameters<T>& parameters,
                                  const PatchEmbeddingOptions& options = {});

}  // namespace attn
