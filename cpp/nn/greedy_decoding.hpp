// Greedy decoding: the most likely word, again and again.
#pragma once

#include "nn/seq2seq.hpp"

namespace attn {

struct GreedyOptions {
  std::size_t begin = 0;                // the id every target begins with
  std::size_t steps = 1;                // tokens to append, at most
  std::optional<std::size_t> end = {};  // the id that ends a target; it is repeated until all have ended
  bool cache = true;                    // keep keys and values, and compute new tokens alone; the numbers are the same
};

template <typename T>
struct GreedyDecoding {
  Tensor<T> memory = {};                           // (B?, S, D)
  std::vector<std::vector<std::size_t>> ids = {};  // of each sample: begin, then what was appended
  std::vector<Tensor<T>> logits = {};              // (B?, V) of the last position, one per token appended
};

// Starts from `begin` and appends the id of the largest logit of the last position; the first of equal ones.
//
//   src_ids  (B?, S)
//
// The ids appended become leaves: an edit of the graph does not choose them again. Step n is called step_n.* after the
// prefix `name`. Throws InputError as seq2seq, when there are no steps, for a begin or end outside the table, for dropout
// with a cache, which would draw other numbers, and for logits that are NaN.
template <typename T>
GreedyDecoding<T> greedy_decoding(const Tensor<T>& src_ids, const StateDict<T>& parameters,
                                  const Seq2SeqOptions& options, const GreedyOptions& greedy,
                                  const OptionalTensor<T>& source_key_mask = {}, const std::string& name = {});

// The same ids for one source after the other, faster: a graph of the source and of one token is built once and replayed,
// with room for the keys and values of all tokens. The numbers are those of greedy_decoding up to rounding. Decoding
// allocates nothing.
template <typename T>
class GreedyDecoder {
 public:
  // For sources of `source_shape`, (S) or (B, S), and the numbers that `parameters` have now. Throws InputError as
  // greedy_decoding, and when greedy.cache is off; MemoryError when it takes more than `max_bytes`.
  GreedyDecoder(const Parameters<T>& parameters, const Shape& source_shape, const Seq2SeqOptions& options,
                const GreedyOptions& greedy, std::uint64_t max_bytes = kMaxBytes);

  // The ids of a source, to be written before decode(); in the beginning zeros.
  Array<T>& source() { return graph_.numbers(source_.id); }

  // Which ids of the source may be attended, 1 for those; in the beginning all.
  Array<T>& source_key_mask() { return graph_.numbers(source_keys_.id); }

  // Of each sample: begin, then what was appended. Throws InputError for an id outside the table and logits that are NaN.
  const std::vector<std::vector<std::size_t>>& decode();

 private:
  // Where the keys or the values of one layer are kept, and those of all tokens including the last.
  struct Kept {
    Tensor<T> leaf;
    Tensor<T> seen;
  };
  void build_source(const StateDict<T>& parameters, const Seq2SeqOptions& options, DecoderCache<T>& cache);
  void build_step(const StateDict<T>& parameters, const Seq2SeqOptions& options, DecoderCache<T>& cache);
  void keep_token(std::size_t step);

  Graph<T> graph_;
  GreedyOptions greedy_;
  Shape shape_;
  std::size_t batch_;
  Tensor<T> source_, source_keys_, memory_;
  Tensor<T> ids_, place_, seen_, logits_;
  std::vector<Kept> kept_;
  std::vector<std::size_t> source_nodes_, step_nodes_;
  std::vector<std::vector<std::size_t>> decoded_;
  std::vector<bool> ended_;
};

extern template class GreedyDecoder<float>;
extern template class GreedyDecoder<double>;

}  // namespace attn
