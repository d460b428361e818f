// A bidirectional encoder that predicts masked words: "BERT", sections 3 and 3.1.
#include "nn/bert.hpp"

#include "nn/embedding.hpp"
#include "nn/layer_norm.hpp"
#include "nn/linear.hpp"
#include "ops/add.hpp"
#include "ops/gelu.hpp"
#include "tensor/filled_leaf.hpp"

namespace attn {

StackOptions bert_options(std::size_t num_layers, std::size_t num_heads) {
  return {.num_layers = num_layers,
          .final_norm = false,
          .layer = {.num_heads = num_heads, .activation = Activation::gelu_erf, .norm_first = false, .eps = 1e-12}};
}

ParameterSpecs bert_parameters(const BertSizes& sizes, const StackOptions& options) {
  if (sizes.vocabulary == 0) refuse_option("bert", "vocabulary", "0", "at least 1");
  if (sizes.positions == 0) refuse_option("bert", "positions", "0", "at least 1");
  if (sizes.segments == 0) refuse_option("bert", "segments", "0", "at least 1");
  const std::size_t width = sizes.layer.d_model;
  return join({within("embeddings.word_embeddings", embedding_parameters(sizes.vocabulary, width)),
               within("embeddings.position_embeddings", embedding_parameters(sizes.positions, width)),
               within("embeddings.token_type_embeddings", embedding_parameters(sizes.segments, width)),
               within("embeddings.norm", layer_norm_parameters(width)),
               encoder_parameters(sizes.layer, options),
               within("head.dense", linear_parameters(width, width)),
               within("head.norm", layer_norm_parameters(width)),
               {{"head.bias", {sizes.vocabulary}}}});
}

template <typename T>
Bert<T> bert(const Tensor<T>& ids, const OptionalTensor<T>& segment_ids, const StateDict<T>& parameters,
             const StackOptions& options, const OptionalTensor<T>& key_mask, const std::string& name) {
  Graph<T>& graph = *ids.graph;
  const Shape& shape = ids.shape();
  if (shape.empty() || shape.size() > 2) refuse_shape("bert", "ids", shape, "(length) or (batch, length)");
  if (segment_ids && segment_ids->shape() != shape) {
    refuse_shape("bert", "segment_ids", segment_ids->shape(), to_string(shape) + ", the shape of ids");
  }
  const Tensor<T> positions = parameters.at("embeddings.position_embeddings.weight");
  if (positions.shape().size() != 2 || shape.back() > positions.shape()[0]) {
    refuse_shape("bert", "ids", shape, "at most as many as positions " + to_string(positions.shape()));
  }
  const auto step_name = [&](const char* step) { return graph.observe() ? name + step : std::string(); };

  Bert<T> steps;
  const StateDict<T> tables = parameters.within("embeddings");
  steps.tokens = embedding(ids, tables.within("word_embeddings"), false, step_name("embeddings.tokens"));
  const Tensor<T> places = position_ids(graph, 0, shape.back(), "bert", step_name("embeddings.position_ids"));
  steps.positions = embedding(places, positions, false, step_name("embeddings.positions"));
  const Tensor<T> segments = segment_ids ? *segment_ids
                                         : filled_leaf(graph, shape, T(0), "bert", step_name("embeddings.segment_ids"),
                                                       {.kind = Content::Kind::ids});
  steps.segments = embedding(segments, tables.within("token_type_embeddings"), false, step_name("embeddings.segments"));
  const Tensor<T> sum = add(add(steps.tokens, steps.positions, step_name("embeddings.with_positions")), steps.segments,
                            step_name("embeddings.with_segments"));
  const LayerNormOptions norm{.eps = options.layer.eps, .unbiased = options.layer.unbiased};
  steps.embedded = layer_norm(sum, tables.within("norm"), norm, step_prefix(graph, name, "embeddings.norm"));
  const Tensor<T> after_dropout =
      dropout(steps.embedded, options.layer.dropout.at(tables.module() + "dropout"), step_name("embeddings.dropout"));
  steps.encoder = encoder(after_dropout, parameters, options, {.key_mask = key_mask}, name);

  const StateDict<T> head = parameters.within("head");
  const Tensor<T> dense = linear(steps.encoder.output, head.within("dense"), step_name("head.dense"));
  const Tensor<T> activation = gelu(dense, {}, step_name("head.activation"));
  steps.transformed = layer_norm(activation, head.within("norm"), norm, step_name("head.norm"));
  steps.logits = linear(steps.transformed, tables.at("word_embeddings.weight"), head.bias("bias"),
                        step_prefix(graph, name, "logits"));
  return steps;
}

MaskedTokens mask_tokens(const std::vector<std::size_t>& ids, std::size_t vocabulary, std::size_t mask_id,
                         RandomState& random) {
  constexpr std::int64_t kIgnored = -100;
  const auto check = [&](const char* argument, std::size_t id) {
    if (id >= vocabulary) {
      refuse_option("mask_tokens", argument, std::to_string(id),
                    "an id below " + std::to_string(vocabulary) + ", the size of the vocabulary");
    }
  };
  check("mask_id", mask_id);
  for (const std::size_t id : ids) check("ids", id);
  MaskedTokens masked{ids, std::vector<std::int64_t>(ids.size(), kIgnored)};
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (random.random_sample() >= 0.15) continue;
    masked.targets[i] = static_cast<std::int64_t>(ids[i]);
    const double kind = random.random_sample();
    if (kind < 0.8) {
      masked.ids[i] = mask_id;
    } else if (kind < 0.9) {
      masked.ids[i] = static_cast<std::size_t>(random.randint(0, static_cast<std::int64_t>(vocabulary)));
    }
  }
  return masked;
}

template Bert<float> bert(const Tensor<float>&, const OptionalTensor<float>&, const StateDict<float>&,
                          const StackOptions&, const OptionalTensor<float>&, const std::string&);
template Bert<double> bert(const Tensor<double>&, const OptionalTensor<double>&, const StateDict<double>&,
                           const StackOptions&, const OptionalTensor<double>&, const std::string&);

}  // namespace attn
