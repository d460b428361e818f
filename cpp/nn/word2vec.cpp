// Word vectors learned from neighbours: "Efficient Estimation of Word Representations in Vector Space", section 3;
// "Distributed Representations of Words and Phrases and their Compositionality", section 2.2.
#include "nn/word2vec.hpp"

#include <algorithm>
#include <cmath>

#include "nn/sampling.hpp"
#include "ops/add.hpp"
#include "ops/concat.hpp"
#include "ops/cross_entropy.hpp"
#include "ops/embedding.hpp"
#include "ops/linear.hpp"
#include "ops/log_sigmoid.hpp"
#include "ops/matmul.hpp"
#include "ops/mean.hpp"
#include "ops/multiply.hpp"
#include "ops/reshape.hpp"
#include "ops/scale.hpp"
#include "ops/softmax.hpp"
#include "ops/sum.hpp"
#include "tensor/filled_leaf.hpp"

namespace attn {
namespace {

// The names of the steps of one model.
template <typename T>
struct Steps {
  const char* operation;
  const StateDict<T>& parameters;
  const std::string& name;
  bool observe;

  std::string step_name(const char* step) const { return observe ? name + step : std::string(); }
  std::string loss_name() const { return observe || !name.empty() ? name + "loss" : std::string(); }
};

// Checks the shape of the context or the negatives: that of `word` with one more axis.
void check_ids_per_word(const char* operation, const char* argument, const Shape& shape, const Shape& word) {
  if (word.size() > 1) refuse_shape(operation, "word", word, "() or (words)");
  Shape leading = shape;
  if (!leading.empty()) leading.pop_back();
  if (shape.empty() || leading != word || shape.back() == 0) {
    refuse_shape(operation, argument, shape, "several for each word of " + to_string(word));
  }
}

// The rows of `x` (N?, d) with an axis of size 1 inserted: (N?, 1, d).
template <typename T>
Tensor<T> with_row_axis(const Tensor<T>& x, std::string name = {}) {
  Shape shape = x.shape();
  shape.insert(shape.end() - 1, 1);
  return reshape(x, shape, std::move(name));
}

template <typename T>
Tensor<T> mean_of_context(const Tensor<T>& context, const Steps<T>& steps) {
  const Tensor<T> rows = embedding(context, steps.parameters.at("w_in"), false, steps.step_name("context"));
  return mean(rows, {.axes = std::vector<int>{-2}, .keepdim = false}, steps.step_name("hidden"));
}

// -log sigmoid(score) of the positive, plus the sum of -log sigmoid(-score) over the negatives.
template <typename T>
Word2Vec<T> sample(const Tensor<T>& hidden, const Tensor<T>& positive, const Tensor<T>& negatives,
                   const Steps<T>& steps) {
  const Tensor<T> table = steps.parameters.at("w_out");
  Shape one = positive.shape();
  one.push_back(1);
  const Tensor<T> ids = concat<T>({reshape(positive, one), negatives}, -1, steps.step_name("ids"));
  const Tensor<T> rows = embedding(ids, table, false, steps.step_name("rows"));
  Word2Vec<T> model;
  model.hidden = hidden;
  // The product of (N?, 1 + K, d) and (N?, d, 1).
  Shape column = hidden.shape();
  column.push_back(1);
  const Tensor<T> products = matmul(rows, reshape(hidden, column), steps.step_name("score_column"));
  model.scores = reshape(products, ids.shape(), steps.step_name("scores"));
  // The sign of each score in the loss: + for the positive, - for the negatives.
  hidden.graph->check_memory(std::uint64_t{ids.shape().back()} * sizeof(T), steps.operation);
  Array<T> signs = full<T>({ids.shape().back()}, T(-1));
  signs.data()[0] = T(1);
  const Tensor<T> signed_scores =
      multiply(model.scores, hidden.graph->leaf(steps.step_name("signs"), std::move(signs)), steps.step_name("signed"));
  const Tensor<T> likelihood = log_sigmoid(signed_scores, steps.step_name("log_sigmoid"));
  model.loss = scale(sum(likelihood, {}, steps.step_name("log_likelihood")), {.factor = -1}, steps.loss_name());
  return model;
}

}  // namespace

ParameterSpecs word2vec_parameters(std::size_t vocabulary, std::size_t dim) {
  // The initial values of the authors' program: input vectors small and random, output vectors zero.
  return {{"w_in", {vocabulary, dim}, {Initial::Kind::uniform, 0.5 / static_cast<double>(dim)}},
          {"w_out", {vocabulary, dim}}};
}

template <typename T>
Word2Vec<T> cbow(const Tensor<T>& word, const Tensor<T>& context, const StateDict<T>& parameters,
                 const std::string& name) {
  check_ids_per_word("cbow", "context", context.shape(), word.shape());
  const Steps<T> steps{"cbow", parameters, name, word.graph->observe()};
  Word2Vec<T> model;
  model.hidden = mean_of_context(context, steps);
  model.scores = linear(model.hidden, parameters.at("w_out"), {}, steps.step_name("scores"));
  model.probs = softmax(model.scores, {}, steps.step_name("probs"));
  model.loss = cross_entropy(model.scores, word, {.reduction = "sum"}, {}, steps.loss_name());
  return model;
}

template <typename T>
Word2Vec<T> skip_gram(const Tensor<T>& word, const Tensor<T>& context, const StateDict<T>& parameters,
                      const std::string& name) {
  check_ids_per_word("skip_gram", "context", context.shape(), word.shape());
  const Steps<T> steps{"skip_gram", parameters, name, word.graph->observe()};
  Word2Vec<T> model;
  model.hidden = embedding(word, parameters.at("w_in"), false, steps.step_name("hidden"));
  model.scores = linear(model.hidden, parameters.at("w_out"), {}, steps.step_name("scores"));
  model.probs = softmax(model.scores, {}, steps.step_name("probs"));
  // Repeats the scores for every context word by adding zeros.
  const Tensor<T> zeros =
      filled_leaf(*word.graph, {context.shape().back(), 1}, T(0), steps.operation, steps.step_name("repeat"));
  const Tensor<T> repeated = add(with_row_axis(model.scores), zeros, steps.step_name("scores_of_context"));
  model.loss = cross_entropy(repeated, context, {.reduction = "sum"}, {}, steps.loss_name());
  return model;
}

template <typename T>
Word2Vec<T> skip_gram_negative_sampling(const Tensor<T>& word, const Tensor<T>& positive, const Tensor<T>& negatives,
                                        const StateDict<T>& parameters, const std::string& name) {
  check_ids_per_word("skip_gram_negative_sampling", "negatives", negatives.shape(), word.shape());
  if (positive.shape() != word.shape()) {
    refuse_shape("skip_gram_negative_sampling", "positive", positive.shape(),
                 "one for each word of " + to_string(word.shape()));
  }
  const Steps<T> steps{"skip_gram_negative_sampling", parameters, name, word.graph->observe()};
  return sample(embedding(word, parameters.at("w_in"), false, steps.step_name("hidden")), positive, negatives, steps);
}

template <typename T>
Word2Vec<T> cbow_negative_sampling(const Tensor<T>& word, const Tensor<T>& context, const Tensor<T>& negatives,
                                   const StateDict<T>& parameters, const std::string& name) {
  check_ids_per_word("cbow_negative_sampling", "context", context.shape(), word.shape());
  check_ids_per_word("cbow_negative_sampling", "negatives", negatives.shape(), word.shape());
  const Steps<T> steps{"cbow_negative_sampling", parameters, name, word.graph->observe()};
  return sample(mean_of_context(context, steps), word, negatives, steps);
}

std::vector<WordPair> skip_gram_pairs(const std::vector<std::size_t>& ids, std::size_t window,
                                      std::uint64_t max_bytes) {
  const auto before = [&](std::size_t i) { return std::min(i, window); };
  const auto after = [&](std::size_t i) { return std::min(ids.size() - 1 - i, window); };
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) count += std::uint64_t{before(i)} + after(i);
  check_memory("skip_gram_pairs", count * sizeof(WordPair), 0, max_bytes);
  std::vector<WordPair> pairs;
  pairs.reserve(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < ids.size(); ++i) {
    for (std::size_t j = i - before(i); j <= i + after(i); ++j) {
      if (j != i) pairs.push_back({ids[i], ids[j]});
    }
  }
  return pairs;
}

std::vector<std::size_t> negative_samples(const std::vector<double>& counts, std::size_t number, RandomState& random) {
  std::vector<double> weights;
  bool any = false;
  for (const double count : counts) {
    if (!(count >= 0) || !std::isfinite(count)) {
      refuse_option("negative_samples", "counts", format_number(count), "numbers from 0 up");
    }
    weights.push_back(std::pow(count, 0.75));
    any = any || count > 0;
  }
  if (!any) refuse_option("negative_samples", "counts", "all 0", "a count above 0");
  return draw_ids(weights, number, random);
}

#define INSTANTIATE(T)                                                                                         \
  template Word2Vec<T> cbow(const Tensor<T>&, const Tensor<T>&, const StateDict<T>&, const std::string&);      \
  template Word2Vec<T> skip_gram(const Tensor<T>&, const Tensor<T>&, const StateDict<T>&, const std::string&); \
  template Word2Vec<T> skip_gram_negative_sampling(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&,       \
                                                   const StateDict<T>&, const std::string&);                   \
  template Word2Vec<T> cbow_negative_sampling(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&,            \
                                              const StateDict<T>&, const std::string&)
INSTANTIATE(float);
INSTANTIATE(double);
#undef INSTANTIATE

}  // namespace attn
