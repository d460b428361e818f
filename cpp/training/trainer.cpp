// Training: steps over batches of a task, evaluation on its held-out examples, and checkpoints.
#include "training/trainer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <span>

#include "nn/decoding.hpp"
#include "nn/sampling.hpp"
#include "optim/adam.hpp"
#include "optim/clip_grad_norm.hpp"
#include "optim/schedule.hpp"
#include "optim/sgd.hpp"
#include "tensor/state_dict.hpp"
#include "training/next_move.hpp"

namespace attn {
namespace {

constexpr std::string_view kTrainer = "trainer";

void check(bool fits, std::string_view argument, double value, std::string_view expected) {
  check_setting(fits, kTrainer, argument, value, expected);
}

std::unique_ptr<Optimizer<float>> make_optimizer(const OptimizerOptions& options) {
  std::unique_ptr<Optimizer<float>> optimizer;
  if (options.kind == "sgd") {
    optimizer = std::make_unique<Sgd<float>>(
        SgdOptions{.lr = options.lr, .momentum = options.beta1, .weight_decay = options.weight_decay});
  } else if (options.kind == "adam" || options.kind == "adamw") {
    optimizer = std::make_unique<Adam<float>>(AdamOptions{.lr = options.lr,
                                                          .beta1 = options.beta1,
                                                          .beta2 = options.beta2,
                                                          .eps = options.eps,
                                                          .weight_decay = options.weight_decay,
                                                          .decoupled = options.kind == "adamw"});
  } else {
    refuse_option(kTrainer, "optimizer.kind", "\"" + options.kind + "\"", "sgd, adam or adamw");
  }
  optimizer->set_no_decay(options.no_decay);
  return optimizer;
}

// The learning rate of step `step`, counted from 0.
double lr_at(const TrainerOptions& options, std::uint64_t step) {
  const double lr = options.optimizer.lr;
  switch (options.schedule) {
    case Schedule::noam:
      return noam_lr(step + 1, {.d_model = options.model.d_model, .warmup = options.warmup, .factor = lr});
    case Schedule::cosine:
      return cosine_lr(
          step,
          {.lr = lr, .min_lr = options.min_lr, .steps = options.steps - options.warmup, .warmup = options.warmup});
    case Schedule::constant:
      break;
  }
  return step < options.warmup ? lr * static_cast<double>(step + 1) / static_cast<double>(options.warmup) : lr;
}

TrainerOptions checked(TrainerOptions options) {
  const ModelOptions& model = options.model;
  constexpr std::size_t kMostExamples = 65536;
  check(options.batch_size > 0 && options.batch_size <= kMostExamples, "batch_size",
        static_cast<double>(options.batch_size), "a number from 1 to " + std::to_string(kMostExamples));
  check(options.accumulate > 0, "accumulate", 0, "at least 1");
  check(model.num_layers > 0, "model.num_layers", 0, "at least 1");
  check(model.dropout >= 0 && model.dropout < 1, "model.dropout", model.dropout, "a number from 0 to below 1");
  check(options.label_smoothing >= 0 && options.label_smoothing <= 1, "label_smoothing", options.label_smoothing,
        "a number from 0 to 1");
  check(options.clip_norm >= 0 && std::isfinite(options.clip_norm), "clip_norm", options.clip_norm,
        "a number from 0 up");
  check(options.min_lr >= 0 && std::isfinite(options.min_lr), "min_lr", options.min_lr, "a number from 0 up");
  if (options.schedule == Schedule::noam) check(options.warmup > 0, "warmup", 0, "at least 1 with schedule noam");
  if (options.schedule == Schedule::cosine)
    check(options.steps > options.warmup, "steps", static_cast<double>(options.steps),
          "more than the steps of the warm-up with schedule cosine");
  return options;
}

// The draws of one batch, from the seed and its number.
RandomState draws_of(std::uint32_t seed, std::uint64_t batch) {
  const std::array<std::uint32_t, 3> state{seed, static_cast<std::uint32_t>(batch),
                                           static_cast<std::uint32_t>(batch >> 32)};
  return RandomState(std::span(state));
}

// The place of the largest logit, the first among equal ones.
std::size_t best_of(std::span<const float> logits) {
  return static_cast<std::size_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
}

// Writes parameters into a graph that has them, by their names.
void write_parameters(const Parameters<float>& from, Graph<float>& to) {
  for (const std::size_t id : to.parameters()) {
    const Array<float>& value = from.at(to.node(id).name).value;
    std::copy(value.begin(), value.end(), to.numbers(id).begin());
  }
}

// Writes the parameters of a graph into another that has the same.
void copy_parameters(const Graph<float>& from, Graph<float>& to) {
  const auto& ids = from.parameters();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Array<float>& value = from.node(ids[i]).value;
    std::copy(value.begin(), value.end(), to.numbers(to.parameters()[i]).begin());
  }
}

}  // namespace

