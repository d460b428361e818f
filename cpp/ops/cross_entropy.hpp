// Cross entropy of logits against classes or against probabilities, as torch.nn.CrossEntropyLoss.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

struct CrossEntropyOptions {
  std::string reduction = "mean";  // "mean", "sum" or "none"
  double ignore_index = -100;      // rows with this class count for nothing; of class targets only
  double label_smoothing = 0;      // the share of the target that is spread, from 0 to 1
  // Over which classes it is spread: "all" K of them, eps / K each (torch), or the K - 1 "others", eps / (K - 1) each.
  // Document 004's script does the second where its comment states the first, and its printed vector mixes the two.
  std::string spread = "all";
};

// loss[...] = -sum over k of weight[k] q[..., k] log_softmax(logits)[..., k], q the target after smoothing
//
//   logits  (..., K)     classes last, where torch has them second
//   target  (...)        class ids: whole numbers from 0 to K - 1, or ignore_index
//           (..., K)     probabilities; take part in backward
//   weight  (K)          of classes; absent: 1
//   ->      ()           or (...) for "none"
//
// The mean of class targets divides by the sum of weight[target] over the rows that count (NaN when there are none),
// the mean of probabilities by the number of rows.
// Throws InputError when the shapes disagree, a target is no class, an option is none of the above, or a single class
// leaves no others.
template <typename T>
Tensor<T> cross_entropy(const Tensor<T>& logits, const Tensor<T>& target, const CrossEntropyOptions& options = {},
                        const OptionalTensor<T>& weight = {}, std::string name = {});

}  // namespace attn
