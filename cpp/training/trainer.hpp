// Training: steps over batches of a task, evaluation on its held-out examples, and checkpoints.
#pragma once

#include "files/safetensors.hpp"
#include "optim/optimizer.hpp"
#include "training/model.hpp"

namespace attn {

// How the learning rate depends on the step.
enum class Schedule {
  constant,  // a linear rise over the warm-up, then `lr`
  cosine,    // the same rise, then cosine_lr down to min_lr at step `steps`
  noam,      // noam_lr, in which `lr` is the factor
};

struct OptimizerOptions {
  std::string kind = "adamw";  // "sgd" (momentum is beta1), "adam" or "adamw"
  double lr = 0.001;
  double beta1 = 0.9;
  double beta2 = 0.98;
  double eps = 1e-8;
  double weight_decay = 0;
  std::vector<std::string> no_decay = {};  // see Optimizer::set_no_decay
};

struct TrainerOptions {
  TaskOptions task = {};
  ModelOptions model = {};
  OptimizerOptions optimizer = {};
  Schedule schedule = Schedule::constant;
  std::uint64_t warmup = 0;  // steps
  std::uint64_t steps = 0;   // the length of the run; a cosine schedule ends there
  double min_lr = 0;         // of a cosine schedule
  std::size_t batch_size = 32;
  std::size_t accumulate = 1;  // batches whose gradients are averaged for one step
  double label_smoothing = 0;
  double clip_norm = 0;    // the largest norm of all gradients together; 0: any
  std::uint32_t seed = 0;  // of the parameters, the batches and dropout
};

// One step: the loss of its batches before it, and the learning rate and norm of the gradients that it was made with.
struct TrainingStep {
  double loss = 0;
  double lr = 0;
  double gradient_norm = 0;  // before clipping
};

// The held-out examples. An example is right when every answer that is asked for is; decoding it token by token
// (greedily) then gives exactly its target. In a text and among masked words each token counts as an example.
struct Evaluation {
  double loss = 0;  // the mean cross entropy, without label smoothing
  double accuracy = 0;
  std::size_t examples = 0;
};

// The norms of parameters taken together, as one vector.
struct Norms {
  double value = 0;
  double gradient = 0;  // of the last step, after clipping
  double update = 0;    // how far the last step moved them
};

// How a model chooses the next token where it writes its answer token by token.
struct Choice {
  double temperature = 0;  // 0: the most likely token; else it is drawn with the probabilities at this temperature
  std::uint32_t seed = 0;  // of the draws
};

// What observe() has added to a graph.
struct Observed {
  ModelGraph<double> model = {};
  std::vector<Example> examples = {};  // those that were given, with the answers of the model
};

// Trains a model on a task in float32. On one build, the same options give the same numbers, however the steps are
// divided: every batch and its dropout are drawn from the seed and the number of the batch alone.
class Trainer {
 public:
  // Draws the parameters. Throws InputError for options that are out of range or do not fit together, MemoryError
  // when the graph takes more than `max_bytes`.
  explicit Trainer(const TrainerOptions& options, std::uint64_t max_bytes = kMaxBytes);

  // The same with a task that is no task of make_task; options.task is only written to checkpoints.
  Trainer(TrainerOptions options, Task task, std::uint64_t max_bytes = kMaxBytes);
  ~Trainer();
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

  const TrainerOptions& options() const { return options_; }
  const Task& task() const { return task_; }
  std::uint64_t steps() const { return steps_; }

  // Makes one step. Throws InputError, and changes no parameter, when the loss or the norm of the gradients is not
  // finite; the first step throws MemoryError when the gradients do not fit.
  TrainingStep step();

  // Throws MemoryError when the graph of the evaluation does not fit.
  Evaluation evaluate();

