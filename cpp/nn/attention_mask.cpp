// Attention masks and the causal rule, and how they are applied to the scores.
#include "nn/attention_mask.hpp"

#include <cmath>
#include <utility>

#include "ops/add.hpp"
#include "ops/mask.hpp"
#include "tensor/filled_leaf.hpp"

namespace attn {

template <typename T>
Tensor<T> causal_mask(Graph<T>& graph, Causal causal, std::size_t queries, std::size_t keys, std::string name) {
  graph.check_memory(cell_count({queries, keys}) * sizeof(T), "causal mask");
  Array<T> keep = full<T>({queries, keys}, T{0});
  const std::ptrdiff_t diagonal = diagonal_of(causal, queries, keys);
  T* row = keep.data();
  for (std::size_t query = 0; query < queries; ++query, row += keys) {
    for (std::size_t key = 0; key < keys; ++key) {
      if (static_cast<std::ptrdiff_t>(key) <= static_cast<std::ptrdiff_t>(query) + diagonal) row[key] = T{1};
    }
  }
  return graph.leaf(std::move(name), std::move(keep), {{"kind", "literal"}, {"causal", name_of(causal)}},
                    {.kind = Content::Kind::mask});
}

template <typename T>
Tensor<T> apply_masks(Tensor<T> scores, const std::vector<AttentionMask<T>>& masks) {
  for (const AttentionMask<T>& step : masks) {
    scores = step.kind == AttentionMask<T>::Kind::add ? add(scores, step.tensor, step.name)
                                                      : mask(scores, step.tensor, step.fill, step.name);
  }
  return scores;
}

template <typename T>
std::optional<FusedMask<T>> fuse_masks(const std::vector<AttentionMask<T>>& masks) {
  FusedMask<T> fused;
  const auto add_bias = [&](const Tensor<T>& term) { fused.bias = fused.bias ? add(*fused.bias, term) : term; };
  for (std::size_t i = 0; i < masks.size(); ++i) {
    const AttentionMask<T>& step = masks[i];
    if (step.kind == AttentionMask<T>::Kind::add) {
      add_bias(step.tensor);
    } else if (i + 1 == masks.size() && !fused.keep) {
      // The kernel applies `keep` after `bias`, so only the last mask can become `keep`.
      fused.keep = step.tensor;
      fused.fill = step.fill;
    } else if (std::isinf(step.fill) && step.fill < 0) {
      const Tensor<T> zeros = filled_leaf(*step.tensor.graph, step.tensor.shape(), T{0}, "attention mask");
      add_bias(mask(zeros, step.tensor, step.fill));
    } else {
      return std::nullopt;
    }
  }
  return fused;
}

template Tensor<float> causal_mask(Graph<float>&, Causal, std::size_t, std::size_t, std::string);
template Tensor<double> causal_mask(Graph<double>&, Causal, std::size_t, std::size_t, std::string);
template Tensor<float> apply_masks(Tensor<float>, const std::vector<AttentionMask<float>>&);
template Tensor<double> apply_masks(Tensor<double>, const std::vector<AttentionMask<double>>&);
template std::optional<FusedMask<float>> fuse_masks(const std::vector<AttentionMask<float>>&);
template std::optional<FusedMask<double>> fuse_masks(const std::vector<AttentionMask<double>>&);

}  // namespace attn
