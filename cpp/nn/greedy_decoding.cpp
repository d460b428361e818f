// Greedy decoding: the most likely next word is appended repeatedly.
#include "nn/greedy_decoding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "nn/embedding.hpp"
#include "nn/positional_encoding.hpp"
#include "ops/add.hpp"
#include "ops/reshape.hpp"
#include "ops/slice.hpp"
#include "tensor/filled_leaf.hpp"

namespace attn {
namespace {

using Ids = std::vector<std::vector<std::size_t>>;  // one list per sample

constexpr std::string_view kName = "greedy_decoding";

std::size_t batch_of(const Shape& source) { return source.size() == 2 ? source[0] : 1; }

void check_id(const char* argument, std::size_t id, std::size_t vocabulary) {
  if (id >= vocabulary) {
    refuse_option(kName, argument, std::to_string(id),
                  "an id below " + std::to_string(vocabulary) + ", the size of the vocabulary");
  }
}

// Ids are stored as numbers of type T, which must represent all of them exactly.
template <typename T>
void check_vocabulary(std::size_t vocabulary) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << std::numeric_limits<T>::digits;
  if (std::uint64_t{vocabulary} > kMost) {
    refuse_option(kName, "vocabulary", std::to_string(vocabulary), "at most " + std::to_string(kMost));
  }
}

template <typename T>
void check_greedy(const Shape& source, const Shape& table, const Seq2SeqOptions& options, const GreedyOptions& greedy) {
  check_ids(kName, "src_ids", source);
  if (batch_of(source) == 0) refuse_shape(kName, "src_ids", source, "at least one sample");
  if (greedy.steps == 0) refuse_option(kName, "steps", "0", "at least 1");
  if (table.size() != 2) refuse_shape(kName, "embedding.weight", table, "(V, D)");
  const std::size_t vocabulary = table[0];
  check_vocabulary<T>(vocabulary);
  if (greedy.cache && options.transformer.layer.dropout.p != 0) {
    refuse_option(kName, "dropout", format_number(options.transformer.layer.dropout.p),
                  "0 when cache is true: a cache would draw for the new token alone");
  }
  check_id("begin", greedy.begin, vocabulary);
  if (greedy.end) check_id("end", *greedy.end, vocabulary);
}

// The ids from `start` on as a leaf, without a batch axis if the source has none.
template <typename T>
Tensor<T> ids_leaf(Graph<T>& graph, const Ids& ids, std::size_t start, bool batched, std::string name) {
  const std::size_t length = ids[0].size() - start;
  const Shape shape = batched ? Shape{ids.size(), length} : Shape{length};
  graph.check_memory(cell_count(shape) * sizeof(T), kName);
  Array<T> array = full<T>(shape, T(0));
  T* cell = array.data();
  for (const std::vector<std::size_t>& row : ids) {
    for (std::size_t i = start; i < row.size(); ++i) *cell++ = static_cast<T>(row[i]);
  }
  return graph.leaf(std::move(name), std::move(array), {{"kind", "literal"}}, {.kind = Content::Kind::ids});
}

// The last position: (B, L, D) -> (B, D), (L, D) -> (D).
template <typename T>
Tensor<T> last_position(const Tensor<T>& x, const std::string& name) {
  Shape shape = x.shape();
  const std::size_t length = shape[shape.size() - 2];
  shape.erase(shape.end() - 2);
  return reshape(slice(x, -2, length - 1, length), shape, name);
}

// Appends the id of the largest logit, (B?, V), to every sample, or the end id if the sample has ended.
template <typename T>
void append_best(const Array<T>& logits, std::size_t step, const GreedyOptions& greedy, Ids& ids,
                 std::vector<bool>& ended) {
  const std::size_t vocabulary = logits.size() / ids.size();
  const T* row = logits.data();
  for (std::size_t sample = 0; sample < ids.size(); ++sample, row += vocabulary) {
    if (std::any_of(row, row + vocabulary, [](T logit) { return std::isnan(logit); })) {
      refuse_option(kName, "logits of step " + std::to_string(step), "nan", "numbers to choose from");
    }
    const auto best = static_cast<std::size_t>(std::max_element(row, row + vocabulary) - row);
    ids[sample].push_back(ended[sample] ? *greedy.end : best);
    if (greedy.end && ids[sample].back() == *greedy.end) ended[sample] = true;
  }
}

bool all_ended(const std::vector<bool>& ended) { return std::find(ended.begin(), ended.end(), false) == ended.end(); }

}  // namespace