// The graph without dropout in which held-out examples are evaluated and sources answered.
struct Trainer::Evaluator {
  Evaluator(const Parameters<float>& parameters, const TrainerOptions& options, const Task& task,
            std::size_t batch_size, std::uint64_t max_bytes)
      : graph({.max_bytes = max_bytes}), batch(empty_batch(options.model, task, batch_size)) {
    const StateDict<float> state(graph, parameters);
    model = build_model(state, graph, options.model, task, batch, {}, 0);
  }

  void replay() {
    write_batch(graph, model, batch);
    graph.replay_for({model.loss.id});
  }

  // The places of an example in the labels.
  std::size_t places() const { return batch.label_ids.size() / batch.size; }

  bool is_asked(std::size_t place) const { return batch.label_ids[place] != static_cast<float>(kNotAsked); }

  // How many places of an example are asked, and how many of them are answered right.
  struct Count {
    std::size_t asked = 0;
    std::size_t right = 0;
  };
  Count count(std::size_t row) const {
    Count counted;
    for (std::size_t place = row * places(); place < (row + 1) * places(); ++place) {
      if (!is_asked(place)) continue;
      ++counted.asked;
      if (answer_at(place) == static_cast<std::size_t>(batch.label_ids[place])) ++counted.right;
    }
    return counted;
  }

  std::span<const float> logits_at(std::size_t place) const {
    const std::size_t count = model.logits.shape().back();
    return {model.logits.value().data() + place * count, count};
  }

  // The token of the largest logit at a place of the batch.
  std::size_t answer_at(std::size_t place) const { return best_of(logits_at(place)); }

  Graph<float> graph;
  Batch batch;
  ModelGraph<float> model;
};

Trainer::Trainer(const TrainerOptions& options, std::uint64_t max_bytes)
    : Trainer(options, make_task(options.task), max_bytes) {}

Trainer::Trainer(TrainerOptions options, Task task, std::uint64_t max_bytes)
    : options_(checked(std::move(options))),
      task_(std::move(task)),
      max_bytes_(max_bytes),
      graph_({.max_bytes = max_bytes}),
      initial_(max_bytes),
      batch_(empty_batch(options_.model, task_, options_.batch_size)),
      optimizer_(make_optimizer(options_.optimizer)) {
  if (task_.held_out.empty()) refuse_option(kTrainer, "task", "without held-out examples", "at least one");
  initial_.draw(model_parameters(options_.model, task_), options_.seed);
  const StateDict<float> state(graph_, initial_);
  model_ = build_model(state, graph_, options_.model, task_, batch_,
                       {.p = options_.model.dropout, .seed = options_.seed}, options_.label_smoothing);
}

Trainer::~Trainer() = default;

// Writes the examples of batch number `number` to the rows of a batch from row `first` on.
void Trainer::draw_batch(std::uint64_t number, Batch& batch, std::size_t first) const {
  RandomState random = draws_of(options_.seed, number);
  for (std::size_t row = first; row < batch.size; ++row)
    write_example(batch, row, task_.draw(random), options_.model, task_);
}

