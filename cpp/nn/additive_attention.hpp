// Additive attention: "Neural Machine Translation by Jointly Learning to Align and Translate", section 3.1.
#pragma once

#include <optional>

#include "nn/attention_mask.hpp"
#include "tensor/parameters.hpp"

namespace attn {

template <typename T>
struct AdditiveAttentionParameters {
  Tensor<T> w_q;  // (d_q, h)
  Tensor<T> w_k;  // (d_k, h)
  Tensor<T> w_v;  // (h)
};

template <typename T>
struct AdditiveAttentionOptions {
  std::optional<AttentionMask<T>> mask = {};  // broadcasts to (..., L, S)
  std::string name = {};                      // prefix of the names of the steps
};

// The nodes of one additive attention.
template <typename T>
struct AdditiveAttention {
  Tensor<T> query = {};                  // (..., L, h)     Q          query W_q
  Tensor<T> key = {};                    // (..., S, h)     K          key W_k
  Tensor<T> sum = {};                    // (..., L, S, h)  sum        Q_i + K_j
  Tensor<T> hidden = {};                 // (..., L, S, h)  hidden     tanh
  Tensor<T> scores = {};                 // (..., L, S)     scores     hidden w_v
  std::optional<Tensor<T>> masked = {};  // (..., L, S)     masked     only with a mask
  Tensor<T> weights = {};                // (..., L, S)     weights    softmax over S
  Tensor<T> output = {};                 // (..., L, d_v)   output     weights value
};

// w_q (d_q, h), w_k (d_k, h), w_v (h): uniform within 1 / sqrt(rows).
ParameterSpecs additive_attention_parameters(std::size_t query_dim, std::size_t key_dim, std::size_t hidden_dim);

// scores[i, j] = w_v . tanh(query_i W_q + key_j W_k),   output = softmax(scores) value
//
//   query  (..., L, d_q)
//   key    (..., S, d_k)     d_q and d_k are free
//   value  (..., S, d_v)
//   ->     (..., L, d_v)
//
// Each pair is compared by a network with one hidden layer: (L, S, h) numbers where a dot product needs (L, S). The
// scores are not scaled. A query whose keys are all hidden has zero weights. Throws InputError when the shapes
// disagree.
template <typename T>
AdditiveAttention<T> additive_attention(const Tensor<T>& query, const Tensor<T>& key, const Tensor<T>& value,
                                        const AdditiveAttentionParameters<T>& parameters,
                                        const AdditiveAttentionOptions<T>& options = {});

}  // namespace attn
