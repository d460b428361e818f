// Cross entropy of one row of logits.
#pragma once

#include <cstddef>

namespace attn::kernels {

// How the target of a row is turned into a target probability for every class.
struct TargetRule {
  bool ids = true;  // the target is a class id; otherwise it is a probability for every class
  double ignore_index = -100;
  double smoothing = 0;              // the part of the target probability that is spread over classes
  bool smooths_only_others = false;  // smoothing is spread over the other classes only; otherwise over all classes
};

// The target probability q of a class after label smoothing.
template <typename T>
T smoothed_target(const TargetRule& rule, T q, std::size_t classes);

// targets[k] = weight[k] smoothed_target(q[k]), where q are the target probabilities; weight may be null. Returns false
// and writes nothing for a row whose target is ignore_index.
template <typename T>
bool weighted_targets(const TargetRule& rule, const T* target, const T* weight, T* targets, std::size_t classes);

// d(targets[k]) / d(target[k]), for targets that are probabilities.
template <typename T>
T target_derivative(const TargetRule& rule, const T* weight, std::size_t k, std::size_t classes);

// The term of a row in the divisor of the mean loss: the weight of its class (1 without weights), 1 for probabilities,
// 0 for an ignored row.
template <typename T>
T divisor_term(const TargetRule& rule, const T* target, const T* weight);

// Returns -sum(targets[k] log_p[k]) and fills log_p. A class whose target is 0 adds nothing, even where log_p is
// infinite or NaN.
template <typename T>
T cross_entropy(const T* logits, const T* targets, T* log_p, std::size_t classes);

// logits_gradient[k] += upstream (exp(log_p[k]) sum(targets) - targets[k])
template <typename T>
void cross_entropy_backward(const T* log_p, const T* targets, T upstream, T* logits_gradient, std::size_t classes);

}  // namespace attn::kernels
