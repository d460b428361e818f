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

  // One sub-layer: post-norm LN(x + branch(x)), pre-norm x + branch(LN(x)). Returns its output, and its norm and its sum
  // in `normed` and `summed`. `last` is true for the last sub-layer of a layer.
  template <typename Branch>
  Tensor<T> sub_layer(const Tensor<T>& x, int number, bool last, std::optional<Tensor<T>>& normed, Tensor<T>& summed,
                      const Branch& branch) const {
    if (options_.norm_first) {
      normed = norm(x, number);
      return summed = residual(x, branch(normed.value_or(x)), number, last);
    }
    summed = residual(x, branch(x), number, last && !options_.norm);
    normed = norm(summed, number, last);
    return normed.value_or(summed);
  }

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

// An encoder layer out of `parts`, which are SubLayers with attention(x) and feed_forward(x).
template <typename T, typename Parts>
EncoderLayer<T> encoder_layer_of(const Parts& parts, const Tensor<T>& src) {
  EncoderLayer<T> steps;
  const auto attend = [&](const Tensor<T>& x) { return (steps.self_attention = parts.attention(x)).output; };
  const auto feed = [&](const Tensor<T>& x) { return (steps.feed_forward = parts.feed_forward(x)).output; };
  const Tensor<T> x = parts.sub_layer(src, 1, false, steps.norm1, steps.residual1, attend);
  steps.output = parts.sub_layer(x, 2, true, steps.norm2, steps.residual2, feed);
  return steps;
}

extern template class SubLayers<float>;
extern template class SubLayers<double>;

}  // namespace attn