template <typename T>
GreedyDecoding<T> greedy_decoding(const Tensor<T>& src_ids, const StateDict<T>& parameters,
                                  const Seq2SeqOptions& options, const GreedyOptions& greedy,
                                  const OptionalTensor<T>& source_key_mask, const std::string& name) {
  Graph<T>& graph = *src_ids.graph;
  const Tensor<T> table = parameters.at("embedding.weight");
  check_greedy<T>(src_ids.shape(), table.shape(), options, greedy);
  const bool batched = src_ids.shape().size() == 2;
  const std::size_t batch = batch_of(src_ids.shape());
  const auto prefix = [&](const std::string& part) { return step_prefix(graph, name, part); };
  const AttentionMasks<T> source_masks{.key_mask = source_key_mask};
  GreedyDecoding<T> decoded;
  decoded.memory =
      encoder(embed_sequence(src_ids, parameters, options, "src", prefix("src.")), parameters.within("encoder"),
              options.transformer.encoder(), source_masks, prefix("encoder."))
          .output;
  decoded.ids.assign(batch, {greedy.begin});
  DecoderCache<T> cache;
  std::vector<bool> ended(batch, false);
  for (std::size_t step = 0; step < greedy.steps; ++step) {
    const std::string part = "step_" + std::to_string(step) + ".";
    const std::size_t start = greedy.cache ? step : 0;
    const Tensor<T> ids = ids_leaf(graph, decoded.ids, start, batched, prefix(part + "ids"));
    const Tensor<T> target = embed_sequence(ids, parameters, options, "tgt", prefix(part + "tgt."), start);
    const AttentionMasks<T> target_masks{.causal = Causal::top_left};
    const Tensor<T> output =
        decoder(target, decoded.memory, parameters.within("decoder"), options.transformer.decoder(), target_masks,
                source_masks, prefix(part + "decoder."), greedy.cache ? &cache : nullptr)
            .output;
    const Tensor<T> last = last_position(output, graph.observe() ? name + part + "last" : std::string());
    decoded.logits.push_back(tied_logits(last, table, prefix(part + "logits")));
    append_best(decoded.logits.back().value(), step, greedy, decoded.ids, ended);
    if (all_ended(ended)) break;
  }
  return decoded;
}

namespace {

// The shape of `source`, with a matrix (length, width) for each sequence of ids: (S) -> (length, width), (B, S) ->
// (B, length, width).
Shape rows_of(const Shape& source, std::size_t length, std::size_t width) {
  if (source.size() == 1) return {length, width};
  return {source[0], length, width};
}

// (S) -> (length), (B, S) -> (B, length).
Shape with_length(Shape source, std::size_t length) {
  source.back() = length;
  return source;
}

template <typename T>
Tensor<T> zero_leaf(Graph<T>& graph, const Shape& shape, const Content& content = {}) {
  return filled_leaf(graph, shape, T(0), kName, {}, content);
}

}  // namespace

template <typename T>
GreedyDecoder<T>::GreedyDecoder(const Parameters<T>& parameters, const Shape& source_shape,
                                const Seq2SeqOptions& options, const GreedyOptions& greedy, std::uint64_t max_bytes)
    : graph_({.max_bytes = max_bytes}), greedy_(greedy), shape_(source_shape), batch_(batch_of(source_shape)) {
  const StateDict<T> state(graph_, parameters);
  check_greedy<T>(shape_, state.at("embedding.weight").shape(), options, greedy);
  if (!greedy.cache) refuse_option(kName, "cache", "false", "true: GreedyDecoder always caches keys and values");
  DecoderCache<T> cache;
  build_source(state, options, cache);
  build_step(state, options, cache);

  std::vector<std::size_t> inputs = {ids_.id, position_.id, key_mask_.id};
  for (const CachedRows& rows : cached_) inputs.push_back(rows.leaf.id);
  step_nodes_ = graph_.dependents(inputs);
  const std::vector<std::size_t> source_dependents = graph_.dependents({source_.id, source_key_mask_.id});
  std::set_difference(source_dependents.begin(), source_dependents.end(), step_nodes_.begin(), step_nodes_.end(),
                      std::back_inserter(source_nodes_));
  decoded_.resize(batch_);
  for (std::vector<std::size_t>& sample : decoded_) sample.reserve(greedy.steps + 1);
  ended_.resize(batch_);
}

// Adds the nodes that compute the keys and values of the memory from the ids of the source.
template <typename T>
void GreedyDecoder<T>::build_source(const StateDict<T>& parameters, const Seq2SeqOptions& options,
                                    DecoderCache<T>& cache) {
  source_ = zero_leaf(graph_, shape_, {.kind = Content::Kind::ids});
  source_key_mask_ = filled_leaf(graph_, shape_, T(1), kName, {}, {.kind = Content::Kind::mask});
  memory_ = encoder(embed_sequence(source_, parameters, options, "src"), parameters.within("encoder"),
                    options.transformer.encoder(), {.key_mask = source_key_mask_})
                .output;
  for (std::size_t layer = 0; layer < options.transformer.num_decoder_layers; ++layer) {
    const StateDict<T> attention = parameters.within("decoder.layers." + std::to_string(layer) + ".multihead_attn");
    cache.layers.push_back({.memory = project_key_value(memory_, memory_, torch_parameters(attention))});
  }
}

