// Scaled dot-product attention: "Attention Is All You Need", section 3.2.1.
#pragma once

#include "nn/attention_mask.hpp"
#include "nn/dropout.hpp"

namespace attn {

template <typename T>
struct ScaledDotProductAttentionOptions {
  std::optional<AttentionMask<T>> mask = {};  // its tensor broadcasts to (..., L, S)
  Causal causal = Causal::none;
  std::optional<AttentionMask<T>> key_mask = {};  // a second mask, applied last
  std::optional<double> scale = {};               // multiplies the scores; if absent, they are divided by sqrt(d_k)
  bool unscaled = false;                   // the scores are not scaled, whatever `scale` is: there is no node "scaled"
  std::optional<double> temperature = {};  // also divides the scaled scores
  Dropout dropout = {};                    // of the attention weights
  std::string name = {};                   // prefix of the names of the steps
  std::string output_name = "output";      // name of the last step
};

// The nodes of one attention. In a graph that does not observe, only `output` is set.
template <typename T>
struct ScaledDotProductAttention {
  std::optional<Tensor<T>> key_transposed = {};  // (..., d_k, S)  K_T
  std::optional<Tensor<T>> scores = {};          // (..., L, S)    Q K^T
  std::optional<Tensor<T>> scaled = {};          // (..., L, S)    scores / sqrt(d_k); absent when unscaled
  std::optional<Tensor<T>> tempered = {};        // (..., L, S)    scaled / temperature; only with a temperature
  std::optional<Tensor<T>> masked = {};          // (..., L, S)    only with a mask
  std::optional<Tensor<T>> weights = {};         // (..., L, S)    softmax over S; each row sums to 1, or is all 0
  std::optional<Tensor<T>> dropped = {};         // (..., L, S)    weights after dropout; only with dropout
  Tensor<T> output = {};                         // (..., L, d_v)  weights V, or dropped V
};

// output = softmax(query key^T / sqrt(d_k) + mask) value
//
//   query  (..., L, d_k)
//   key    (..., S, d_k)
//   value  (..., S, d_v)    leading axes broadcast; d_v is free
//
// If the graph observes, the steps are nodes called K_T, scores, scaled, masked, weights, dropped and output;
// otherwise there is one fused node. With dropout there are always steps. Several masks are applied in the order
// mask, causal, key mask; the scores between them are called masked_by_mask and masked_by_causal. A query whose keys
// are all hidden by -infinity has zero weights and a zero output (PyTorch gives NaN). A finite fill does not count as
// hiding: a row filled with -1e9 throughout has uniform weights, as in NumPy.
//
// Usual mistakes: an output with the shape and type of the query, which truncates integers and fails when d_v differs
// from d_k; weights of shape (L, L), which fails for cross attention; a mask added in place, which cannot broadcast to
// more axes; and a softmax that does not subtract the maximum, which overflows.
//
// Throws InputError when the shapes disagree or the mask does not broadcast, for a temperature that is not positive,
// and for a dropout outside [0, 1).
template <typename T>
ScaledDotProductAttention<T> scaled_dot_product_attention(const Tensor<T>& query, const Tensor<T>& key,
                                                          const Tensor<T>& value,
                                                          const ScaledDotProductAttentionOptions<T>& options = {});

}  // namespace attn
