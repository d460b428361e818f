// The parts of encoder and decoder layers, with the names of parameters and steps.
#pragma once

#include <string>

#include "nn/layer_options.hpp"
#include "nn/multi_head_attention.hpp"

namespace attn {

// Throws InputError naming `operation` unless num_heads divides d_model and no size is 0.
void check_sizes(const LayerSizes& sizes, const LayerOptions& options, std::string_view operation);

// The options of the PyTorch layer that computes the same. Returns nothing when there is none: for a mask other than
// the causal one of `queries`, dropout, the tanh form of GELU, unbiased norms, or without residual connections or
// norms.
template <typename T>
std::optional<Attributes> torch_options(const LayerSizes& sizes, const LayerOptions& options,
                                        const AttentionMasks<T>& masks, std::size_t queries);

// Adds the parts of one layer to the graph; the steps are called `name` + part.
template <typename T>
class SubLayers {
 public:
  SubLayers(const StateDict<T>& parameters, const LayerOptions& options, std::string name, bool observe)
      : parameters_(parameters), options_(options), name_(std::move(name)), observe_(observe) {}

  // LN(x) with the parameters normN, where N is `number`; returns nothing for a layer without norms. The node has a
  // name in a graph that observes and, with `last`, in any graph.
  std::optional<Tensor<T>> norm(const Tensor<T>& x, int number, bool last = false) const;

  // x + dropout(branch), called residualN; the dropout is called dropoutN. Without residual connections only
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

 private:
  std::string step_name(const std::string& step, bool last = false) const;
  MultiHeadAttentionOptions<T> settings(const std::string& module, const AttentionMasks<T>& masks) const;

  const StateDict<T>& parameters_;
  const LayerOptions& options_;
  std::string name_;
  bool observe_;
};

extern template class SubLayers<float>;
extern template class SubLayers<double>;

}  // namespace attn
