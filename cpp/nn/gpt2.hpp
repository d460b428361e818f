// A decoder-only language model: "Language Models are Unsupervised Multitask Learners" (GPT-2), section 2.3.
#pragma once

#include "nn/decoding.hpp"
#include "nn/encoder.hpp"
#include "nn/sampling.hpp"

namespace attn {

// The sizes of a GPT-2 model; `layer` are the widths of its blocks, where GPT-2 has d_ff = 4 d_model.
struct Gpt2Sizes {
  LayerSizes layer = {};
  std::size_t vocabulary = 0;
  std::size_t positions = 1024;  // the longest sequence
};

// The settings of GPT-2: pre-norm, GELU by its tanh approximation ("gelu_new"), eps 1e-5, a norm after the last block.
StackOptions gpt2_options(std::size_t num_layers, std::size_t num_heads);

// The nodes of one call. A block has the steps of an encoder layer, under GPT-2's names.
template <typename T>
struct Gpt2 {
  Tensor<T> tokens = {};     // (B?, L, D)  wte
  Tensor<T> positions = {};  // (B?, L, D)  wpe, without a batch unless position ids have one
  Tensor<T> embedded = {};   // (B?, L, D)  their sum
  Encoder<T> blocks = {};    // h.N.*, and ln_f, which gives the output
  Tensor<T> logits = {};     // (B?, L, V)  output wte^T
};

// wte.weight (V, D), wpe.weight (positions, D), and for each block N h.N.ln_1.*, h.N.attn.c_attn.weight (D, 3D) and
// .bias, h.N.attn.c_proj.* (D, D), h.N.ln_2.*, h.N.mlp.c_fc.* (D, d_ff), h.N.mlp.c_proj.* (d_ff, D); then ln_f.*
//
// Weights are in row-vector form, (in, out), as in GPT-2's own files. The names are those of the files, and
// attn.c_proj.weight is square: stored the other way round, a file would load without an error and compute something
// else. c_attn has the columns of Q, then K, then V.
//
// GPT-2's initial values: normal with a deviation of 0.02, which is divided by sqrt(2 N) for the two projections of each
// block that are added to the residual stream, where N is the number of blocks; biases 0; norms 1 and 0.
ParameterSpecs gpt2_parameters(const Gpt2Sizes& sizes, const StackOptions& options);

// From ids to the logits of the next id, at every position
//
//   ids           (B?, L)
//   key_mask      (B?, S)        1 = may be attended
//   position_ids  (L) or as ids  absent: 0, 1, ..., or the positions after the cached tokens
//   ->            (B?, L, V)
//
// The mask is always causal. Positions are learned, so a sequence longer than their table is refused. With a cache, ids
// are the tokens after those in it: their keys and values are appended to the targets of the cache (its memories stay
// empty), and S counts all of them; without one S is L. The settings residual, norm and norm_first act as in encoder
// layers: without norm, ln_1 and ln_2 are not read.
//
// The steps are called wte, wpe, embedded, h.N.ln_1, h.N.attn.c_attn, h.N.attn.Q and so on, h.N.attn.c_proj,
// h.N.residual1, h.N.ln_2, h.N.mlp.c_fc, h.N.mlp.activation, h.N.mlp.c_proj, h.N.residual2, ln_f, logits after the
// prefix `name`. Dropout acts where GPT-2 has it (drop, attn.attn_dropout, attn.resid_dropout, mlp.dropout), so not
// inside the feed-forward network. Throws InputError when a parameter is missing, an id is outside its table, or the
// shapes disagree.
template <typename T>
Gpt2<T> gpt2(const Tensor<T>& ids, const StateDict<T>& parameters, const StackOptions& options,
             const OptionalTensor<T>& key_mask = {}, const std::string& name = {},
             const OptionalTensor<T>& position_ids = {}, DecoderCache<T>* cache = nullptr);

// How a text is continued.
struct ContinuationOptions {
  std::size_t steps = 1;                // tokens to append, at most
  std::optional<std::size_t> end = {};  // the id that ends a sample; it is repeated until all samples have ended
  SamplingOptions sampling = {};
  std::uint32_t seed = 0;  // of the draws, as of numpy.random.RandomState: one random_sample per token and sample, in
                           // order, whatever is left to choose from
};

// Texts that were continued, and the probabilities of each step.
template <typename T>
struct Continuation {
  IdLists ids = {};                               // of each sample: the prompt, then the appended ids
  std::vector<Array<double>> probabilities = {};  // (B?, V), one per appended token: see next_probabilities
  std::vector<Tensor<T>> logits = {};             // (B?, V) of the last position; only of gpt2_continuation
};

// Appends to the prompt, step by step, an id drawn from the probabilities that temperature, top-k and top-p leave; the
// most likely one for a temperature of 0.
//
//   prompt  (B?, L)
//
// With `cache` the keys and values of earlier tokens are cached and only new tokens are computed: the numbers are the
// same. The appended ids become leaves: an edit of the graph does not choose them again. The nodes of step n are called
// step_n.* after the prefix `name`. Throws InputError as gpt2 and next_probabilities do, when there are no steps, when
// prompt and steps together need more positions than there are, for an end outside the vocabulary, and for dropout with
// a cache.
template <typename T>
Continuation<T> gpt2_continuation(const Tensor<T>& prompt, const StateDict<T>& parameters, const StackOptions& options,
                                  const ContinuationOptions& how, bool cache = true, const std::string& name = {});

// Continues one text after another, as gpt2_continuation does, but faster: it builds the graph of one token once and
// replays it, for the tokens of the prompt too. The logits equal those of gpt2_continuation up to rounding.
template <typename T>
class Gpt2Decoder {
 public:
  // For texts of which at most `length` ids are read (the prompt and all appended ids but the last), with the present
  // values of `parameters`; `batch` samples at a time, or absent: probabilities have no batch axis. Throws InputError as
  // gpt2 does, and for dropout; MemoryError when it takes more than `max_bytes`.
  Gpt2Decoder(const Parameters<T>& parameters, const StackOptions& options, std::size_t length,
              std::optional<std::size_t> batch = {}, std::uint64_t max_bytes = kMaxBytes);

  // The prompts have the same length, at least 1.
  Continuation<T> continue_texts(const IdLists& prompts, const ContinuationOptions& how);

 private:
  Graph<T> graph_;
  std::size_t length_, vocabulary_;
  Shape shape_;  // of the ids of one token
  TokenReplay<T> token_;
};

extern template class Gpt2Decoder<float>;
extern template class Gpt2Decoder<double>;

}  // namespace attn
