// The arithmetic of one cell of a cross entropy and of its gradients.
#pragma once

#include "kernels/cross_entropy.hpp"
#include "ops/loss_reduction.hpp"
#include "tensor/gradient_explanation.hpp"

namespace attn {

// The settings of one cross entropy, without its numbers. The inputs are logits, target and, if present, weight.
struct CrossEntropySettings {
  LossReduction reduction = LossReduction::mean;
  kernels::TargetRule rule;
  bool has_weight = false;
};

// Without reduction, the rows are those of log_softmax, then "minus_log_p", "target", "weight", "counts", "products"
// -> loss; an ignored row has only "target" and "ignored". For a reduced loss see LossTerms.
Explanation explain_cross_entropy(const CrossEntropySettings& settings, CellViews inputs, const CellView& output,
                                  const Index& index);

// d(loss) / d(logits[k]) = exp(log_p[k]) sum(counts) - counts[k]; d(loss) / d(target[k]) = -d(counts[k]) log_p[k]
void differentiate_cross_entropy(const CrossEntropySettings& settings, CellViews inputs, const CellView& output,
                                 std::size_t input, const Index& index, Contributions& contributions);

}  // namespace attn
