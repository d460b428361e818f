// The models that can be trained on a task.
#include "training/model.hpp"

#include <algorithm>

#include "nn/bert.hpp"
#include "nn/convolutional_network.hpp"
#include "nn/embedding.hpp"
#include "nn/gpt2.hpp"
#include "nn/greedy_decoding.hpp"
#include "nn/vision_transformer.hpp"
#include "ops/concat.hpp"
#include "ops/cross_entropy.hpp"
#include "ops/reshape.hpp"

namespace attn {
namespace {

constexpr std::string_view kModel = "trainer";
constexpr auto kIgnored = static_cast<float>(kNotAsked);

LayerSizes sizes_of(const ModelOptions& options) { return {.d_model = options.d_model, .d_ff = options.d_ff}; }

LayerOptions layer_of(const ModelOptions& options, Dropout dropout) {
  return {.num_heads = options.num_heads,
          .activation = options.activation,
          .norm_first = options.norm_first,
          .residual = options.residual,
          .norm = options.norm,
          .unscaled = options.unscaled,
          .dropout = dropout};
}

// Of an encoder or a decoder alone: pre-norm needs one more norm at the end.
StackOptions stack_of(const ModelOptions& options, Dropout dropout) {
  return {.num_layers = options.num_layers,
          .final_norm = options.norm_first && options.norm,
          .layer = layer_of(options, dropout)};
}

Seq2SeqOptions seq2seq_of(const ModelOptions& options, Dropout dropout) {
  return {.transformer = {.num_encoder_layers = options.num_layers,
                          .num_decoder_layers = options.num_layers,
                          .final_norm = options.norm,
                          .layer = layer_of(options, dropout)},
          .positions = options.positions,
          .scale_embedding = options.scale_embedding};
}

VisionTransformerSizes vision_sizes(const ModelOptions& options, const Task& task) {
  return {.layer = sizes_of(options),
          .channels = task.image[0],
          .image_height = task.image[1],
          .image_width = task.image[2],
          .patch = options.patch,
          .num_classes = task.vocabulary.size()};
}

// The layers of the paper, with the settings of a run.
StackOptions bert_of(const ModelOptions& options, Dropout dropout) {
  const StackOptions paper = bert_options(options.num_layers, options.num_heads);
  StackOptions stack = stack_of(options, dropout);
  stack.layer.activation = paper.layer.activation;
  stack.layer.eps = paper.layer.eps;
  return stack;
}

std::size_t answer_length(ModelKind kind, const Task& task) {
  return task.target_length + (has_end(kind, task) ? 1 : 0);
}

std::size_t source_length(ModelKind kind, const Task& task) {
  if (kind == ModelKind::decoder) return task.source_length + answer_length(kind, task);
  if (kind == ModelKind::bert) return task.source_length + 2;
  return task.source_length + (kind == ModelKind::encoder && task.answer == Answer::label ? 1 : 0);
}

void check_fits(const ModelOptions& options, const Task& task) {
  if (std::find(task.models.begin(), task.models.end(), options.kind) == task.models.end()) {
    std::vector<std::string> fitting;
    for (const ModelKind kind : task.models) fitting.push_back(to_string(kind));
    refuse_option(kModel, "model", to_string(options.kind),
                  "a model that fits the task " + task.name + ": " + listed(fitting));
  }
  // A setting that a kind of model does not have.
  const auto check_default = [&](const char* name, bool is_default, const char* actual, const char* expected) {
    if (is_default) return;
    refuse_option(kModel, std::string("model.") + name, actual,
                  std::string(expected) + " with the model " + to_string(options.kind));
  };
  if (options.kind != ModelKind::encoder && options.kind != ModelKind::encoder_decoder) {
    check_default("positions", options.positions, "false", "true");
    check_default("scale_embedding", options.scale_embedding, "false", "true");
  }
  if (options.kind == ModelKind::convolution) {
    check_default("residual", options.residual, "false", "true");
    check_default("norm", options.norm, "false", "true");
    check_default("unscaled", !options.unscaled, "true", "false");
    check_default("dropout", options.dropout == 0, "above 0", "0");
  }
}

}  // namespace

bool writes_answer(ModelKind kind) { return kind == ModelKind::decoder || kind == ModelKind::encoder_decoder; }

bool has_end(ModelKind kind, const Task& task) { return task.answer == Answer::sequence && writes_answer(kind); }

ParameterSpecs model_parameters(const ModelOptions& options, const Task& task) {
  check_fits(options, task);
  const LayerSizes sizes = sizes_of(options);
  const std::size_t vocabulary = task.vocabulary.size();
  switch (options.kind) {
    case ModelKind::encoder:
      return join({within("embedding", embedding_parameters(vocabulary, options.d_model)),
                   within("encoder", encoder_parameters(sizes, stack_of(options, {})))});
    case ModelKind::decoder:
      return gpt2_parameters({.layer = sizes, .vocabulary = vocabulary, .positions = source_length(options.kind, task)},
                             stack_of(options, {}));
    case ModelKind::encoder_decoder:
      return seq2seq_parameters(sizes, vocabulary, seq2seq_of(options, {}));
    case ModelKind::vision_transformer:
      return vision_transformer_parameters(vision_sizes(options, task), stack_of(options, {}));
    case ModelKind::convolution:
      return convolutional_network_parameters({.channels = task.image[0],
                                               .image_height = task.image[1],
                                               .image_width = task.image[2],
                                               .patch = options.patch,
                                               .width = options.d_model,
                                               .num_classes = vocabulary});
    case ModelKind::bert:
      return bert_parameters({.layer = sizes, .vocabulary = vocabulary, .positions = source_length(options.kind, task)},
                             bert_of(options, {}));
  }
  return {};
}

Batch empty_batch(const ModelOptions& options, const Task& task, std::size_t size) {
  Batch batch{.size = size};
  if (!task.image.empty()) {
    batch.source = {size, task.image[0], task.image[1], task.image[2]};
    batch.labels = {size};
  } else {
    const std::size_t length = source_length(options.kind, task);
    batch.source = {size, length};
    batch.source_mask.assign(size_of(batch.source), 0);
    if (options.kind == ModelKind::encoder_decoder) {
      batch.target = batch.labels = {size, answer_length(options.kind, task)};
      batch.target_ids.assign(size_of(batch.target), static_cast<float>(kPad));
    } else {
      batch.labels = {size, length};
    }
  }
  batch.source_ids.assign(size_of(batch.source), static_cast<float>(kPad));
  batch.label_ids.assign(size_of(batch.labels), kIgnored);
  return batch;
}

void write_example(Batch& batch, std::size_t row, const Example& example, const ModelOptions& options,
                   const Task& task) {
  if (!task.image.empty()) {
    std::transform(example.image.begin(), example.image.end(), batch.source_ids.begin() + row * example.image.size(),
                   [](double pixel) { return static_cast<float>(pixel); });
    batch.label_ids[row] = static_cast<float>(example.target.at(0));
    return;
  }
  std::vector<std::int64_t> source(example.source.begin(), example.source.end());
  std::vector<std::int64_t> labels(example.target);
  if (has_end(options.kind, task)) labels.push_back(kEnd);
  // What a decoder reads: begin, then each answer but the last.
  std::vector<std::int64_t> target{kBegin};
  target.insert(target.end(), labels.begin(), labels.end() - (labels.empty() ? 0 : 1));
  std::size_t asked = 0;  // the first position with a label
  if (options.kind == ModelKind::decoder) {
    asked = source.size();
    source.insert(source.end(), target.begin(), target.end());
  } else if (options.kind == ModelKind::encoder && task.answer == Answer::label) {
    asked = source.size();
    source.push_back(kBegin);
  } else if (options.kind == ModelKind::bert) {
    asked = 1;
    source.insert(source.begin(), kBegin);
    source.push_back(kEnd);
  }
  const auto write = [row](const std::vector<std::int64_t>& ids, const Shape& shape, std::vector<float>& into,
                           std::size_t first, float rest) {
    if (first + ids.size() > shape[1])
      refuse_shape(kModel, "example", {first + ids.size()}, "at most " + std::to_string(shape[1]) + " ids");
    float* cells = into.data() + row * shape[1];
    std::fill_n(cells, shape[1], rest);
    std::transform(ids.begin(), ids.end(), cells + first, [](std::int64_t id) { return static_cast<float>(id); });
  };
  write(source, batch.source, batch.source_ids, 0, static_cast<float>(kPad));
  write(std::vector<std::int64_t>(source.size(), 1), batch.source, batch.source_mask, 0, 0);
  if (!batch.target.empty()) write(target, batch.target, batch.target_ids, 0, static_cast<float>(kPad));
  write(labels, batch.labels, batch.label_ids, asked, kIgnored);
}

template <typename T>
ModelGraph<T> build_model(const StateDict<T>& parameters, Graph<T>& graph, const ModelOptions& options,
                          const Task& task, const Batch& batch, Dropout dropout, double label_smoothing) {
  const auto leaf = [&](const Shape& shape, const char* name, const std::vector<float>& numbers, Content::Kind kind) {
    graph.check_memory(cell_count(shape) * sizeof(T), kModel);
    Array<T> value = full<T>(shape, 0);
    std::copy(numbers.begin(), numbers.end(), value.begin());
    return graph.leaf(name, std::move(value), {{"kind", "literal"}}, {.kind = kind});
  };
  const bool is_image = !task.image.empty();
  ModelGraph<T> model;
  model.source = leaf(batch.source, "source", batch.source_ids, is_image ? Content::Kind::numbers : Content::Kind::ids);
  if (!batch.source_mask.empty() && options.kind != ModelKind::decoder)
    model.source_mask = leaf(batch.source, "source_mask", batch.source_mask, Content::Kind::mask);
  if (!batch.target.empty()) model.target = leaf(batch.target, "target", batch.target_ids, Content::Kind::ids);
  model.labels = leaf(batch.labels, "labels", batch.label_ids, Content::Kind::ids);
  const StackOptions stack = stack_of(options, dropout);
  const Seq2SeqOptions sequence = seq2seq_of(options, dropout);
  const AttentionMasks<T> masks{.key_mask = model.source_mask};
  switch (options.kind) {
    case ModelKind::encoder: {
      const Tensor<T> embedded = embed_sequence(model.source, parameters, sequence, "src", "src.");
      const Tensor<T> output = encoder(embedded, parameters.within("encoder"), stack, masks, "encoder.").output;
      model.logits = tied_logits(output, parameters.at("embedding.weight"), "logits");
      break;
    }
    case ModelKind::decoder:
      model.logits = gpt2(model.source, parameters, stack).logits;
      break;
    case ModelKind::encoder_decoder:
      model.logits = seq2seq(model.source, *model.target, parameters, sequence, {.source = masks}).logits;
      break;
    case ModelKind::vision_transformer:
      model.logits = vision_transformer(model.source, parameters, stack).logits;
      break;
    case ModelKind::convolution:
      model.logits = convolutional_network(model.source, parameters, options.patch);
      break;
    case ModelKind::bert:
      model.logits = bert(model.source, {}, parameters, bert_of(options, dropout), model.source_mask).logits;
      break;
  }
  model.loss = cross_entropy(model.logits, model.labels, {.label_smoothing = label_smoothing}, {}, "loss");
  return model;
}

Tensor<double> build_cached(const StateDict<double>& parameters, Graph<double>& graph, const ModelOptions& options,
                            const std::vector<std::size_t>& source, const std::vector<std::size_t>& answer,
                            std::size_t given) {
  constexpr std::string_view kCached = "observe_cached";
  if (!writes_answer(options.kind)) {
    refuse_option(kCached, "model", to_string(options.kind),
                  to_string(ModelKind::decoder) + " or " + to_string(ModelKind::encoder_decoder) +
                      ", which write an answer token by token");
  }
  if (answer.size() <= given) {
    refuse_option(kCached, "answer", std::to_string(answer.size()) + " ids",
                  "more than the " + std::to_string(given) + " that are given");
  }
  const std::string prefix = "cached.";
  const bool is_decoder = options.kind == ModelKind::decoder;
  const StackOptions stack = stack_of(options, {});
  const Seq2SeqOptions sequence = seq2seq_of(options, {});
  Tensor<double> memory;
  if (!is_decoder) {
    const Tensor<double> ids = ids_leaf(graph, {source}, 0, false, kCached, prefix + "source");
    memory = encode_source(ids, parameters, sequence, {}, prefix);
  }
  std::vector<std::size_t> read = is_decoder ? source : std::vector<std::size_t>{};
  read.push_back(kBegin);
  read.insert(read.end(), answer.begin(), answer.begin() + static_cast<std::ptrdiff_t>(given));
  DecoderCache<double> cache;
  std::vector<Tensor<double>> rows;
  for (std::size_t token = given; token < answer.size(); ++token) {
    const std::string step = prefix + "step_" + std::to_string(token - given) + ".";
    const std::size_t start = token == given ? 0 : read.size() - 1;
    const Tensor<double> ids = ids_leaf(graph, {read}, start, false, kCached, step + "ids");
    const Tensor<double> logits =
        is_decoder ? last_position(gpt2(ids, parameters, stack, {}, step, {}, &cache).logits, step + "last_logits")
                   : next_logits(ids, memory, parameters, sequence, start, &cache, {}, step);
    rows.push_back(reshape(logits, {1, logits.shape().back()}, step + "row"));
    read.push_back(answer[token]);
  }
  return concat(rows, 0, prefix + "logits");
}

template <typename T>
void write_batch(Graph<T>& graph, const ModelGraph<T>& model, const Batch& batch) {
  const auto write = [&](const Tensor<T>& leaf, const std::vector<float>& numbers) {
    std::copy(numbers.begin(), numbers.end(), graph.numbers(leaf.id).begin());
  };
  write(model.source, batch.source_ids);
  if (model.source_mask) write(*model.source_mask, batch.source_mask);
  if (model.target) write(*model.target, batch.target_ids);
  write(model.labels, batch.label_ids);
}

#define INSTANTIATE(T)                                                                                               \
  template ModelGraph<T> build_model(const StateDict<T>&, Graph<T>&, const ModelOptions&, const Task&, const Batch&, \
                                     Dropout, double);                                                               \
  template void write_batch(Graph<T>&, const ModelGraph<T>&, const Batch&)
INSTANTIATE(float);
INSTANTIATE(double);
#undef INSTANTIATE

}  // namespace attn
