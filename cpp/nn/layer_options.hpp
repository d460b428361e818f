// The sizes, settings and masks that the layers of a Transformer share.
#pragma once

#include <optional>
#include <string>

#include "nn/attention_mask.hpp"
#include "nn/feed_forward.hpp"

namespace attn {

// The prefix of the names of the steps inside `part`; empty, so that the steps have no names, in a graph that does not
// observe when the call has no name.
template <typename T>
std::string step_prefix(const Graph<T>& graph, const std::string& name, const std::string& part) {
  return graph.observe() || !name.empty() ? name + part : std::string();
}

// The widths of one layer.
struct LayerSizes {
  std::size_t d_model = 0;
  std::size_t d_ff = 0;
};

// The settings of one layer, under PyTorch's names. Post-norm (the paper): x = LN(x + f(x)). Pre-norm (ViT, GPT-2): x
// = x + f(LN(x)), which trains without warm-up and needs one more norm at the end. PyTorch's layers always have the
// residual connection and the norm; without them x = LN(f(x)), x = x + f(x) or x = f(x).
struct LayerOptions {
  std::size_t num_heads = 1;
  Activation activation = Activation::relu;
  bool norm_first = false;
  bool residual = true;   // false: a sub-layer's output replaces its input instead of being added to it
  bool norm = true;       // false: no LayerNorm in the layer; the parameters normN are not read
  double eps = 1e-5;      // of every LayerNorm
  bool unbiased = false;  // divide the squared deviations by n - 1, where torch.nn.LayerNorm divides by n
  bool unscaled = false;  // the scores of attention are not divided by sqrt(d_k)
  Dropout dropout = {};
};

// The masks of one attention.
template <typename T>
struct AttentionMasks {
  std::optional<AttentionMask<T>> mask = {};  // (L, S), (B H, L, S) or with 4 axes
  std::optional<Tensor<T>> key_mask = {};     // (B, S), 1 = may be attended
  Causal causal = Causal::none;
};

// The settings of a stack of layers and of the LayerNorm after the last one.
struct StackOptions {
  std::size_t num_layers = 1;
  bool final_norm = true;
  LayerOptions layer = {};
};

}  // namespace attn
