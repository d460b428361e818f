// Arithmetic, activations, norms, losses and additive attention by name.
#include "wasm/transformer/operations.hpp"

#include "nn/additive_attention.hpp"
#include "nn/dropout.hpp"
#include "ops/argmax.hpp"
#include "ops/conv1d.hpp"
#include "ops/cosine_similarity.hpp"
#include "ops/cross_entropy.hpp"
#include "ops/divide.hpp"
#include "ops/dropout.hpp"
#include "ops/entropy.hpp"
#include "ops/exp.hpp"
#include "ops/gelu.hpp"
#include "ops/histogram.hpp"
#include "ops/interpolation_matrix.hpp"
#include "ops/kl_divergence.hpp"
#include "ops/layer_norm.hpp"
#include "ops/log.hpp"
#include "ops/log_sigmoid.hpp"
#include "ops/maximum.hpp"
#include "ops/mean.hpp"
#include "ops/minimum.hpp"
#include "ops/mse_loss.hpp"
#include "ops/multiply.hpp"
#include "ops/one_hot.hpp"
#include "ops/relu.hpp"
#include "ops/sqrt.hpp"
#include "ops/subtract.hpp"
#include "ops/sum.hpp"
#include "ops/tanh.hpp"
#include "wasm/layers.hpp"

