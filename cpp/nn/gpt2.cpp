// A decoder-only language model: "Language Models are Unsupervised Multitask Learners" (GPT-2), section 2.3.
#include "nn/gpt2.hpp"

#include <cmath>

#include "nn/embedding.hpp"
#include "nn/layer_norm.hpp"
#include "nn/linear.hpp"
#include "nn/seq2seq.hpp"
#include "nn/sub_layers.hpp"
#include "ops/add.hpp"
#include "ops/slice.hpp"

namespace attn {
namespace {

constexpr std::string_view kName = "gpt2";
constexpr std::string_view kContinuation = "gpt2_continuation";

const PartNames kNames = {
    .norm = "ln_", .dropouts = {"attn.resid_dropout", "mlp.dropout", ""}, .attention_dropout = "attn_dropout"};

// x W + b with the weight and bias of `module`.
template <typename T>
Tensor<T> conv1d(const Tensor<T>& x, const StateDict<T>& parameters, const std::string& module,
                 const std::string& step) {
  const StateDict<T> inside = parameters.within(module);
  const Tensor<T> weight = inside.at("weight");
  const Shape& shape = weight.shape();
  if (shape.size() != 2 || shape[0] != x.shape().back()) {
    refuse_shape(kName, inside.module() + "weight", shape,
                 "(in, out), where in is the width of x " + to_string(x.shape()));
  }
  return row_vector_linear(x, weight, inside.bias("bias"), kName, inside.module() + "bias", step);
}

// The parts of one block.
template <typename T>
struct Gpt2Parts : SubLayers<T> {
  Gpt2Parts(SubLayers<T> parts, const StateDict<T>& block, const LayerOptions& given, const AttentionMasks<T>& masked,
            std::optional<KeyValue<T>>* kept)
      : SubLayers<T>(std::move(parts)), parameters(block), options(given), masks(masked), cached(kept) {}

  MultiHeadAttention<T> attention(const Tensor<T>& x) const {
    const Tensor<T> joined = conv1d(x, parameters, "attn.c_attn", this->step_name("attn.c_attn"));
    const std::size_t columns = joined.shape().back();
    if (columns % 3 != 0) {
      refuse_shape(kName, parameters.module() + "attn.c_attn.weight", {x.shape().back(), columns},
                   "a number of columns that 3 divides");
    }
    const auto third = [&](std::size_t number, const char* step) {
      return slice(joined, -1, number * columns / 3, (number + 1) * columns / 3, this->step_name(step));
    };
    const Tensor<T> query = third(0, "attn.Q");
    std::optional<KeyValue<T>> all;
    if (cached) all = *cached;
    const Tensor<T> key = third(1, "attn.K");
    this->append({.key = key, .value = third(2, "attn.V")}, "attn", all);
    if (cached) *cached = all;
    MultiHeadAttention<T> steps = attend_heads(query, *all, this->attention_options("attn", masks));
    steps.output = conv1d(steps.concat, parameters, "attn.c_proj", this->step_name("attn.c_proj"));
    return steps;
  }

  FeedForward<T> feed_forward(const Tensor<T>& x) const {
    FeedForward<T> steps;
    steps.linear1 = conv1d(x, parameters, "mlp.c_fc", this->step_name("mlp.c_fc"));
    steps.hidden = activate(steps.linear1, options.activation, this->step_name("mlp.activation"));
    steps.output = conv1d(steps.hidden, parameters, "mlp.c_proj", this->step_name("mlp.c_proj"));
    return steps;
  }