// Adds the nodes that compute the logits of a token from its id, its position and the cached keys and values of
// earlier tokens.
template <typename T>
void GreedyDecoder<T>::build_step(const StateDict<T>& parameters, const Seq2SeqOptions& options,
                                  DecoderCache<T>& cache) {
  const std::size_t capacity = std::max<std::size_t>(1, greedy_.steps - 1);
  const Tensor<T> table = parameters.at("embedding.weight");
  const std::size_t width = table.shape().back();
  ids_ = zero_leaf(graph_, with_length(shape_, 1), {.kind = Content::Kind::ids});
  position_ = zero_leaf(graph_, {1}, {.kind = Content::Kind::ids});
  key_mask_ = zero_leaf(graph_, with_length(shape_, capacity + 1), {.kind = Content::Kind::mask});
  const auto empty_cache = [&] { return zero_leaf(graph_, rows_of(shape_, capacity, width)); };
  for (DecoderLayerCache<T>& layer : cache.layers)
    layer.target = KeyValue<T>{.key = empty_cache(), .value = empty_cache()};
  const DecoderCache<T> before = cache;

  const Tensor<T> encodings =
      sinusoidal_encoding(graph_, first_positions(graph_, greedy_.steps, kName), width, options.base);
  const Tensor<T> target = add(embedding(ids_, parameters.within("embedding"), true), embedding(position_, encodings));
  const Tensor<T> output = decoder(target, memory_, parameters.within("decoder"), options.transformer.decoder(),
                                   {.key_mask = key_mask_}, {.key_mask = source_key_mask_}, {}, &cache)
                               .output;
  logits_ = tied_logits(last_position(output, {}), table);
  for (std::size_t layer = 0; layer < cache.layers.size(); ++layer) {
    cached_.push_back({before.layers[layer].target->key, cache.layers[layer].target->key});
    cached_.push_back({before.layers[layer].target->value, cache.layers[layer].target->value});
  }
}

// Copies the keys and values of the token of `step`, which are in the last row, to their position in the cache.
template <typename T>
void GreedyDecoder<T>::cache_token(std::size_t step) {
  for (const CachedRows& rows : cached_) {
    const std::size_t width = rows.leaf.shape().back();
    const std::size_t capacity = rows.leaf.shape().end()[-2];
    const T* joined = rows.joined.value().data();
    T* cell = graph_.numbers(rows.leaf.id).data();
    for (std::size_t sample = 0; sample < batch_; ++sample) {
      std::copy_n(joined + (sample * (capacity + 1) + capacity) * width, width,
                  cell + (sample * capacity + step) * width);
    }
  }
  T* key_mask = graph_.numbers(key_mask_.id).data();
  const std::size_t row = key_mask_.shape().back();
  for (std::size_t sample = 0; sample < batch_; ++sample) key_mask[sample * row + step] = 1;
}

template <typename T>
const std::vector<std::vector<std::size_t>>& GreedyDecoder<T>::decode() {
  graph_.replay(source_nodes_);
  for (std::vector<std::size_t>& sample : decoded_) sample.assign(1, greedy_.begin);
  std::fill(ended_.begin(), ended_.end(), false);
  Array<T>& key_mask = graph_.numbers(key_mask_.id);
  const std::size_t row = key_mask_.shape().back();
  for (std::size_t i = 0; i < key_mask.size(); ++i)
    key_mask.data()[i] = T((i + 1) % row == 0);  // at first only the new token may be attended
  for (std::size_t step = 0; step < greedy_.steps; ++step) {
    for (std::size_t sample = 0; sample < batch_; ++sample)
      graph_.numbers(ids_.id).data()[sample] = static_cast<T>(decoded_[sample].back());
    graph_.numbers(position_.id).data()[0] = static_cast<T>(step);
    graph_.replay(step_nodes_);
    append_best(logits_.value(), step, greedy_, decoded_, ended_);
    if (all_ended(ended_) || step + 1 == greedy_.steps) break;
    cache_token(step);
  }
  return decoded_;
}

template class GreedyDecoder<float>;
template class GreedyDecoder<double>;

#define INSTANTIATE(T)                                                                                     \
  template GreedyDecoding<T> greedy_decoding(const Tensor<T>&, const StateDict<T>&, const Seq2SeqOptions&, \
                                             const GreedyOptions&, const OptionalTensor<T>&, const std::string&)
INSTANTIATE(float);
INSTANTIATE(double);
#undef INSTANTIATE

}  // namespace attn