void Trainer::check_finite(const char* what, double value) const {
  if (std::isfinite(value)) return;
  refuse_option(kTrainer, std::string(what) + " of step " + std::to_string(steps_ + 1), format_number(value),
                "a finite number; no parameter was changed");
}

TrainingStep Trainer::step() {
  TrainingStep made{.lr = lr_at(options_, steps_)};
  const double share = 1 / static_cast<double>(options_.accumulate);
  for (std::size_t part = 0; part < options_.accumulate; ++part) {
    const std::uint64_t number = steps_ * options_.accumulate + part;
    draw_batch(number, batch_, 0);
    write_batch(graph_, model_, batch_);
    graph_.redraw_dropout(static_cast<std::uint32_t>(number));
    graph_.replay_for({model_.loss.id});
    const double loss = model_.loss.value().data()[0];
    check_finite("loss", loss);
    made.loss += share * loss;
    graph_.backward(model_.loss.id, full<float>({}, static_cast<float>(share)),
                    {.parameters_only = true, .accumulate = part > 0});
  }
  constexpr double kAny = std::numeric_limits<double>::max();
  made.gradient_norm = clip_grad_norm(graph_, options_.clip_norm > 0 ? options_.clip_norm : kAny);
  check_finite("norm of the gradients", made.gradient_norm);
  previous_.clear();
  for (const std::size_t id : graph_.parameters()) previous_.push_back(graph_.node(id).value);
  optimizer_->set_lr(made.lr);
  optimizer_->step(graph_);
  has_gradients_ = true;
  ++steps_;
  return made;
}

Trainer::Evaluator& Trainer::evaluator(std::unique_ptr<Evaluator>& kept, std::size_t batch_size) {
  if (!kept) kept = std::make_unique<Evaluator>(initial_, options_, task_, batch_size, max_bytes_);
  copy_parameters(graph_, kept->graph);
  return *kept;
}

Evaluation Trainer::evaluate() {
  Evaluator& current = evaluator(evaluator_, options_.batch_size);
  const bool by_token = task_.answer == Answer::next || task_.answer == Answer::masked;
  Evaluation sum;
  std::size_t asked = 0;
  std::size_t right = 0;
  for (std::size_t start = 0; start < task_.held_out.size(); start += options_.batch_size) {
    const std::size_t count = std::min(options_.batch_size, task_.held_out.size() - start);
    // The rows of a batch that is not full stay as they were, and ask nothing.
    std::fill(current.batch.label_ids.begin(), current.batch.label_ids.end(), static_cast<float>(kNotAsked));
    for (std::size_t row = 0; row < count; ++row)
      write_example(current.batch, row, task_.held_out[start + row], options_.model, task_);
    current.replay();
    std::size_t in_batch = 0;
    for (std::size_t row = 0; row < count; ++row) {
      const Evaluator::Count answers = current.count(row);
      in_batch += answers.asked;
      right += by_token ? answers.right : static_cast<std::size_t>(answers.right == answers.asked);
    }
    sum.loss += static_cast<double>(in_batch) * static_cast<double>(current.model.loss.value().data()[0]);
    asked += in_batch;
  }
  sum.examples = by_token ? asked : task_.held_out.size();
  sum.loss /= static_cast<double>(asked);
  sum.accuracy = static_cast<double>(right) / static_cast<double>(sum.examples);
  return sum;
}

