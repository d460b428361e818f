// The models that can be trained on a task: one graph for batches of one size, from the ids of the examples to the loss.
#pragma once

#include "nn/seq2seq.hpp"
#include "training/task.hpp"

namespace attn {

// The sizes and settings of a model, under PyTorch's names. A model predicts tokens with the table of its embedding.
struct ModelOptions {
  ModelKind kind = ModelKind::encoder;
  std::size_t d_model = 64;
  std::size_t num_heads = 4;
  std::size_t num_layers = 2;  // of an encoder-decoder: of each
  std::size_t d_ff = 256;
  Activation activation = Activation::relu;  // of a BERT it is GELU, whatever stands here
  bool norm_first = false;
  bool residual = true;         // see LayerOptions
  bool norm = true;             // see LayerOptions; the norms of the embeddings and the head of a BERT stay
  bool unscaled = false;        // see LayerOptions
  bool positions = true;        // see Seq2SeqOptions; of an encoder and an encoder-decoder
  bool scale_embedding = true;  // see Seq2SeqOptions; of an encoder and an encoder-decoder
  double dropout = 0;
  std::size_t patch = 4;  // the side of a patch, of an image
};

// The parameters of a model for a task. Throws InputError when the task does not fit the model, and as the layers do.
ParameterSpecs model_parameters(const ModelOptions& options, const Task& task);

// Whether a model writes its answer token by token, each of which it reads before the next.
bool writes_answer(ModelKind kind);

// Whether the answer of a model to a task ends with the end token: a sequence that is written.
bool has_end(ModelKind kind, const Task& task);

// A batch of examples as the model reads them, and what it is asked.
//
// An encoder reads the source, and answers in place; for a label it reads begin after the source and answers there. A
// BERT reads begin, the source and end, as its [CLS] and [SEP], and answers in place. A decoder reads source, begin and
// target, and answers from begin on. An encoder-decoder reads the source, then begin and the target. Sequences end with
// the end token. Where nothing is asked, a label is -100.
struct Batch {
  std::size_t size = 0;  // examples
  Shape source = {};     // (B, S), (B, C, H, W) of images
  Shape target = {};     // (B, L) of the ids that the decoder of an encoder-decoder reads; empty for others
  Shape labels = {};     // (B, L), (B) of images
  std::vector<float> source_ids = {};   // or pixels
  std::vector<float> source_mask = {};  // 1 where an id may be attended; empty for images
  std::vector<float> target_ids = {};
  std::vector<float> label_ids = {};
};

// The shapes of a batch of `size` examples, filled with padding.
Batch empty_batch(const ModelOptions& options, const Task& task, std::size_t size);

// Writes `example` to row `row` of a batch.
void write_example(Batch& batch, std::size_t row, const Example& example, const ModelOptions& options,
                   const Task& task);

// The nodes of a model in a graph that is replayed with one batch after another.
template <typename T>
struct ModelGraph {
  Tensor<T> source = {};
  std::optional<Tensor<T>> source_mask = {};
  std::optional<Tensor<T>> target = {};
  Tensor<T> labels = {};
  Tensor<T> logits = {};  // (B, L, V), (B, K) of images
  Tensor<T> loss = {};    // the mean cross entropy over the labels
};

// Adds the model to a graph whose inputs are leaves with the numbers of the batch: "source", "source_mask", "target" and
// "labels". `dropout` is 0 for evaluation. Throws InputError and MemoryError as the layers do.
template <typename T>
ModelGraph<T> build_model(const StateDict<T>& parameters, Graph<T>& graph, const ModelOptions& options,
                          const Task& task, const Batch& batch, Dropout dropout, double label_smoothing);

// Adds to a graph how a model writes `answer` after its first `given` tokens, token by token, with a cache of keys and
// values. Call 0 reads all that is given: a decoder the source, begin and those tokens, an encoder-decoder begin and
// those tokens. Every later call reads the token written before, and the keys and values of all others from the cache.
// The nodes of call n are called cached.step_n.*, those of an encoder, which reads the source once, cached.src.* and
// cached.encoder.*. Returns "cached.logits", (tokens after the given ones, V). Throws InputError for a model that does
// not write its answer, when nothing is written, and as the layers do.
Tensor<double> build_cached(const StateDict<double>& parameters, Graph<double>& graph, const ModelOptions& options,
                            const std::vector<std::size_t>& source, const std::vector<std::size_t>& answer,
                            std::size_t given);

// Writes a batch into the leaves of a graph, which is stale until it is replayed.
template <typename T>
void write_batch(Graph<T>& graph, const ModelGraph<T>& model, const Batch& batch);

}  // namespace attn
