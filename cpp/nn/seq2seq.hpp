// The sequence-to-sequence Transformer, from ids to the next word: "Attention Is All You Need", section 3.
#pragma once

#include "nn/transformer.hpp"

namespace attn {

// The settings of the model. The paper's model has positions and multiplies the embedding by sqrt(D).
struct Seq2SeqOptions {
  TransformerOptions transformer = {};
  double base = 10000;    // of the positional encoding
  bool positions = true;  // false: no positional encoding is added, so that the order of the ids is not known
  bool scale_embedding = true;
};

template <typename T>
struct Seq2Seq {
  Tensor<T> source = {};  // (B?, S, D)  src
  Tensor<T> target = {};  // (B?, L, D)  tgt
  Transformer<T> transformer = {};
  Tensor<T> logits = {};     // (B?, L, V)
  Tensor<T> log_probs = {};  // (B?, L, V)
};

// embedding.weight (V, D), encoder.*, decoder.*
ParameterSpecs seq2seq_parameters(const LayerSizes& sizes, std::size_t vocabulary, const Seq2SeqOptions& options);

// Throws InputError naming `operation` and `argument` unless `ids` is (L) or (B, L) with at least one id per sample.
void check_ids(std::string_view operation, std::string_view argument, const Shape& ids);

// embedding[ids] sqrt(D) + PE, where the first id is at position `start`, with dropout in training, called
// `module`.dropout; without the factor or PE if the options say so
//
//   ids  (B?, L)
//   ->   (B?, L, D)
template <typename T>
Tensor<T> embed_sequence(const Tensor<T>& ids, const StateDict<T>& parameters, const Seq2SeqOptions& options,
                         const std::string& module, const std::string& name = {}, std::size_t start = 0);

// logits = transformer(embed(src_ids), embed(tgt_ids)) embedding^T: one table for source, target and logits
//
//   src_ids  (B?, S)
//   tgt_ids  (B?, L)
//   ->       (B?, L, V)
//
// The target is masked causally, whatever masks.target.causal is. Without a mask of the memory's keys, that of the
// source is used. The steps are called src.*, tgt.*, encoder.*, decoder.*, logits, log_probs after the prefix `name`.
// Throws InputError as the layers do, and for an id outside the table.
template <typename T>
Seq2Seq<T> seq2seq(const Tensor<T>& src_ids, const Tensor<T>& tgt_ids, const StateDict<T>& parameters,
                   const Seq2SeqOptions& options, const TransformerMasks<T>& masks = {}, const std::string& name = {});

}  // namespace attn