  const StateDict<T>& parameters;
  const LayerOptions& options;
  const AttentionMasks<T>& masks;
  std::optional<KeyValue<T>>* cached;  // of earlier tokens, or null
};

// The number of tokens in the cache.
template <typename T>
std::size_t cached_tokens(const DecoderCache<T>& cache) {
  if (cache.layers.empty() || !cache.layers[0].target) return 0;
  return cache.layers[0].target->key.shape().end()[-2];
}

// The number of rows of the table of `module`, (rows, D).
template <typename T>
std::size_t rows_of(const StateDict<T>& parameters, const std::string& module) {
  const Shape& shape = parameters.at(module + ".weight").shape();
  if (shape.size() != 2) refuse_shape(kName, module + ".weight", shape, "(rows, width)");
  return shape[0];
}

void check_end(const ContinuationOptions& how, std::size_t vocabulary) {
  if (how.steps == 0) refuse_option(kContinuation, "steps", "0", "at least 1");
  check_sampling(how.sampling, kContinuation);
  if (how.end) check_id(kContinuation, "end", *how.end, vocabulary);
}

// The last appended id is not read, so a text may be one id longer than there are positions.
void check_length(std::size_t prompt, std::size_t steps, std::size_t longest) {
  if (prompt > longest || steps - 1 > longest - prompt) {
    refuse_option(
        kContinuation, "steps", std::to_string(steps),
        prompt > longest
            ? "a prompt of at most " + std::to_string(longest) + " ids, not " + std::to_string(prompt)
            : "at most " + std::to_string(longest - prompt + 1) + " after a prompt of " + std::to_string(prompt));
  }
}

// Draws the next id of each sample of a text.
template <typename T>
class NextIds {
 public:
  NextIds(const ContinuationOptions& how, Continuation<T>& text)
      : how_(how), text_(text), random_(how.seed), ended_(text.ids.size(), false) {}

  // Appends an id to every sample, drawn by its row of logits, (B?, V). Returns whether all samples have ended.
  bool append(const Array<T>& logits) {
    const std::size_t vocabulary = logits.size() / text_.ids.size();
    check_logits(logits, text_.probabilities.size(), kContinuation);
    Array<double> probabilities = full<double>(shape_of(logits), 0);
    std::vector<std::size_t> next;
    for (std::size_t sample = 0; sample < text_.ids.size(); ++sample) {
      const std::span<const T> row(logits.data() + sample * vocabulary, vocabulary);
      const std::vector<double> left = next_probabilities(row, how_.sampling, kContinuation);
      std::copy(left.begin(), left.end(), probabilities.data() + sample * vocabulary);
      next.push_back(draw_ids(left, 1, random_)[0]);
    }
    text_.probabilities.push_back(std::move(probabilities));
    append_ids(next, how_.end, text_.ids, ended_);
    return all_ended(ended_);
  }

