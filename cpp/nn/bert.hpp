// A bidirectional encoder that predicts masked words: "BERT", sections 3 and 3.1.
#pragma once

#include "nn/encoder.hpp"
#include "tensor/random.hpp"

namespace attn {

// The sizes of a BERT model; `layer` are the widths of its encoder layers.
struct BertSizes {
  LayerSizes layer = {};
  std::size_t vocabulary = 0;
  std::size_t positions = 512;  // the longest sequence
  std::size_t segments = 2;
};

// The settings of the paper: post-norm, GELU, eps 1e-12, no norm after the last layer.
StackOptions bert_options(std::size_t num_layers, std::size_t num_heads);

// The nodes of one call, with the names of the steps.
template <typename T>
struct Bert {
  Tensor<T> tokens = {};       // (B?, L, D)  embeddings.tokens
  Tensor<T> positions = {};    // (L, D)      embeddings.positions
  Tensor<T> segments = {};     // (B?, L, D)  embeddings.segments
  Tensor<T> embedded = {};     // (B?, L, D)  embeddings.norm: LN of their sum
  Encoder<T> encoder = {};     // layers.N.*
  Tensor<T> transformed = {};  // (B?, L, D)  head.norm: LN(gelu(x W^T + b))
  Tensor<T> logits = {};       // (B?, L, V)  transformed tokens^T + bias
};

// embeddings.word_embeddings.weight (V, D), embeddings.position_embeddings.weight,
// embeddings.token_type_embeddings.weight, embeddings.norm.*, layers.N.*, head.dense.*, head.norm.*, head.bias (V).
// The head predicts with the table of word embeddings.
ParameterSpecs bert_parameters(const BertSizes& sizes, const StackOptions& options);

// Every token attends to every other; there is no causal rule. Positions are learned, so a sequence longer than their
// table is refused.
//
//   ids          (B?, L)
//   segment_ids  (B?, L)    absent: all in segment 0
//   key_mask     (B?, L)    1 = may be attended
//   ->           (B?, L, V)
//
// Throws InputError when a parameter is missing, an id is outside its table, or the shapes disagree.
template <typename T>
Bert<T> bert(const Tensor<T>& ids, const OptionalTensor<T>& segment_ids, const StateDict<T>& parameters,
             const StackOptions& options, const OptionalTensor<T>& key_mask = {}, const std::string& name = {});

// A sentence with masked words, and the words to predict.
struct MaskedTokens {
  std::vector<std::size_t> ids;       // input of the model
  std::vector<std::int64_t> targets;  // expected words; -100 where none is predicted (cross_entropy's ignore_index)
};

// Chooses each token with probability 0.15; a chosen token is masked (0.8), replaced by a random id (0.1) or kept
// (0.1). Draws per token: one random_sample, a second one for a chosen token, and a randint for a replaced one.
// Throws InputError for an id or mask_id outside the vocabulary.
MaskedTokens mask_tokens(const std::vector<std::size_t>& ids, std::size_t vocabulary, std::size_t mask_id,
                         RandomState& random);

}  // namespace attn