void Trainer::check_source(const Example& example) const {
  const std::size_t pixels = task_.image.empty() ? 0 : size_of(task_.image);
  if (example.image.size() != pixels) {
    refuse_option(kTrainer, "image", std::to_string(example.image.size()) + " pixels",
                  pixels == 0 ? "none" : "those of " + to_string(task_.image));
  }
  const std::size_t length = example.source.size();
  if (length > 0 && task_.source_length == 0)
    refuse_option(kTrainer, "source", std::to_string(length) + " ids", "none: the task has no source");
  if (length > task_.source_length || (length == 0 && task_.source_length > 0)) {
    refuse_option(kTrainer, "source", std::to_string(length) + " ids",
                  "1 to " + std::to_string(task_.source_length) + " ids");
  }
  const auto check_id = [&](const char* what, std::int64_t id) {
    if (id >= 0 && static_cast<std::size_t>(id) < task_.vocabulary.size()) return;
    refuse_option(kTrainer, what, std::to_string(id),
                  "ids below " + std::to_string(task_.vocabulary.size()) + ", the size of the vocabulary");
  };
  for (const std::size_t id : example.source) check_id("source", static_cast<std::int64_t>(id));
  if (task_.answer != Answer::next) return;
  for (const std::int64_t id : example.target) check_id("start", id);
  if (example.target.size() >= task_.target_length) {
    refuse_option(kTrainer, "start", std::to_string(example.target.size()) + " ids",
                  "at most " + std::to_string(task_.target_length - 1) + " ids");
  }
}

std::vector<std::size_t> Trainer::predict(const Example& example, const Choice& choice) {
  check_source(example);
  const SamplingOptions sampling{.temperature = choice.temperature};
  check_sampling(sampling, kTrainer);
  RandomState random(choice.seed);
  Evaluator& current = evaluator(predictor_, 1);
  const auto token_at = [&](std::size_t place) {
    if (choice.temperature == 0) return current.answer_at(place);
    return draw_ids(next_probabilities(current.logits_at(place), sampling, kTrainer), 1, random).front();
  };
  const auto answered = [&](const Example& asked) {
    write_example(current.batch, 0, asked, options_.model, task_);
    current.replay();
  };
  const ModelKind kind = options_.model.kind;
  Example asked{.source = example.source, .image = example.image};
  std::vector<std::size_t> answer;
  if (!writes_answer(kind)) {
    const bool in_place = task_.image.empty() && task_.answer != Answer::label;
    asked.target.assign(in_place ? example.source.size() : 1, kPad);
    answered(asked);
    for (std::size_t place = 0; place < current.places(); ++place)
      if (current.is_asked(place)) answer.push_back(current.answer_at(place));
    return answer;
  }
  if (task_.answer == Answer::next) answer.assign(example.target.begin(), example.target.end());
  const std::size_t first = kind == ModelKind::decoder ? example.source.size() : 0;
  // After the longest target a sequence has to end. An answer that does not is one token too long.
  const bool ends = has_end(kind, task_);
  while (answer.size() < task_.target_length + (ends ? 1 : 0)) {
    asked.target.assign(answer.begin(), answer.end());
    if (!ends) asked.target.push_back(kPad);  // the token that is asked
    answered(asked);
    const std::size_t next = token_at(first + answer.size());
    if (ends && next == kEnd) break;
    answer.push_back(next);
  }
  return answer;
}

void Trainer::reset() {
  write_parameters(initial_, graph_);
  optimizer_->load_state(graph_, {});
  has_gradients_ = false;
  steps_ = 0;
}

namespace {

constexpr std::string_view kState = "optimizer.";
constexpr std::string_view kSteps = "trained_steps";

// What the metadata of a checkpoint says.
struct Checkpoint {
  Metadata options = {};
  std::uint64_t steps = 0;
};

Checkpoint read_checkpoint(BytesView file) {
  Checkpoint read{.options = read_safetensors_metadata(file)};
  const auto steps = read.options.find(kSteps);
  if (steps == read.options.end()) refuse_option(kTrainer, "file", "no checkpoint", "a file that a trainer has saved");
  const std::string count = steps->second;
  const char* last = count.data() + count.size();
  const auto [end, error] = std::from_chars(count.data(), last, read.steps);
  if (error != std::errc() || end != last)
    refuse_option(kTrainer, "number of steps of the file", "\"" + count + "\"", "a whole number");
  read.options.erase(steps);
  return read;
}

// Throws InputError naming the first option in which they differ.
void check_same(const Metadata& texts, const Metadata& own) {
  const auto text_of = [](const Metadata& all, const std::string& name) {
    const auto found = all.find(name);
    return found == all.end() ? std::string("absent") : found->second;
  };
  Metadata either = own;
  either.insert(texts.begin(), texts.end());
  for (const auto& [name, text] : either) {
    if (text_of(texts, name) == text_of(own, name)) continue;
    refuse_option(kTrainer, name + " of the file", text_of(texts, name), text_of(own, name));
  }
}

}  // namespace

