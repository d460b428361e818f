// The whole model from ids to the next word: "Attention Is All You Need", section 3.
#include "nn/seq2seq.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "nn/embedding.hpp"
#include "nn/positional_encoding.hpp"
#include "ops/add.hpp"
#include "ops/log_softmax.hpp"
#include "ops/reshape.hpp"
#include "ops/slice.hpp"

namespace attn {
namespace {

void check_ids(const char* operation, const char* argument, const Shape& ids) {
  if (ids.empty() || ids.size() > 2 || ids.back() == 0) {
    refuse_shape(operation, argument, ids, "(length) or (batch, length), with at least one id");
  }
}

void check_id(const char* argument, std::size_t id, std::size_t vocabulary) {
  if (id >= vocabulary) {
    refuse_option("greedy_decoding", argument, std::to_string(id),
                  "an id below " + std::to_string(vocabulary) + ", the size of the vocabulary");
  }
}

// Ids are kept as numbers of T, which must tell them all apart.
template <typename T>
void check_vocabulary(std::size_t vocabulary) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << std::numeric_limits<T>::digits;
  if (std::uint64_t{vocabulary} > kMost) {
    refuse_option("greedy_decoding", "vocabulary", std::to_string(vocabulary), "at most " + std::to_string(kMost));
  }
}

// Ids of `length` columns as a leaf, without a batch when there was none.
template <typename T>
Tensor<T> ids_leaf(Graph<T>& graph, const std::vector<std::vector<std::size_t>>& ids, std::size_t start, bool batched,
                   std::string name) {
  const std::size_t length = ids[0].size() - start;
  Array<T> array = full<T>(batched ? Shape{ids.size(), length} : Shape{length}, T(0));
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

}  // namespace

ParameterSpecs seq2seq_parameters(const LayerSizes& sizes, std::size_t vocabulary, const Seq2SeqOptions& options) {
  if (vocabulary == 0) refuse_option("seq2seq", "vocabulary", "0", "at least 1");
  return join({within("embedding", embedding_parameters(vocabulary, sizes.d_model)),
               transformer_parameters(sizes, options.transformer)});
}

template <typename T>
Tensor<T> embed_sequence(const Tensor<T>& ids, const StateDict<T>& parameters, const Seq2SeqOptions& options,
                         const std::string& place, const std::string& name, std::size_t start) {
  check_ids("embed_sequence", "ids", ids.shape());
  Graph<T>& graph = *ids.graph;
  const bool observe = graph.observe();
  const auto named = [&](const char* step) { return observe ? name + step : std::string(); };
  const Tensor<T> rows = embedding(ids, parameters.within("embedding"), true, named("embedding"));
  std::vector<double> positions(ids.shape().back());
  std::iota(positions.begin(), positions.end(), static_cast<double>(start));
  const Tensor<T> encoding =
      sinusoidal_encoding(graph, positions, rows.shape().back(), options.base, named("positional_encoding"));
  const Tensor<T> sum = add(rows, encoding, step_prefix(graph, name, "embedded"));
  return dropout(sum, options.transformer.layer.dropout.at(parameters.module() + place + ".dropout"), named("dropout"));
}

template <typename T>
Seq2Seq<T> seq2seq(const Tensor<T>& src_ids, const Tensor<T>& tgt_ids, const StateDict<T>& parameters,
                   const Seq2SeqOptions& options, const TransformerMasks<T>& masks, const std::string& name) {
  TransformerMasks<T> used = masks;
  used.target.causal = Causal::top_left;
  if (!used.memory.key_mask) used.memory.key_mask = masks.source.key_mask;
  const auto prefix = [&](const char* part) { return step_prefix(*src_ids.graph, name, part); };
  Seq2Seq<T> steps;
  steps.source = embed_sequence(src_ids, parameters, options, "src", prefix("src."));
  steps.target = embed_sequence(tgt_ids, parameters, options, "tgt", prefix("tgt."));
  steps.transformer = transformer(steps.source, steps.target, parameters, options.transformer, used, name);
  steps.logits = tied_logits(steps.transformer.output, parameters.at("embedding.weight"), prefix("logits"));
  steps.log_probs = log_softmax(steps.logits, -1, prefix("log_probs"));
  return steps;
}

template <typename T>
GreedyDecoding<T> greedy_decoding(const Tensor<T>& src_ids, const StateDict<T>& parameters,
                                  const Seq2SeqOptions& options, const GreedyOptions& greedy,
                                  const OptionalTensor<T>& source_key_mask, const std::string& name) {
  check_ids("greedy_decoding", "src_ids", src_ids.shape());
  if (greedy.steps == 0) refuse_option("greedy_decoding", "steps", "0", "at least 1");
  Graph<T>& graph = *src_ids.graph;
  const Tensor<T> table = parameters.at("embedding.weight");
  if (table.shape().size() != 2) refuse_shape("greedy_decoding", "embedding.weight", table.shape(), "(V, D)");
  const std::size_t vocabulary = table.shape()[0];
  check_vocabulary<T>(vocabulary);
  if (greedy.cache && options.transformer.layer.dropout.p != 0) {
    refuse_option("greedy_decoding", "dropout", figure(options.transformer.layer.dropout.p),
                  "0 with a cache, which draws for the new token alone what is else drawn for all");
  }
  check_id("begin", greedy.begin, vocabulary);
  if (greedy.end) check_id("end", *greedy.end, vocabulary);
  const bool batched = src_ids.shape().size() == 2;
  const std::size_t batch = batched ? src_ids.shape()[0] : 1;
  if (batch == 0) refuse_shape("greedy_decoding", "src_ids", src_ids.shape(), "at least one sample");

  const StackOptions encoder_options{.num_layers = options.transformer.num_encoder_layers,
                                     .layer = options.transformer.layer};
  const StackOptions decoder_options{.num_layers = options.transformer.num_decoder_layers,
                                     .layer = options.transformer.layer};
  const auto prefix = [&](const std::string& part) { return step_prefix(graph, name, part); };
  const AttentionMasks<T> source_masks{.key_mask = source_key_mask};
  GreedyDecoding<T> decoded;
  decoded.memory = encoder(embed_sequence(src_ids, parameters, options, "src", prefix("src.")),
                           parameters.within("encoder"), encoder_options, source_masks, prefix("encoder."))
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
        decoder(target, decoded.memory, parameters.within("decoder"), decoder_options, target_masks, source_masks,
                prefix(part + "decoder."), greedy.cache ? &cache : nullptr)
            .output;
    const Tensor<T> last = last_position(output, graph.observe() ? name + part + "last" : std::string());
    decoded.logits.push_back(tied_logits(last, table, prefix(part + "logits")));
    const T* row = decoded.logits.back().value().data();
    for (std::size_t sample = 0; sample < batch; ++sample, row += vocabulary) {
      if (std::any_of(row, row + vocabulary, [](T logit) { return std::isnan(logit); })) {
        refuse_option("greedy_decoding", "logits of step " + std::to_string(step), "nan", "numbers to choose from");
      }
      const auto best = static_cast<std::size_t>(std::max_element(row, row + vocabulary) - row);
      decoded.ids[sample].push_back(ended[sample] ? *greedy.end : best);
      if (greedy.end && decoded.ids[sample].back() == *greedy.end) ended[sample] = true;
    }
    if (std::find(ended.begin(), ended.end(), false) == ended.end()) break;
  }
  return decoded;
}

#define INSTANTIATE(T)                                                                                                \
  template Tensor<T> embed_sequence(const Tensor<T>&, const StateDict<T>&, const Seq2SeqOptions&, const std::string&, \
                                    const std::string&, std::size_t);                                                 \
  template Seq2Seq<T> seq2seq(const Tensor<T>&, const Tensor<T>&, const StateDict<T>&, const Seq2SeqOptions&,         \
                              const TransformerMasks<T>&, const std::string&);                                        \
  template GreedyDecoding<T> greedy_decoding(const Tensor<T>&, const StateDict<T>&, const Seq2SeqOptions&,            \
                                             const GreedyOptions&, const OptionalTensor<T>&, const std::string&)
INSTANTIATE(float);
INSTANTIATE(double);
#undef INSTANTIATE

}  // namespace attn
