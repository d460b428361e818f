// Multi-head attention: "Attention Is All You Need", section 3.2.2.
#pragma once

#include "nn/scaled_dot_product_attention.hpp"
#include "tensor/state_dict.hpp"

namespace attn {

// Parameters in row-vector form, as in NumPy programs and the paper: Q = x W_Q, or x W_Q + b_Q.
// Head h takes columns h d_k ... (h + 1) d_k of Q and K, and h d_v ... (h + 1) d_v of V.
template <typename T>
struct RowVectorParameters {
  Tensor<T> w_q;                      // (D, H d_k)
  Tensor<T> w_k;                      // (D_key, H d_k)
  Tensor<T> w_v;                      // (D_value, H d_v)
  std::optional<Tensor<T>> w_o = {};  // (H d_v, D); if absent, the output is the concatenation of the heads
  std::optional<Tensor<T>> b_q = {};  // (H d_k)
  std::optional<Tensor<T>> b_k = {};  // (H d_k)
  std::optional<Tensor<T>> b_v = {};  // (H d_v)
  std::optional<Tensor<T>> b_o = {};  // (D); only with w_o
};

// Parameters as stored by torch.nn.MultiheadAttention: Q = x W^T + b. The three input projections are stacked in
// in_proj_weight, or separate when keys or values have widths of their own. Biases are optional.
template <typename T>
struct TorchParameters {
  std::optional<Tensor<T>> in_proj_weight = {};  // (3 E, D): rows of query, key, value
  std::optional<Tensor<T>> q_proj_weight = {};   // (E, D)
  std::optional<Tensor<T>> k_proj_weight = {};   // (E, D_key)
  std::optional<Tensor<T>> v_proj_weight = {};   // (E, D_value)
  std::optional<Tensor<T>> in_proj_bias = {};    // (3 E)
  Tensor<T> out_proj_weight;                     // (D, E)
  std::optional<Tensor<T>> out_proj_bias = {};   // (D)
};

// in_proj_weight (3 D, D), within sqrt(6 / 4D) (Xavier); in_proj_bias, zeros; out_proj.weight (D, D), within 1 /
// sqrt(D); out_proj.bias, zeros.
ParameterSpecs multi_head_attention_parameters(std::size_t embed_dim);

// The parameters of torch.nn.MultiheadAttention by their names. Throws InputError when out_proj.weight is missing.
template <typename T>
TorchParameters<T> torch_parameters(const StateDict<T>& parameters);

template <typename T>
struct MultiHeadAttentionOptions {
  std::size_t num_heads = 1;
  std::optional<AttentionMask<T>> mask = {};  // (L, S), (B H, L, S) or with 4 axes, broadcasting to (B, H, L, S)
  std::optional<Tensor<T>> key_mask = {};     // (B, S), 1 = may be attended
  Causal causal = Causal::none;
  std::optional<double> scale = {};  // multiplies the scores; if absent, they are divided by sqrt(d_k)
  bool unscaled = false;             // the scores are not scaled
  Dropout dropout = {};              // of the attention weights
  std::string name = {};             // prefix of the names of the steps
};

// The nodes of one multi-head attention.
template <typename T>
struct MultiHeadAttention {
  Tensor<T> query = {};                         // (B, L, H d_k)    Q
  Tensor<T> key = {};                           // (B, S, H d_k)    K
  Tensor<T> value = {};                         // (B, S, H d_v)    V
  Tensor<T> query_heads = {};                   // (B, H, L, d_k)   Q_heads
  Tensor<T> key_heads = {};                     // (B, H, S, d_k)   K_heads
  Tensor<T> value_heads = {};                   // (B, H, S, d_v)   V_heads
  ScaledDotProductAttention<T> attention = {};  // its output, (B, H, L, d_v), is called heads
  Tensor<T> concat = {};                        // (B, L, H d_v)
  Tensor<T> output = {};                        // (B, L, D); without W_O it is concat, and its name is output
};

// output = concat(head_1, ..., head_H) W_O,  head_i = attention(query W_Q_i, key W_K_i, value W_V_i)
//
// Where a parameter in row-vector form has a bias, the product before the sum is a node of its own: Q_projected,
// K_projected, V_projected or output_projected.
//
//   query  (B, L, D)
//   key    (B, S, D_key)      (L, D) and so on without a batch
//   value  (B, S, D_value)
//
// Each head attends over the whole sequence with its own columns: the features are divided, not the sequence, and heads
// do not share weights. The weights are returned per head, (B, H, L, S); PyTorch returns their mean over H by default.
// A query whose keys are all hidden has zero weights; after the output projection its row is the projection's bias.
//
// Usual mistakes: a padding mask (B, S) broadcast along the wrong axes (it must become (B, 1, 1, S)), keys reshaped
// with the length of the query, no check that H divides D, and returning the weights after dropout, whose rows do not
// sum to 1.
//
// Throws InputError when the shapes disagree, when num_heads does not divide the projections, and when the parameters
// are incomplete: b_o needs w_o.
template <typename T>
MultiHeadAttention<T> multi_head_attention(const Tensor<T>& query, const Tensor<T>& key, const Tensor<T>& value,
                                           const RowVectorParameters<T>& parameters,
                                           const MultiHeadAttentionOptions<T>& options);
template <typename T>
MultiHeadAttention<T> multi_head_attention(const Tensor<T>& query, const Tensor<T>& key, const Tensor<T>& value,
                                           const TorchParameters<T>& parameters,
                                           const MultiHeadAttentionOptions<T>& options);

// Keys and values after projection, as a decoder caches them for earlier tokens.
template <typename T>
struct KeyValue {
  Tensor<T> key = {};    // (B?, S, H d_k)
  Tensor<T> value = {};  // (B?, S, H d_v)
};

// key W_K^T + b_K and value W_V^T + b_V, called K and V after the prefix `name`.
template <typename T>
KeyValue<T> project_key_value(const Tensor<T>& key, const Tensor<T>& value, const TorchParameters<T>& parameters,
                              const std::string& name = {});

// Multi-head attention with keys and values that are already projected.
template <typename T>
MultiHeadAttention<T> multi_head_attention(const Tensor<T>& query, const KeyValue<T>& projected,
                                           const TorchParameters<T>& parameters,
                                           const MultiHeadAttentionOptions<T>& options);

// The heads of sequences that are all projected, without an output projection: the output is their concatenation,
// called concat after the prefix.
template <typename T>
MultiHeadAttention<T> attend_heads(const Tensor<T>& query, const KeyValue<T>& projected,
                                   const MultiHeadAttentionOptions<T>& options);

}  // namespace attn