TrainerOptions options_of_checkpoint(BytesView file) {
  return trainer_options(read_checkpoint(file).options, kTrainer);
}

Bytes Trainer::save() {
  std::vector<NamedArray> arrays;
  for (const std::size_t id : graph_.parameters())
    arrays.push_back({graph_.node(id).name, converted<double>(graph_.node(id).value)});
  for (const auto& [name, state] : optimizer_->state(graph_)) {
    for (const auto& [buffer, value] : state.buffers) {
      std::string array_name(kState);
      array_name.append(buffer).append(".").append(name);
      arrays.push_back({std::move(array_name), converted<double>(value)});
    }
  }
  Metadata texts = described(options_);
  texts.emplace(kSteps, std::to_string(steps_));
  return write_safetensors(arrays, Precision::float32, texts);
}

void Trainer::load(BytesView file) {
  const auto [options, steps] = read_checkpoint(file);
  check_same(options, described(options_));
  std::vector<NamedArray> parameters;
  Optimizer<float>::States states;
  for (NamedArray& array : read_safetensors(file, "file", max_bytes_)) {
    if (!array.name.starts_with(kState)) {
      parameters.push_back(std::move(array));
      continue;
    }
    const std::string name = array.name.substr(kState.size());
    const std::size_t dot = name.find('.');
    OptimizerState<float>& state = states[dot == std::string::npos ? std::string() : name.substr(dot + 1)];
    state.step = steps;
    state.buffers.emplace(name.substr(0, dot), converted<float>(array.value));
  }
  // Everything is checked before anything is changed.
  const bool has_buffers = options_.optimizer.kind != "sgd" || options_.optimizer.beta1 != 0;
  const std::size_t expected = steps > 0 && has_buffers ? graph_.parameters().size() : 0;
  if (states.size() != expected) {
    refuse_option(kTrainer, "optimizer of the file", "the state of " + std::to_string(states.size()) + " parameters",
                  "that of " + std::to_string(expected));
  }
  Parameters<float> read(max_bytes_);
  for (const std::size_t id : graph_.parameters()) read.add(graph_.node(id).name, graph_.node(id).value);
  read.load(parameters, kTrainer);
  optimizer_->load_state(graph_, std::move(states));
  write_parameters(read, graph_);
  has_gradients_ = false;
  steps_ = steps;
}

Tensor<float> Trainer::parameter(const std::string& name) {
  const Tensor<float> node = graph_.at(name, kTrainer);
  const auto& ids = graph_.parameters();
  if (std::find(ids.begin(), ids.end(), node.id) == ids.end())
    refuse_option(kTrainer, "name", "\"" + name + "\"", "the name of a parameter");
  return node;
}

const Array<float>* Trainer::gradient(const std::string& name) {
  const Tensor<float> node = parameter(name);
  return has_gradients_ ? graph_.gradient(node.id) : nullptr;
}

Norms Trainer::norms(const std::vector<std::string>& names) {
  Norms squares;
  const auto add = [](double& sum, const Array<float>& cells) {
    for (const float cell : cells) sum += static_cast<double>(cell) * cell;
  };
  for (const std::string& name : names) {
    const std::size_t id = parameter(name).id;
    const Array<float>& value = graph_.node(id).value;
    add(squares.value, value);
    if (!has_gradients_) continue;
    add(squares.gradient, *graph_.gradient(id));
    const auto& ids = graph_.parameters();
    const Array<float>& before = previous_[std::find(ids.begin(), ids.end(), id) - ids.begin()];
    for (std::size_t i = 0; i < value.size(); ++i) {
      const double moved = static_cast<double>(value.data()[i]) - before.data()[i];
      squares.update += moved * moved;
    }
  }
  return {std::sqrt(squares.value), std::sqrt(squares.gradient), std::sqrt(squares.update)};
}

