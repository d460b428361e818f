// Word vectors, similarities, projections, and test functions for optimizers, by name.
#include "wasm/transformer/words.hpp"

#include "nn/principal_components.hpp"
#include "nn/similarity.hpp"
#include "nn/word2vec.hpp"
#include "optim/test_surface.hpp"
#include "wasm/transformer/state_dict.hpp"

namespace attn {
namespace {

using emscripten::val;

template <typename T>
val record_of(const Word2Vec<T>& model) {
  return Roles()
      .with("hidden", model.hidden)
      .with("scores", model.scores)
      .with("probs", model.probs)
      .with("loss", model.loss)
      .record();
}

template <typename T>
val record_of(const Tensor<T>& output) {
  return Roles().with("output", output).record();
}

template <typename T>
val apply_similarity(const Call<T>& call) {
  const Similarity<T> steps = similarity(call.tensor("vectors"), call.prefix());
  return Roles().with("dot", steps.dot).with("cosine", steps.cosine).with("distance", steps.distance).record();
}

template <typename T>
val apply_principal_components(const Call<T>& call) {
  const PrincipalComponents<T> steps =
      principal_components(call.tensor("x"), call.arguments.size("count"), call.prefix());
  return Roles()
      .with("mean", steps.mean)
      .with("centred", steps.centred)
      .with("components", steps.components)
      .with("explainedVariance", steps.explained_variance)
      .with("output", steps.output)
      .record();
}

// An operation that takes nodes and settings and adds several nodes.
template <typename T>
struct WordOperation {
  std::string_view name;
  val (*apply)(const Call<T>&);
};

template <typename T>
constexpr WordOperation<T> kWordOperations[] = {
    {"cbow",
     [](const Call<T>& call) {
       return record_of(cbow(call.tensor("word"), call.tensor("context"), state_dict_of(call), call.prefix()));
     }},
    {"skipGram",
     [](const Call<T>& call) {
       return record_of(skip_gram(call.tensor("word"), call.tensor("context"), state_dict_of(call), call.prefix()));
     }},
    {"skipGramNegativeSampling",
     [](const Call<T>& call) {
       return record_of(skip_gram_negative_sampling(call.tensor("word"), call.tensor("positive"),
                                                    call.tensor("negatives"), state_dict_of(call), call.prefix()));
     }},
    {"cbowNegativeSampling",
     [](const Call<T>& call) {
       return record_of(cbow_negative_sampling(call.tensor("word"), call.tensor("context"), call.tensor("negatives"),
                                               state_dict_of(call), call.prefix()));
     }},
    {"similarity", apply_similarity<T>},
    {"bagOfWords",
     [](const Call<T>& call) {
       return record_of(bag_of_words(call.tensor("ids"), call.arguments.size("vocabulary"), call.prefix()));
     }},
    {"principalComponents", apply_principal_components<T>},
    {"lineFitLoss",
     [](const Call<T>& call) {
       return record_of(
           line_fit_loss(call.tensor("w"), call.tensor("b"), call.tensor("x"), call.tensor("y"), call.prefix()));
     }},
    {"testSurface",
     [](const Call<T>& call) {
       return record_of(test_surface(call.tensor("point"), call.arguments.text("surface"), call.prefix()));
     }},
    {"quadraticLoss",
     [](const Call<T>& call) { return record_of(quadratic_loss(call.tensor("p"), call.tensor("c"), call.prefix())); }},
};

}  // namespace

template <typename T>
std::optional<val> apply_words(std::string_view operation, const Call<T>& call) {
  for (const WordOperation<T>& candidate : kWordOperations<T>) {
    if (candidate.name == operation) return candidate.apply(call);
  }
  return std::nullopt;
}

template std::optional<val> apply_words(std::string_view, const Call<float>&);
template std::optional<val> apply_words(std::string_view, const Call<double>&);

}  // namespace attn