namespace attn {
namespace {

using emscripten::val;

template <typename T>
ReductionOptions reduction(const Call<T>& call) {
  ReductionOptions options{.keepdim = call.arguments.flag("keepdim")};
  if (call.arguments.has("axes")) {
    options.axes.emplace();
    for (const double axis : call.arguments.numbers("axes")) options.axes->push_back(static_cast<int>(axis));
  }
  return options;
}

template <typename T>
Tensor<T> apply_dropout(const Call<T>& call) {
  const double p = call.arguments.number("p");
  if (call.arguments.has("u")) return dropout(call.tensor("x"), call.tensor("u"), p, call.name);
  return dropout(call.tensor("x"), Dropout{p, static_cast<std::uint32_t>(call.arguments.size("seed"))}, call.name);
}

template <typename T>
Tensor<T> apply_cross_entropy(const Call<T>& call) {
  const CrossEntropyOptions options{.reduction = call.arguments.text("reduction"),
                                    .ignore_index = call.arguments.number("ignoreIndex"),
                                    .label_smoothing = call.arguments.number("labelSmoothing"),
                                    .spread = call.arguments.text("spread")};
  return cross_entropy(call.tensor("logits"), call.tensor("target"), options, call.optional_tensor("weight"),
                       call.name);
}

// An operation that takes nodes and settings and adds one node.
template <typename T>
struct Operation {
  std::string_view name;
  Tensor<T> (*apply)(const Call<T>&);
};

template <typename T>
constexpr Operation<T> kOperations[] = {
    {"subtract", [](const Call<T>& call) { return subtract(call.tensor("a"), call.tensor("b"), call.name); }},
    {"multiply", [](const Call<T>& call) { return multiply(call.tensor("a"), call.tensor("b"), call.name); }},
    {"divide", [](const Call<T>& call) { return divide(call.tensor("a"), call.tensor("b"), call.name); }},
    {"minimum", [](const Call<T>& call) { return minimum(call.tensor("a"), call.tensor("b"), call.name); }},
    {"maximum", [](const Call<T>& call) { return maximum(call.tensor("a"), call.tensor("b"), call.name); }},
    {"exp", [](const Call<T>& call) { return exp(call.tensor("x"), call.name); }},
    {"log", [](const Call<T>& call) { return log(call.tensor("x"), call.name); }},
    {"sqrt", [](const Call<T>& call) { return sqrt(call.tensor("x"), call.name); }},
    {"logSigmoid", [](const Call<T>& call) { return log_sigmoid(call.tensor("x"), call.name); }},
    {"tanh", [](const Call<T>& call) { return tanh(call.tensor("x"), call.name); }},
    {"relu", [](const Call<T>& call) { return relu(call.tensor("x"), call.name); }},
    {"gelu",
     [](const Call<T>& call) {
       return gelu(call.tensor("x"), {.variant = call.arguments.text("variant")}, call.name);
     }},
    {"sum", [](const Call<T>& call) { return sum(call.tensor("x"), reduction(call), call.name); }},
    {"argmax",
     [](const Call<T>& call) {
       ArgmaxOptions options{.keepdim = call.arguments.flag("keepdim")};
       if (call.arguments.has("axis")) options.axis = call.arguments.integer("axis");
       return argmax(call.tensor("x"), options, call.name);
     }},
    {"mean", [](const Call<T>& call) { return mean(call.tensor("x"), reduction(call), call.name); }},
    {"layerNorm",
     [](const Call<T>& call) {
       return layer_norm(call.tensor("x"), call.optional_tensor("weight"), call.optional_tensor("bias"),
                         {.eps = call.arguments.number("eps"), .unbiased = call.arguments.flag("unbiased")}, call.name);
     }},
    {"dropout", apply_dropout<T>},
    {"oneHot",
     [](const Call<T>& call) { return one_hot(call.tensor("ids"), call.arguments.size("numClasses"), call.name); }},
    {"interpolationMatrix",
     [](const Call<T>& call) {
       const InterpolationOptions options{
           .from = call.arguments.sizes("from"), .to = call.arguments.sizes("to"), .mode = call.arguments.text("mode")};
       return interpolation_matrix(call.graph, options, call.name);
     }},
    {"conv1d",
     [](const Call<T>& call) {
       return conv1d(call.tensor("x"), call.tensor("weight"), call.optional_tensor("bias"),
                     {.stride = call.arguments.size("stride"), .padding = call.arguments.size("padding")}, call.name);
     }},
    {"crossEntropy", apply_cross_entropy<T>},
    {"klDivergence",
     [](const Call<T>& call) {
       return kl_divergence(call.tensor("input"), call.tensor("target"),
                            {.reduction = call.arguments.text("reduction")}, call.name);
     }},
    {"mseLoss",
     [](const Call<T>& call) {
       return mse_loss(call.tensor("input"), call.tensor("target"), {.reduction = call.arguments.text("reduction")},
                       call.name);
     }},
    {"cosineSimilarity",
     [](const Call<T>& call) { return cosine_similarity(call.tensor("a"), call.tensor("b"), call.name); }},
    {"entropy", [](const Call<T>& call) { return entropy(call.tensor("p"), call.name); }},
    {"histogram", [](const Call<T>& call) { return histogram(call.tensor("x"), call.tensor("edges"), call.name); }},
};

template <typename T>
val apply_additive_attention(const Call<T>& call) {
  AdditiveAttentionOptions<T> options{.name = call.prefix()};
  options.mask = attention_mask(call);
  const AdditiveAttention<T> steps =
      additive_attention(call.tensor("query"), call.tensor("key"), call.tensor("value"),
                         {call.tensor("wQ"), call.tensor("wK"), call.tensor("wV")}, options);
  return Roles()
      .with("query", steps.query)
      .with("key", steps.key)
      .with("sum", steps.sum)
      .with("hidden", steps.hidden)
      .with("scores", steps.scores)
      .with("masked", steps.masked)
      .with("weights", steps.weights)
      .with("output", steps.output)
      .record();
}

}  // namespace

template <typename T>
std::optional<val> apply_arithmetic(std::string_view operation, const Call<T>& call) {
  for (const Operation<T>& candidate : kOperations<T>) {
    if (candidate.name == operation) return Roles().with("output", candidate.apply(call)).record();
  }
  if (operation == "additiveAttention") return apply_additive_attention(call);
  return std::nullopt;
}

template std::optional<val> apply_arithmetic(std::string_view, const Call<float>&);
template std::optional<val> apply_arithmetic(std::string_view, const Call<double>&);

}  // namespace attn