Observed Trainer::observe(Graph<double>& graph, std::vector<Example> examples, const Choice& choice) {
  if (graph.size() > 0) refuse_option(kTrainer, "graph", std::to_string(graph.size()) + " nodes", "none");
  Batch batch = empty_batch(options_.model, task_, examples.size() + options_.batch_size);
  for (std::size_t row = 0; row < examples.size(); ++row) {
    Example& example = examples[row];
    const std::vector<std::size_t> answer = predict(example, choice);
    // An answer without an end is one token longer than the model can read.
    const std::size_t length = std::min(answer.size(), std::max<std::size_t>(task_.target_length, 1));
    example.target.assign(answer.begin(), answer.begin() + static_cast<std::ptrdiff_t>(length));
    write_example(batch, row, example, options_.model, task_);
    const std::size_t places = batch.label_ids.size() / batch.size;
    std::fill_n(batch.label_ids.begin() + static_cast<std::ptrdiff_t>(row * places), places,
                static_cast<float>(kNotAsked));
  }
  draw_batch(steps_ * options_.accumulate, batch, examples.size());
  Parameters<double> parameters(max_bytes_);
  for (const std::size_t id : graph_.parameters())
    parameters.add(graph_.node(id).name, converted<double>(graph_.node(id).value));
  const StateDict<double> state(graph, parameters);
  return {build_model(state, graph, options_.model, task_, batch, {}, options_.label_smoothing), std::move(examples)};
}

Tensor<double> Trainer::observe_move(Graph<double>& graph, const std::string& name) {
  if (options_.accumulate > 1)
    refuse_option("observe_move", "accumulate", std::to_string(options_.accumulate), "1: the gradient is of one batch");
  parameter(name);
  const Tensor<double> value = graph.at(name, "observe_move");
  graph.backward(graph.at("loss", "observe_move").id);
  const auto& states = optimizer_->state(graph_);
  const auto state = states.find(name);
  const OptimizerOptions& optimizer = options_.optimizer;
  return add_next_move(value, state == states.end() ? nullptr : &state->second,
                       {.kind = optimizer.kind,
                        .lr = lr_at(options_, steps_),
                        .beta1 = optimizer.beta1,
                        .beta2 = optimizer.beta2,
                        .eps = optimizer.eps,
                        .weight_decay = optimizer_->weight_decay_of(name),
                        .clip_norm = options_.clip_norm});
}

Tensor<double> Trainer::observe_cached(Graph<double>& graph, const Example& example,
                                       const std::vector<std::size_t>& answer) {
  check_source(example);
  // A refused answer adds no node, whose name a later one could not take.
  const std::size_t most = std::max<std::size_t>(task_.target_length, 1);
  if (answer.size() > most) {
    refuse_option("observe_cached", "answer", std::to_string(answer.size()) + " ids",
                  "at most " + std::to_string(most) + " ids");
  }
  for (const std::size_t id : answer) check_id("observe_cached", "answer", id, task_.vocabulary.size());
  const std::size_t given = task_.answer == Answer::next ? example.target.size() : 0;
  for (std::size_t at = 0; at < given && at < answer.size(); ++at) {
    if (static_cast<std::int64_t>(answer[at]) == example.target[at]) continue;
    refuse_option("observe_cached", "answer at " + std::to_string(at), std::to_string(answer[at]),
                  std::to_string(example.target[at]) + ", as it is given");
  }
  std::map<std::string, Tensor<double>> parameters;
  for (const std::size_t id : graph_.parameters()) {
    const std::string& name = graph_.node(id).name;
    parameters.emplace(name, graph.at(name, "observe_cached"));
  }
  return build_cached(StateDict<double>(std::move(parameters)), graph, options_.model, example.source, answer, given);
}

}  // namespace attn
