// Greedy decoding: the most likely next word is appended repeatedly.
#include "nn/greedy_decoding.hpp"

#include <algorithm>

#include "nn/embedding.hpp"
#include "nn/positional_encoding.hpp"
#include "ops/add.hpp"
#include "tensor/filled_leaf.hpp"

namespace attn {
namespace {

constexpr std::string_view kName = "greedy_decoding";

template <typename T>
void check_greedy(const Shape& source, const Shape& table, const Seq2SeqOptions& options, const GreedyOptions& greedy) {
  check_ids(kName, "src_ids", source);
  if (batch_of(source) == 0) refuse_shape(kName, "src_ids", source, "at least one sample");
  if (greedy.steps == 0) refuse_option(kName, "steps", "0", "at least 1");
  if (table.size() != 2) refuse_shape(kName, "embedding.weight", table, "(V, D)");
  const std::size_t vocabulary = table[0];
  check_vocabulary<T>(kName, vocabulary);
  if (greedy.cache && options.transformer.layer.dropout.p != 0) {
    refuse_option(kName, "dropout", format_number(options.transformer.layer.dropout.p),
                  "0 when cache is true: a cache would draw for the new token alone");
  }
  check_id(kName, "begin", greedy.begin, vocabulary);
  if (greedy.end) check_id(kName, "end", *greedy.end, vocabulary);
}

// Writes the id of the largest logit, (B?, V), of every sample to `best`.
template <typename T>
void find_best(const Array<T>& logits, std::size_t step, std::vector<std::size_t>& best) {
  check_logits(logits, step, kName);
  const std::size_t vocabulary = logits.size() / best.size();
  const T* row = logits.data();
  for (std::size_t& id : best) {
    id = static_cast<std::size_t>(std::max_element(row, row + vocabulary) - row);
    row += vocabulary;
  }
}

}  // namespace

template <typename T>
Tensor<T> encode_source(const Tensor<T>& src_ids, const StateDict<T>& parameters, const Seq2SeqOptions& options,
                        const AttentionMasks<T>& masks, const std::string& name) {
  const auto prefix = [&](const char* part) { return step_prefix(*src_ids.graph, name, part); };
  return encoder(embed_sequence(src_ids, parameters, options, "src", prefix("src.")), parameters.within("encoder"),
                 options.transformer.encoder(), masks, prefix("encoder."))
      .output;
}

template <typename T>
Tensor<T> next_logits(const Tensor<T>& ids, const Tensor<T>& memory, const StateDict<T>& parameters,
                      const Seq2SeqOptions& options, std::size_t start, DecoderCache<T>* cache,
                      const AttentionMasks<T>& source_masks, const std::string& name) {
  const auto prefix = [&](const char* part) { return step_prefix(*ids.graph, name, part); };
  const Tensor<T> target = embed_sequence(ids, parameters, options, "tgt", prefix("tgt."), start);
  const AttentionMasks<T> target_masks{.causal = Causal::top_left};
  const Tensor<T> output = decoder(target, memory, parameters.within("decoder"), options.transformer.decoder(),
                                   target_masks, source_masks, prefix("decoder."), cache)
                               .output;
  return tied_logits(last_position(output, prefix("last")), parameters.at("embedding.weight"), prefix("logits"));
}

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
  decoded.memory = encode_source(src_ids, parameters, options, source_masks, name);
  decoded.ids.assign(batch, {greedy.begin});
  DecoderCache<T> cache;
  std::vector<std::size_t> best(batch);
  std::vector<bool> ended(batch, false);
  for (std::size_t step = 0; step < greedy.steps; ++step) {
    const std::string part = "step_" + std::to_string(step) + ".";
    const std::size_t start = greedy.cache ? step : 0;
    const Tensor<T> ids = ids_leaf(graph, decoded.ids, start, batched, kName, prefix(part + "ids"));
    decoded.logits.push_back(next_logits(ids, decoded.memory, parameters, options, start,
                                         greedy.cache ? &cache : nullptr, source_masks, prefix(part)));
    find_best(decoded.logits.back().value(), step, best);
    append_ids(best, greedy.end, decoded.ids, ended);
    if (all_ended(ended)) break;
  }
  return decoded;
}

