// The parts of encoder and decoder layers, with the names of parameters and steps.
#pragma once

#include <array>
#include <string>

#include "nn/encoder.hpp"

namespace attn {

// Throws InputError naming `operation` unless num_heads divides d_model and no size is 0.
void check_sizes(const LayerSizes& sizes, const LayerOptions& options, std::string_view operation);

// The options of the PyTorch layer that computes the same. Returns nothing when there is none: for a mask other than
// the causal one of `queries`, dropout, the tanh form of GELU, unbiased norms, or without residual connections,
// norms or the division by sqrt(d_k).
template <typename T>
std::optional<Attributes> torch_options(const LayerSizes& sizes, const LayerOptions& options,
                                        const AttentionMasks<T>& masks, std::size_t queries);

// How a layer calls its norms and dropouts, after which their seeds are drawn; as PyTorch's layers by default.
struct PartNames {
  std::string norm = "norm";  // followed by the number
  std::array<std::string, 3> dropouts = {"dropout1", "dropout2", "dropout3"};
  std::string attention_dropout = "dropout";  // within the module of the attention
};

// Adds the parts of one layer to the graph; the steps are called `name` + part.
template <typename T>
class SubLayers {
 public:
  SubLayers(const StateDict<T>& parameters, const LayerOptions& options, std::string name, bool observe,
            PartNames names = {})
      : parameters_(parameters),
        options_(options),
        name_(std::move(name)),
        observe_(observe),
        names_(std::move(names)) {}

  // LN(x) with the parameters normN, where N is `number`; returns nothing for a layer without norms. The node has a
  // name in a graph that observes and, with `last`, in any graph.
  std::optional<Tensor<T>> norm(const Tensor<T>& x, int number, bool last = false) const;

  // x + dropout(branch), called residualN; the dropout is called by its name. Without residual connections only
  // dropout(branch).
  Tensor<T> residual(const Tensor<T>& x, const Tensor<T>& branch, int number, bool last = false) const;

  // Attention with queries from one sequence and keys and values from another, with the parameters of `module`.
  MultiHeadAttention<T> attention(const std::string& module, const Tensor<T>& query, const Tensor<T>& source,
                                  const AttentionMasks<T>& masks) const;

  // The same with cached keys and values: those of `cached`, followed by those of `source`, if there is one. Updates
  // `cached` to all of them.
  MultiHeadAttention<T> attention(const std::string& module, const Tensor<T>& query,
                                  const std::optional<Tensor<T>>& source, const AttentionMasks<T>& masks,
                                  std::optional<KeyValue<T>>& cached) const;

  FeedForward<T> feed_forward(const Tensor<T>& x) const;

  MultiHeadAttentionOptions<T> attention_options(const std::string& module, const AttentionMasks<T>& masks) const;

  // Updates `cached` to its keys and values followed by `current`.
  void append(const KeyValue<T>& current, const std::string& module, std::optional<KeyValue<T>>& cached) const;

  // The name of a step of the layer. It has one in a graph that observes and, with `last`, in any graph.
  std::string step_name(const std::string& step, bool last = false) const;

 private:
  const StateDict<T>& parameters_;
  const LayerOptions& options_;
  std::string name_;
  bool observe_;
  PartNames names_;
};

// An encoder layer out of `parts`, which has norm(x, number), attention(x), residual(x, branch, number, last) and
// feed_forward(x), as SubLayers has.
template <typename T, typename Parts>
EncoderLayer<T> encoder_layer_of(const Parts& parts, const Tensor<T>& src, const LayerOptions& options) {
  EncoderLayer<T> steps;
  Tensor<T> x = src;
  if (options.norm_first) {
    steps.norm1 = parts.norm(x, 1);
    steps.self_attention = parts.attention(steps.norm1.value_or(x));
    x = steps.residual1 = parts.residual(x, steps.self_attention.output, 1);
    steps.norm2 = parts.norm(x, 2);
    steps.feed_forward = parts.feed_forward(steps.norm2.value_or(x));
    steps.residual2 = parts.residual(x, steps.feed_forward.output, 2, true);
    steps.output = steps.residual2;
  } else {
    steps.self_attention = parts.attention(x);
    steps.residual1 = parts.residual(x, steps.self_attention.output, 1);
    steps.norm1 = parts.norm(steps.residual1, 1);
    x = steps.norm1.value_or(steps.residual1);
    steps.feed_forward = parts.feed_forward(x);
    steps.residual2 = parts.residual(x, steps.feed_forward.output, 2, !options.norm);
    steps.norm2 = parts.norm(steps.residual2, 2, true);
    steps.output = steps.norm2.value_or(steps.residual2);
  }
  return steps;
}

extern template class SubLayers<float>;
extern template class SubLayers<double>;

}  // namespace attn
