// The sequence-to-sequence Transformer, from ids to the next word: "Attention Is All You Need", section 3.
#include "nn/seq2seq.hpp"

#include <numeric>

#include "nn/embedding.hpp"
#include "nn/positional_encoding.hpp"
#include "ops/add.hpp"
#include "ops/log_softmax.hpp"

namespace attn {

void check_ids(std::string_view operation, std::string_view argument, const Shape& ids) {
  if (ids.empty() || ids.size() > 2 || ids.back() == 0) {
    refuse_shape(operation, argument, ids, "(length) or (batch, length), with at least one id");
  }
}

ParameterSpecs seq2seq_parameters(const LayerSizes& sizes, std::size_t vocabulary, const Seq2SeqOptions& options) {
  if (vocabulary == 0) refuse_option("seq2seq", "vocabulary", "0", "at least 1");
  return join({within("embedding", embedding_parameters(vocabulary, sizes.d_model)),
               transformer_parameters(sizes, options.transformer)});
}

template <typename T>
Tensor<T> embed_sequence(const Tensor<T>& ids, const StateDict<T>& parameters, const Seq2SeqOptions& options,
                         const std::string& module, const std::string& name, std::size_t start) {
  check_ids("embed_sequence", "ids", ids.shape());
  Graph<T>& graph = *ids.graph;
  const bool observe = graph.observe();
  const auto step_name = [&](const char* step) { return observe ? name + step : std::string(); };
  const Dropout settings = options.transformer.layer.dropout.at(parameters.module() + module + ".dropout");
  const Tensor<T> rows = embedding(ids, parameters.within("embedding"), options.scale_embedding,
                                   options.positions ? step_name("embedding") : step_prefix(graph, name, "embedded"));
  if (!options.positions) return dropout(rows, settings, step_name("dropout"));
  std::vector<double> positions(ids.shape().back());
  std::iota(positions.begin(), positions.end(), static_cast<double>(start));
  const Tensor<T> encoding =
      sinusoidal_encoding(graph, positions, rows.shape().back(), options.base, step_name("positional_encoding"));
  const Tensor<T> sum = add(rows, encoding, step_prefix(graph, name, "embedded"));
  return dropout(sum, settings, step_name("dropout"));
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

#define INSTANTIATE(T)                                                                                                \
  template Tensor<T> embed_sequence(const Tensor<T>&, const StateDict<T>&, const Seq2SeqOptions&, const std::string&, \
                                    const std::string&, std::size_t);                                                 \
  template Seq2Seq<T> seq2seq(const Tensor<T>&, const Tensor<T>&, const StateDict<T>&, const Seq2SeqOptions&,         \
                              const TransformerMasks<T>&, const std::string&)
INSTANTIATE(float);
INSTANTIATE(double);
#undef INSTANTIATE

}  // namespace attn
