// What every way of decoding shares: lists of ids, the logits of the last position, and the replay of one token.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nn/decoder.hpp"

namespace attn {

using IdLists = std::vector<std::vector<std::size_t>>;  // one list per sample

// The number of samples of ids (L) or (B, L).
std::size_t batch_of(const Shape& ids);

// Throws InputError naming `operation` and `argument` unless `id` is a row of a table of `vocabulary`.
void check_id(std::string_view operation, const char* argument, std::size_t id, std::size_t vocabulary);

// Ids are stored as numbers of type T, which must represent all of them exactly; throws InputError if they cannot.
template <typename T>
void check_vocabulary(std::string_view operation, std::size_t vocabulary);

// The ids from `start` on as a leaf, without a batch axis unless `batched`.
template <typename T>
Tensor<T> ids_leaf(Graph<T>& graph, const IdLists& ids, std::size_t start, bool batched, std::string_view operation,
                   std::string name);

// The last position: (B, L, D) -> (B, D), (L, D) -> (D).
template <typename T>
Tensor<T> last_position(const Tensor<T>& x, const std::string& name);

// Throws InputError naming `operation` when one of the logits of `step` is NaN.
template <typename T>
void check_logits(const Array<T>& logits, std::size_t step, std::string_view operation);

// Appends `next` to every sample, or `end` if the sample has ended; an appended `end` ends its sample.
void append_ids(const std::vector<std::size_t>& next, std::optional<std::size_t> end, IdLists& ids,
                std::vector<bool>& ended);

bool all_ended(const std::vector<bool>& ended);

// One token in a graph that is built once and replayed for every token: leaves for its id, its position and the keys
// and values of the tokens before it. Nothing here allocates after complete().
template <typename T>
class TokenReplay {
 public:
  TokenReplay() = default;

  // Adds the leaves to `graph`, which must outlive this object, with memory for the keys and values of `capacity`
  // earlier tokens of `width` in every layer of `cache`, whose targets they become. `ids` is the shape of ids (L) or
  // (B, L), of which only the batch counts.
  TokenReplay(Graph<T>& graph, const Shape& ids, std::size_t capacity, std::size_t width, DecoderCache<T>& cache,
              std::string_view operation);

  const Tensor<T>& ids() const { return ids_; }            // (B?, 1)
  const Tensor<T>& position() const { return position_; }  // (1)
  const Tensor<T>& key_mask() const { return key_mask_; }  // (B?, capacity + 1): the cached tokens, then the new one

  // Sets what was computed from these leaves: the cache with the new token, and the token's logits (B?, V).
  void complete(const DecoderCache<T>& after, const Tensor<T>& logits);

  // The nodes that every replay computes.
  const std::vector<std::size_t>& nodes() const { return nodes_; }

  void forget();  // all tokens

  // The logits of a token of each sample, `next`, at the position after those that are kept.
  const Array<T>& compute(const std::vector<std::size_t>& next);

  // Keeps the keys and values of the token computed last.
  void keep();

 private:
  // The cached keys or values of one layer (a leaf), and the node that joins them with those of the new token.
  struct CachedRows {
    Tensor<T> leaf;
    Tensor<T> joined;
  };

  Graph<T>* graph_ = nullptr;
  std::size_t batch_ = 0;
  std::size_t kept_ = 0;
  Tensor<T> ids_, position_, key_mask_, logits_;
  std::vector<CachedRows> cached_;  // the keys of the first layer, its values, ...
  std::vector<std::size_t> nodes_;
};

extern template class TokenReplay<float>;
extern template class TokenReplay<double>;

}  // namespace attn
