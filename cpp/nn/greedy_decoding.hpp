// Greedy decoding: the most likely next word is appended repeatedly.
#pragma once

#include "nn/decoding.hpp"
#include "nn/seq2seq.hpp"

namespace attn {

// The memory (B?, S, D) of a source (B?, S). Its steps are called src.* and encoder.* after the prefix `name`. Throws
// InputError as embed_sequence and encoder do.
template <typename T>
Tensor<T> encode_source(const Tensor<T>& src_ids, const StateDict<T>& parameters, const Seq2SeqOptions& options,
                        const AttentionMasks<T>& masks = {}, const std::string& name = {});

// The logits (B?, V) of the token after `ids` (B?, L), which are the tokens of a target from position `start` on. With a
// cache they follow the tokens in it; without one `start` is 0. The steps are called tgt.*, decoder.*, last, logits
// after the prefix `name`. Throws InputError as embed_sequence and decoder do.
template <typename T>
Tensor<T> next_logits(const Tensor<T>& ids, const Tensor<T>& memory, const StateDict<T>& parameters,
                      const Seq2SeqOptions& options, std::size_t start, DecoderCache<T>* cache,
                      const AttentionMasks<T>& source_masks = {}, const std::string& name = {});

// When decoding starts and ends, as ids of the target vocabulary and a number of tokens.
struct GreedyOptions {
  std::size_t begin = 0;                // the first id of every target
  std::size_t steps = 1;                // tokens to append, at most
  std::optional<std::size_t> end = {};  // the id that ends a target; it is repeated until all targets have ended
  bool cache = true;                    // cache keys and values and compute only new tokens; the results are the same
};

// The result of greedy decoding: the ids, and the nodes they were computed from.
template <typename T>
struct GreedyDecoding {
  Tensor<T> memory = {};               // (B?, S, D)
  IdLists ids = {};                    // of each sample: begin, then the appended ids
  std::vector<Tensor<T>> logits = {};  // (B?, V) of the last position, one per appended token
};

// Starts from `begin` and repeatedly appends the id of the largest logit of the last position, the first among equal
// ones.
//
//   src_ids  (B?, S)
//
// The appended ids become leaves: an edit of the graph does not choose them again. The nodes of step n are called
// step_n.* after the prefix `name`. Throws InputError as seq2seq does, when there are no steps, for a begin or end
// outside the table, for dropout with a cache (it would draw other numbers), and for logits that are NaN.
template <typename T>
GreedyDecoding<T> greedy_decoding(const Tensor<T>& src_ids, const StateDict<T>& parameters,
                                  const Seq2SeqOptions& options, const GreedyOptions& greedy,
                                  const OptionalTensor<T>& source_key_mask = {}, const std::string& name = {});

// Computes the same ids as greedy_decoding for one source after another, but faster: it builds the graph of the source
// and of one token once and replays it, with memory for the keys and values of all tokens. The logits equal those of
// greedy_decoding up to rounding. decode() does not allocate.
template <typename T>
class GreedyDecoder {
 public:
  // For sources of `source_shape`, (S) or (B, S), with the present values of `parameters`. Throws InputError as
  // greedy_decoding does, and when greedy.cache is off; MemoryError when it takes more than `max_bytes`.
  GreedyDecoder(const Parameters<T>& parameters, const Shape& source_shape, const Seq2SeqOptions& options,
                const GreedyOptions& greedy, std::uint64_t max_bytes = kMaxBytes);

  // The ids of a source, to be written before decode(); initially zeros.
  Array<T>& source() { return graph_.numbers(source_.id); }

  // 1 for each id of the source that may be attended; initially all.
  Array<T>& source_key_mask() { return graph_.numbers(source_key_mask_.id); }

  // For each sample: begin, then the appended ids. Throws InputError for an id outside the table and for logits that
  // are NaN.
  const IdLists& decode();

 private:
  void build_source(const StateDict<T>& parameters, const Seq2SeqOptions& options, DecoderCache<T>& cache);
  void build_token(const StateDict<T>& parameters, const Seq2SeqOptions& options, DecoderCache<T>& cache);

  Graph<T> graph_;
  GreedyOptions greedy_;
  Shape shape_;
  Tensor<T> source_, source_key_mask_, memory_;
  std::vector<std::size_t> source_nodes_;
  TokenReplay<T> token_;
  IdLists decoded_;
  std::vector<std::size_t> next_;  // the id of each sample that is computed or chosen
  std::vector<bool> ended_;
};

extern template class GreedyDecoder<float>;
extern template class GreedyDecoder<double>;

}  // namespace attn