template <typename T>
GreedyDecoder<T>::GreedyDecoder(const Parameters<T>& parameters, const Shape& source_shape,
                                const Seq2SeqOptions& options, const GreedyOptions& greedy, std::uint64_t max_bytes)
    : graph_({.max_bytes = max_bytes}), greedy_(greedy), shape_(source_shape) {
  const StateDict<T> state(graph_, parameters);
  check_greedy<T>(shape_, state.at("embedding.weight").shape(), options, greedy);
  if (!greedy.cache) refuse_option(kName, "cache", "false", "true: GreedyDecoder always caches keys and values");
  DecoderCache<T> cache;
  build_source(state, options, cache);
  build_token(state, options, cache);

  const std::vector<std::size_t> source_dependents = graph_.dependents({source_.id, source_key_mask_.id});
  std::set_difference(source_dependents.begin(), source_dependents.end(), token_.nodes().begin(), token_.nodes().end(),
                      std::back_inserter(source_nodes_));
  const std::size_t batch = batch_of(shape_);
  decoded_.resize(batch);
  for (std::vector<std::size_t>& sample : decoded_) sample.reserve(greedy.steps + 1);
  next_.resize(batch);
  ended_.resize(batch);
}

// Adds the nodes that compute the keys and values of the memory from the ids of the source.
template <typename T>
void GreedyDecoder<T>::build_source(const StateDict<T>& parameters, const Seq2SeqOptions& options,
                                    DecoderCache<T>& cache) {
  source_ = filled_leaf(graph_, shape_, T(0), kName, {}, {.kind = Content::Kind::ids});
  source_key_mask_ = filled_leaf(graph_, shape_, T(1), kName, {}, {.kind = Content::Kind::mask});
  memory_ = encode_source(source_, parameters, options, {.key_mask = source_key_mask_});
  for (std::size_t layer = 0; layer < options.transformer.num_decoder_layers; ++layer) {
    const StateDict<T> attention = parameters.within("decoder.layers." + std::to_string(layer) + ".multihead_attn");
    cache.layers.push_back({.memory = project_key_value(memory_, memory_, torch_parameters(attention))});
  }
}

// Adds the nodes that compute the logits of a token from its id, its position and the cached keys and values of
// earlier tokens.
template <typename T>
void GreedyDecoder<T>::build_token(const StateDict<T>& parameters, const Seq2SeqOptions& options,
                                   DecoderCache<T>& cache) {
  const Tensor<T> table = parameters.at("embedding.weight");
  const std::size_t width = table.shape().back();
  token_ = TokenReplay<T>(graph_, shape_, std::max<std::size_t>(1, greedy_.steps - 1), width, cache, kName);
  Tensor<T> target = embedding(token_.ids(), parameters.within("embedding"), options.scale_embedding);
  if (options.positions) {
    const Tensor<T> encodings =
        sinusoidal_encoding(graph_, first_positions(graph_, greedy_.steps, kName), width, options.base);
    target = add(target, embedding(token_.position(), encodings));
  }
  const Tensor<T> output = decoder(target, memory_, parameters.within("decoder"), options.transformer.decoder(),
                                   {.key_mask = token_.key_mask()}, {.key_mask = source_key_mask_}, {}, &cache)
                               .output;
  token_.complete(cache, tied_logits(last_position(output, {}), table));
}

template <typename T>
const IdLists& GreedyDecoder<T>::decode() {
  graph_.replay(source_nodes_);
  for (std::vector<std::size_t>& sample : decoded_) sample.assign(1, greedy_.begin);
  std::fill(ended_.begin(), ended_.end(), false);
  token_.forget();
  for (std::size_t step = 0; step < greedy_.steps; ++step) {
    for (std::size_t sample = 0; sample < next_.size(); ++sample) next_[sample] = decoded_[sample].back();
    find_best(token_.compute(next_), step, next_);
    append_ids(next_, greedy_.end, decoded_, ended_);
    if (all_ended(ended_) || step + 1 == greedy_.steps) break;
    token_.keep();
  }
  return decoded_;
}

template class GreedyDecoder<float>;
template class GreedyDecoder<double>;

#define INSTANTIATE(T)                                                                                           \
  template Tensor<T> encode_source(const Tensor<T>&, const StateDict<T>&, const Seq2SeqOptions&,                 \
                                   const AttentionMasks<T>&, const std::string&);                                \
  template Tensor<T> next_logits(const Tensor<T>&, const Tensor<T>&, const StateDict<T>&, const Seq2SeqOptions&, \
                                 std::size_t, DecoderCache<T>*, const AttentionMasks<T>&, const std::string&);   \
  template GreedyDecoding<T> greedy_decoding(const Tensor<T>&, const StateDict<T>&, const Seq2SeqOptions&,       \
                                             const GreedyOptions&, const OptionalTensor<T>&, const std::string&)
INSTANTIATE(float);
INSTANTIATE(double);
#undef INSTANTIATE

}  // namespace attn