 private:
  const ContinuationOptions& how_;
  Continuation<T>& text_;
  RandomState random_;
  std::vector<bool> ended_;
};

}  // namespace

StackOptions gpt2_options(std::size_t num_layers, std::size_t num_heads) {
  return {.num_layers = num_layers,
          .layer = {.num_heads = num_heads, .activation = Activation::gelu_tanh, .norm_first = true}};
}

ParameterSpecs gpt2_parameters(const Gpt2Sizes& sizes, const StackOptions& options) {
  if (sizes.vocabulary == 0) refuse_option(kName, "vocabulary", "0", "at least 1");
  if (sizes.positions == 0) refuse_option(kName, "positions", "0", "at least 1");
  check_sizes(sizes.layer, options.layer, kName);
  const std::size_t width = sizes.layer.d_model;
  const Initial normal{.kind = Initial::Kind::normal, .divisor = 50};
  const Initial projection{.kind = Initial::Kind::normal,
                           .divisor = 50 * std::sqrt(2 * static_cast<double>(options.num_layers))};
  const auto conv1d_parameters = [](std::size_t in, std::size_t out, const Initial& initial) {
    return ParameterSpecs{{"weight", {in, out}, initial}, {"bias", {out}}};
  };
  const ParameterSpecs block = join(
      {within("ln_1", layer_norm_parameters(width)), within("attn.c_attn", conv1d_parameters(width, 3 * width, normal)),
       within("attn.c_proj", conv1d_parameters(width, width, projection)), within("ln_2", layer_norm_parameters(width)),
       within("mlp.c_fc", conv1d_parameters(width, sizes.layer.d_ff, normal)),
       within("mlp.c_proj", conv1d_parameters(sizes.layer.d_ff, width, projection))});
  std::vector<ParameterSpecs> parts = {
      {{"wte.weight", {sizes.vocabulary, width}, normal}, {"wpe.weight", {sizes.positions, width}, normal}}};
  for (std::size_t i = 0; i < options.num_layers; ++i) parts.push_back(within("h." + std::to_string(i), block));
  if (options.final_norm) parts.push_back(within("ln_f", layer_norm_parameters(width)));
  return join(std::move(parts));
}

template <typename T>
Gpt2<T> gpt2(const Tensor<T>& ids, const StateDict<T>& parameters, const StackOptions& options,
             const OptionalTensor<T>& key_mask, const std::string& name, const OptionalTensor<T>& given_positions,
             DecoderCache<T>* cache) {
  Graph<T>& graph = *ids.graph;
  const Shape& shape = ids.shape();
  check_ids(kName, "ids", shape);
  if (options.num_layers == 0) refuse_option(kName, "num_layers", "0", "at least 1");
  DecoderCache<T> updated = copy_of_cache(cache, options.num_layers, kName);
  const std::size_t start = cached_tokens(updated);
  const std::size_t positions = rows_of(parameters, "wpe");
  if (given_positions) {
    const Shape& given = given_positions->shape();
    if (given != shape && given != Shape{shape.back()})
      refuse_shape(kName, "position_ids", given, "(" + std::to_string(shape.back()) + ",) or the shape of ids");
  } else if (start + shape.back() > positions) {
    refuse_shape(kName, "ids", shape,
                 "at most " + std::to_string(positions) + " positions" +
                     (start ? ", " + std::to_string(start) + " of them cached" : std::string()));
  }
  const auto step_name = [&](const char* step) { return graph.observe() ? name + step : std::string(); };

  Gpt2<T> steps;
  steps.tokens = embedding(ids, parameters.within("wte"), false, step_name("wte"));
  const Tensor<T> places =
      given_positions ? *given_positions : position_ids(graph, start, shape.back(), kName, step_name("position_ids"));
  steps.positions = embedding(places, parameters.within("wpe"), false, step_name("wpe"));
  steps.embedded = add(steps.tokens, steps.positions, step_name("embedded"));
  Tensor<T> x = dropout(steps.embedded, options.layer.dropout.at(parameters.module() + "drop"), step_name("drop"));
  const AttentionMasks<T> masks{.key_mask = key_mask, .causal = cache ? Causal::bottom_right : Causal::top_left};
  for (std::size_t i = 0; i < options.num_layers; ++i) {
    const std::string module = "h." + std::to_string(i);
    const StateDict<T> block = parameters.within(module);
    const Gpt2Parts<T> parts({block, options.layer, step_prefix(graph, name, module + "."), graph.observe(), kNames},
                             block, options.layer, masks, cache ? &updated.layers[i].target : nullptr);
    steps.blocks.layers.push_back(encoder_layer_of(parts, x));
    x = steps.blocks.layers.back().output;
  }
  if (options.final_norm) {
    x = layer_norm(x, parameters.within("ln_f"), {.eps = options.layer.eps, .unbiased = options.layer.unbiased},
                   step_prefix(graph, name, "ln_f"));
  }
  steps.blocks.output = x;
  steps.logits = tied_logits(x, parameters.at("wte.weight"), step_prefix(graph, name, "logits"));
  if (cache) *cache = std::move(updated);
  return steps;
}

template <typename T>
Continuation<T> gpt2_continuation(const Tensor<T>& prompt, const StateDict<T>& parameters, const StackOptions& options,
                                  const ContinuationOptions& how, bool cache, const std::string& name) {
  Graph<T>& graph = *prompt.graph;
  const Shape& shape = prompt.shape();
  check_ids(kContinuation, "prompt", shape);
  const bool batched = shape.size() == 2;
  const std::size_t batch = batch_of(shape);
  if (batch == 0) refuse_shape(kContinuation, "prompt", shape, "at least one sample");
  const std::size_t vocabulary = rows_of(parameters, "wte");
  check_vocabulary<T>(kContinuation, vocabulary);
  check_end(how, vocabulary);
  check_length(shape.back(), how.steps, rows_of(parameters, "wpe"));
  if (cache && options.layer.dropout.p != 0) {
    refuse_option(kContinuation, "dropout", format_number(options.layer.dropout.p),
                  "0 when cache is true: a cache would draw for the new token alone");
  }
  Continuation<T> text;
  std::optional<NextIds<T>> next;
  DecoderCache<T> kept;
  for (std::size_t step = 0; step < how.steps; ++step) {
    const std::string part = step_prefix(graph, name, "step_" + std::to_string(step) + ".");
    const std::size_t start = cache && step > 0 ? text.ids[0].size() - 1 : 0;
    const Tensor<T> ids =
        step == 0 ? prompt
                  : ids_leaf(graph, text.ids, start, batched, kContinuation, part.empty() ? part : part + "ids");
    const Tensor<T> logits = gpt2(ids, parameters, options, {}, part, {}, cache ? &kept : nullptr).logits;
    if (!next) {
      // The model has refused ids outside its table.
      const T* id = prompt.value().data();
      for (std::size_t sample = 0; sample < batch; ++sample, id += shape.back())
        text.ids.emplace_back(id, id + shape.back());
      next.emplace(how, text);
    }
    text.logits.push_back(last_position(logits, graph.observe() ? part + "last_logits" : std::string()));
    if (next->append(text.logits.back().value())) break;
  }
  return text;
}

template <typename T>
Gpt2Decoder<T>::Gpt2Decoder(const Parameters<T>& parameters, const StackOptions& options, std::size_t length,
                            std::optional<std::size_t> batch, std::uint64_t max_bytes)
    : graph_({.max_bytes = max_bytes}), length_(length), shape_(batch ? Shape{*batch, 1} : Shape{1}) {
  const StateDict<T> state(graph_, parameters);
  vocabulary_ = rows_of(state, "wte");
  check_vocabulary<T>(kContinuation, vocabulary_);
  if (batch == std::size_t{0}) refuse_option(kContinuation, "batch", "0", "at least 1");
  const std::size_t positions = rows_of(state, "wpe");
  if (length == 0 || length > positions) {
    refuse_option(kContinuation, "length", std::to_string(length),
                  "from 1 to " + std::to_string(positions) + ", the number of positions");
  }
  if (options.layer.dropout.p != 0) {
    refuse_option(kContinuation, "dropout", format_number(options.layer.dropout.p), "0: a decoder draws no dropout");
  }
  DecoderCache<T> cache;
  cache.layers.resize(options.num_layers);
  const std::size_t width = state.at("wte.weight").shape()[1];
  token_ = TokenReplay<T>(graph_, shape_, std::max<std::size_t>(1, length - 1), width, cache, kContinuation);
  const Gpt2<T> model = gpt2<T>(token_.ids(), state, options, token_.key_mask(), {}, token_.position(), &cache);
  token_.complete(cache, last_position(model.logits, {}));
}

template <typename T>
Continuation<T> Gpt2Decoder<T>::continue_texts(const IdLists& prompts, const ContinuationOptions& how) {
  check_end(how, vocabulary_);
  const std::size_t batch = batch_of(shape_);
  if (prompts.size() != batch)
    refuse_option(kContinuation, "prompts", std::to_string(prompts.size()), std::to_string(batch));
  const std::size_t start = prompts[0].size();
  for (const std::vector<std::size_t>& prompt : prompts) {
    if (prompt.size() != start || start == 0)
      refuse_option(kContinuation, "prompt", std::to_string(prompt.size()) + " ids",
                    start ? std::to_string(start) + ", as the first prompt" : "at least 1");
    for (const std::size_t id : prompt) check_id(kContinuation, "id of the prompt", id, vocabulary_);
  }
  check_length(start, how.steps, length_);
  graph_.check_memory(std::uint64_t{how.steps} * batch * vocabulary_ * sizeof(double), kContinuation);

  Continuation<T> text{.ids = prompts};
  NextIds<T> next(how, text);
  std::vector<std::size_t> token(batch);
  token_.forget();
  for (std::size_t place = 0; place + 1 < start + how.steps; ++place) {
    if (place > 0) token_.keep();
    for (std::size_t sample = 0; sample < batch; ++sample) token[sample] = text.ids[sample][place];
    const Array<T>& logits = token_.compute(token);
    if (place + 1 >= start && next.append(logits)) break;
  }
  return text;
}

template class Gpt2Decoder<float>;
template class Gpt2Decoder<double>;

#define INSTANTIATE(T)                                                                                        \
  template Gpt2<T> gpt2(const Tensor<T>&, const StateDict<T>&, const StackOptions&, const OptionalTensor<T>&, \
                        const std::string&, const OptionalTensor<T>&, DecoderCache<T>*);                      \
  template Continuation<T> gpt2_continuation(const Tensor<T>&, const StateDict<T>&, const StackOptions&,      \
                                             const ContinuationOptions&, bool, const std::string&)
INSTANTIATE(float);
INSTANTIATE(double);
#undef INSTANTIATE

}  // namespace attn
