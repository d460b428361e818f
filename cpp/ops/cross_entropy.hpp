// Cross entropy of logits against classes or against probabilities, as torch.nn.CrossEntropyLoss.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

struct CrossEntropyOptions {
  std::string reduction = "mean";  // "mean", "sum" or "none"
  double ignore_index = -100;      // rows with this class are ignored; for class targets only
  double label_smoothing = 0;      // the part of the target that is spread over the classes, from 0 to 1
  // The classes over which it is spread: "all" K classes get eps / K each (torch), or the K - 1 "others" eps / (K - 1).
  std::string spread = "all";
};

// loss[...] = -sum over k of weight[k] q[..., k] log_softmax(logits)[..., k], where q is the target after smoothing
//
//   logits  (..., K)     classes last, where torch has them second
//   target  (...)        class ids: whole numbers from 0 to K - 1, or ignore_index
//           (..., K)     probabilities; take part in backward
//   weight  (K)          of classes; absent: 1
//   ->      ()           or (...) for "none"
//
// The mean of class targets divides by the sum of weight[target] over the rows that are not ignored (NaN when there
// are none), the mean of probabilities by the number of rows. Throws InputError when the shapes disagree, a target is
// not a class, an option is none of the above, or "others" is used with a single class.
template <typename T>
Tensor<T> cross_entropy(const Tensor<T>& logits, const Tensor<T>& target, const CrossEntropyOptions& options = {},
                        const OptionalTensor<T>& weight = {}, std::string name = {});

}  // namespace attn
