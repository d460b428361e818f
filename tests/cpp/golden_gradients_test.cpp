// Gradients of compositions of ops against torch.autograd's.
#include <functional>
#include <map>

#include "golden.hpp"
#include "ops/add.hpp"
#include "ops/attention.hpp"
#include "ops/cross_entropy.hpp"
#include "ops/embedding.hpp"
#include "ops/gelu.hpp"
#include "ops/kl_divergence.hpp"
#include "ops/layer_norm.hpp"
#include "ops/linear.hpp"
#include "ops/log_softmax.hpp"
#include "ops/matmul.hpp"
#include "ops/one_hot.hpp"
#include "ops/relu.hpp"
#include "ops/reshape.hpp"
#include "ops/scale.hpp"
#include "ops/softmax.hpp"
#include "ops/tanh.hpp"

using attn::Graph;
using attn::Shape;
using attn::Tensor;
using golden::Json;

namespace {

template <typename T>
struct Case {
  const Json& test;
  Graph<T>& graph;

  const Json& params() const { return test["params"]; }
  bool is(const char* key, const char* value) const { return params().contains(key) && params()[key] == value; }
  Tensor<T> input(const std::string& name) const {
    for (std::size_t id = 0; id < graph.size(); ++id)
      if (graph.node(id).name == name) return graph.at(name);
    return graph.leaf(name, golden::array<T>(test["inputs"][name]));
  }
};

template <typename T>
Tensor<T> feed_forward(const Case<T>& of) {
  const Tensor<T> inner = attn::linear(of.input("x"), of.input("w1"), of.input("b1"));
  const Tensor<T> hidden = of.is("activation", "relu")
                               ? attn::relu(inner)
                               : attn::gelu(inner, {.variant = of.is("activation", "gelu_erf") ? "erf" : "tanh"});
  return attn::linear(hidden, of.input("w2"), of.input("b2"));
}

template <typename T>
Tensor<T> label_smoothing(const Case<T>& of) {
  const double epsilon = of.params()["epsilon"].template get<double>();
  const Tensor<T> logits = of.input("logits");
  const Tensor<T> target = of.input("targets");
  if (of.is("mode", "torch")) return attn::cross_entropy(logits, target, {.label_smoothing = epsilon});
  const std::size_t classes = logits.shape().back();
  const double share = epsilon / static_cast<double>(classes - 1);
  const Tensor<T> q = attn::add(attn::scale(attn::one_hot(target, classes), {.factor = 1 - epsilon - share}),
                                of.graph.leaf("", attn::full<T>({}, static_cast<T>(share))));
  return attn::kl_divergence(attn::log_softmax(logits), q, {.reduction = "batchmean"});
}

template <typename T>
Tensor<T> additive_attention(const Case<T>& of) {
  const Tensor<T> q = attn::matmul(of.input("q"), of.input("w_q"));
  const Tensor<T> k = attn::matmul(of.input("k"), of.input("w_k"));
  const std::size_t queries = q.shape()[0], keys = k.shape()[0], width = q.shape()[1];
  const Tensor<T> hidden = attn::tanh(attn::add(attn::reshape(q, {queries, 1, width}), k));
  const Tensor<T> scores = attn::linear(hidden, attn::reshape(of.input("w_v"), {1, width}));
  return attn::matmul(attn::softmax(attn::reshape(scores, {queries, keys})), of.input("v"));
}

template <typename T>
Tensor<T> dot_product_attention(const Case<T>& of) {
  attn::AttentionOptions<T> options;
  if (of.params().contains("scale")) options.factor = of.params()["scale"].template get<double>();
  const Tensor<T> q = of.input("q");
  const Tensor<T> k = of.input("k");
  if (of.is("mask", "bool_keep")) options.keep = of.input("mask");
  if (of.is("mask", "causal_top_left")) {
    const std::size_t queries = q.shape().end()[-2], keys = k.shape().end()[-2];
    attn::Array<T> keep = attn::full<T>({queries, keys}, T(0));
    for (std::size_t i = 0; i < keep.size(); ++i) keep.data()[i] = i % keys <= i / keys ? T(1) : T(0);
    options.keep = of.graph.leaf("", std::move(keep));
  }
  return attn::attention(q, k, of.input("v"), options);
}

template <typename T>
using Builders = std::map<std::string, std::function<Tensor<T>(const Case<T>&)>>;

template <typename T>
Builders<T> builders() {
  return {
      {"softmax", [](const Case<T>& of) { return attn::softmax(of.input("x")); }},
      {"sdpa", dot_product_attention<T>},
      {"layer_norm",
       [](const Case<T>& of) {
         return attn::layer_norm(
             of.input("x"), of.input("gamma"), of.input("beta"),
             {.eps = of.params()["eps"].template get<double>(), .unbiased = of.is("variance", "unbiased")});
       }},
      {"ffn", feed_forward<T>},
      {"linear", [](const Case<T>& of) { return attn::linear(of.input("x"), of.input("weight"), of.input("bias")); }},
      {"embedding", [](const Case<T>& of) { return attn::embedding(of.input("ids"), of.input("table"), true); }},
      {"cross_entropy", [](const Case<T>& of) { return attn::cross_entropy(of.input("logits"), of.input("targets")); }},
      {"label_smoothing", label_smoothing<T>},
      {"tied_embedding_softmax",
       [](const Case<T>& of) {
         const Tensor<T> table = of.input("table");
         const Tensor<T> x = attn::embedding(of.input("ids"), table, true);
         return attn::cross_entropy(attn::linear(x, table), of.input("targets"));
       }},
      {"additive_attention", additive_attention<T>},
  };
}

}  // namespace

TEMPLATE_TEST_CASE("Gradients of compositions of ops are PyTorch's", "", float, double) {
  const Builders<TestType> all = builders<TestType>();
  std::map<std::string, int> met;
  for (const Json& test : golden::cases("gradients")) {
    const auto builder = all.find(test["params"]["op"].get<std::string>());
    if (builder == all.end()) continue;  // layers are tested in files of their own
    ++met[builder->first];
    INFO(test["name"].get<std::string>());
    Graph<TestType> graph;
    const Tensor<TestType> output = builder->second({test, graph});
    golden::check<TestType>(test, "output", output.value());
    if (test["inputs"].contains("g_out")) {
      graph.backward(output.id, golden::array<TestType>(test["inputs"]["g_out"]));
    } else {
      graph.backward(output.id);
    }
    std::size_t compared = 0;
    for (const auto& [key, tolerance] : test["tolerance"].items()) {
      if (key.rfind("grad_", 0) != 0) continue;
      golden::check<TestType>(test, key, *graph.node(graph.at(key.substr(5)).id).gradient);
      ++compared;
    }
    CHECK(compared > 0);
  }
  CHECK(met.size() == all.size());
}
