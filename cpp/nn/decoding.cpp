// What every way of decoding shares: lists of ids, the logits of the last position, and the replay of one token.
#include "nn/decoding.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "ops/reshape.hpp"
#include "ops/slice.hpp"
#include "tensor/filled_leaf.hpp"

namespace attn {

std::size_t batch_of(const Shape& ids) { return ids.size() == 2 ? ids[0] : 1; }

void check_id(std::string_view operation, const char* argument, std::size_t id, std::size_t vocabulary) {
  if (id >= vocabulary) {
    refuse_option(operation, argument, std::to_string(id),
                  "an id below " + std::to_string(vocabulary) + ", the size of the vocabulary");
  }
}

template <typename T>
void check_vocabulary(std::string_view operation, std::size_t vocabulary) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << std::numeric_limits<T>::digits;
  if (std::uint64_t{vocabulary} > kMost) {
    refuse_option(operation, "vocabulary", std::to_string(vocabulary), "at most " + std::to_string(kMost));
  }
}

template <typename T>
Tensor<T> ids_leaf(Graph<T>& graph, const IdLists& ids, std::size_t start, bool batched, std::string_view operation,
                   std::string name) {
  const std::size_t length = ids[0].size() - start;
  const Shape shape = batched ? Shape{ids.size(), length} : Shape{length};
  graph.check_memory(cell_count(shape) * sizeof(T), operation);
  Array<T> array = full<T>(shape, T(0));
  T* cell = array.data();
  for (const std::vector<std::size_t>& row : ids) {
    for (std::size_t i = start; i < row.size(); ++i) *cell++ = static_cast<T>(row[i]);
  }
  return graph.leaf(std::move(name), std::move(array), {{"kind", "literal"}}, {.kind = Content::Kind::ids});
}

template <typename T>
Tensor<T> last_position(const Tensor<T>& x, const std::string& name) {
  Shape shape = x.shape();
  const std::size_t length = shape[shape.size() - 2];
  shape.erase(shape.end() - 2);
  return reshape(slice(x, -2, length - 1, length), shape, name);
}

template <typename T>
void check_logits(const Array<T>& logits, std::size_t step, std::string_view operation) {
  if (std::any_of(logits.begin(), logits.end(), [](T logit) { return std::isnan(logit); }))
    refuse_option(operation, "logits of step " + std::to_string(step), "nan", "numbers to choose from");
}

void append_ids(const std::vector<std::size_t>& next, std::optional<std::size_t> end, IdLists& ids,
                std::vector<bool>& ended) {
  for (std::size_t sample = 0; sample < ids.size(); ++sample) {
    ids[sample].push_back(ended[sample] ? *end : next[sample]);
    if (end && ids[sample].back() == *end) ended[sample] = true;
  }
}

bool all_ended(const std::vector<bool>& ended) { return std::find(ended.begin(), ended.end(), false) == ended.end(); }

template <typename T>
TokenReplay<T>::TokenReplay(Graph<T>& graph, const Shape& ids, std::size_t capacity, std::size_t width,
                            DecoderCache<T>& cache, std::string_view operation)
    : graph_(&graph), batch_(batch_of(ids)) {
  const auto leaf = [&](const Shape& shape, const Content& content = {}) {
    return filled_leaf(graph, shape, T(0), operation, {}, content);
  };
  // A sequence of `length` for each sample: (length, ...) or (B, length, ...).
  const auto sequence = [&](std::size_t length) { return ids.size() == 2 ? Shape{ids[0], length} : Shape{length}; };
  ids_ = leaf(sequence(1), {.kind = Content::Kind::ids});
  position_ = leaf({1}, {.kind = Content::Kind::ids});
  key_mask_ = leaf(sequence(capacity + 1), {.kind = Content::Kind::mask});
  Shape rows = sequence(capacity);
  rows.push_back(width);
  for (DecoderLayerCache<T>& layer : cache.layers) {
    layer.target = KeyValue<T>{.key = leaf(rows), .value = leaf(rows)};
    cached_.push_back({.leaf = layer.target->key, .joined = {}});
    cached_.push_back({.leaf = layer.target->value, .joined = {}});
  }
}

template <typename T>
void TokenReplay<T>::complete(const DecoderCache<T>& after, const Tensor<T>& logits) {
  logits_ = logits;
  std::vector<std::size_t> inputs = {ids_.id, position_.id, key_mask_.id};
  for (std::size_t layer = 0; layer < after.layers.size(); ++layer) {
    cached_[2 * layer].joined = after.layers[layer].target->key;
    cached_[2 * layer + 1].joined = after.layers[layer].target->value;
  }
  for (const CachedRows& rows : cached_) inputs.push_back(rows.leaf.id);
  nodes_ = graph_->dependents(inputs);
}

template <typename T>
void TokenReplay<T>::forget() {
  kept_ = 0;
  Array<T>& key_mask = graph_->numbers(key_mask_.id);
  const std::size_t row = key_mask_.shape().back();
  for (std::size_t i = 0; i < key_mask.size(); ++i)
    key_mask.data()[i] = T((i + 1) % row == 0);  // at first only the new token may be attended
}

template <typename T>
const Array<T>& TokenReplay<T>::compute(const std::vector<std::size_t>& next) {
  T* ids = graph_->numbers(ids_.id).data();
  for (std::size_t sample = 0; sample < batch_; ++sample) ids[sample] = static_cast<T>(next[sample]);
  graph_->numbers(position_.id).data()[0] = static_cast<T>(kept_);
  graph_->replay(nodes_);
  return logits_.value();
}

template <typename T>
void TokenReplay<T>::keep() {
  // The keys and values of the new token are in the last row of what is joined; they go to its position in the cache.
  for (const CachedRows& rows : cached_) {
    const std::size_t width = rows.leaf.shape().back();
    const std::size_t capacity = rows.leaf.shape().end()[-2];
    const T* joined = rows.joined.value().data();
    T* cell = graph_->numbers(rows.leaf.id).data();
    for (std::size_t sample = 0; sample < batch_; ++sample) {
      std::copy_n(joined + (sample * (capacity + 1) + capacity) * width, width,
                  cell + (sample * capacity + kept_) * width);
    }
  }
  T* key_mask = graph_->numbers(key_mask_.id).data();
  const std::size_t row = key_mask_.shape().back();
  for (std::size_t sample = 0; sample < batch_; ++sample) key_mask[sample * row + kept_] = 1;
  ++kept_;
}

template class TokenReplay<float>;
template class TokenReplay<double>;

#define INSTANTIATE(T)                                                                                      \
  template void check_vocabulary<T>(std::string_view, std::size_t);                                         \
  template Tensor<T> ids_leaf(Graph<T>&, const IdLists&, std::size_t, bool, std::string_view, std::string); \
  template Tensor<T> last_position(const Tensor<T>&, const std::string&);                                   \
  template void check_logits(const Array<T>&, std::size_t, std::string_view)
INSTANTIATE(float);
INSTANTIATE(double);
#undef INSTANTIATE

}  // namespace attn