  // The ids that the model answers to the source of an example, or the class of its image: the largest logit at each
  // place, one token after another where each depends on those before it. A text goes on from the target of the
  // example, with which the answer then begins. Throws InputError for a source or a beginning that is too long, for a
  // source that is empty, for an id outside the vocabulary, and for a temperature that is negative or not finite.
  std::vector<std::size_t> predict(const Example& example, const Choice& choice = {});

  // A parameter by its name. Throws InputError for an unknown one.
  Tensor<float> parameter(const std::string& name);

  // Its gradient in the last step, after clipping; null before the first step, and after reset() and load().
  const Array<float>* gradient(const std::string& name);

  // The norms of the parameters of these names together; those of gradient and update are 0 where gradient() is null.
  // Throws InputError for an unknown name.
  Norms norms(const std::vector<std::string>& names);

  // Adds the model with its present parameters to a graph without nodes, in double precision and without dropout, for a
  // look at every number of this moment: its parameters as leaves under their names, and the nodes of build_model. The
  // first rows of the batch are `examples`, with the answers that the model gives to their sources as targets; the
  // others are those of the next step. "loss" is that of the next step: the first rows ask nothing. Throws InputError as
  // predict() does, MemoryError above the limit of the graph.
  Observed observe(Graph<double>& graph, std::vector<Example> examples, const Choice& choice = {});

  // Adds to a graph of observe(), after it, how the next step moves a parameter: the nodes of add_next_move, from the
  // gradient of "loss". Returns the node of the move. With dropout the step drops cells and moves otherwise. Throws
  // InputError for an unknown name, for a graph without these nodes, and when gradients are accumulated over several
  // batches.
  Tensor<double> observe_move(Graph<double>& graph, const std::string& name);

  // Adds to a graph of observe() how the model writes `answer` to an example, token by token, with a cache of keys and
  // values: the nodes of build_cached. Returns "cached.logits", (L, V), one row for each token of the answer; of a text
  // for each that follows the target of the example. Throws InputError as predict() and build_cached do, for an answer
  // that is longer than a target, does not begin with the target of a text, or has an id outside the vocabulary, and for
  // a graph without the parameters; none of these adds a node. Throws MemoryError above the limit of the graph.
  Tensor<double> observe_cached(Graph<double>& graph, const Example& example, const std::vector<std::size_t>& answer);

  // The graph of a training batch.
  const Graph<float>& graph() const { return graph_; }

  // Starts again from the drawn parameters.
  void reset();

  // The parameters by their names, the optimizer's buffers as "optimizer.BUFFER.NAME", and in the metadata the options
  // and the number of steps: load() continues from there bit for bit.
  Bytes save();

  // Throws InputError, and changes nothing, when the file is no checkpoint or was made with other options. The error
  // names the option.
  void load(BytesView file);

 private:
  struct Evaluator;
  void draw_batch(std::uint64_t number, Batch& batch, std::size_t first) const;
  void check_finite(const char* what, double value) const;
  void check_source(const Example& example) const;
  Evaluator& evaluator(std::unique_ptr<Evaluator>& kept, std::size_t batch_size);

  TrainerOptions options_;
  Task task_;
  std::uint64_t max_bytes_;
  Graph<float> graph_;
  Parameters<float> initial_;
  ModelGraph<float> model_;
  Batch batch_;
  std::vector<Array<float>> previous_;  // the parameters before the last step
  std::unique_ptr<Optimizer<float>> optimizer_;
  std::unique_ptr<Evaluator> evaluator_;
  std::unique_ptr<Evaluator> predictor_;  // of one example
  std::uint64_t steps_ = 0;
  bool has_gradients_ = false;
};

// The options as texts by name: "model.d_model" -> "64".
Metadata described(const TrainerOptions& options);

// The options that a checkpoint was made with. Throws InputError for a file that is none.
TrainerOptions options_of_checkpoint(BytesView file);

// The options from such texts. Throws InputError naming `operation` and the option for one that is missing, unknown
// or not valid.
TrainerOptions trainer_options(const Metadata& texts, std::string_view operation);

}  // namespace attn
