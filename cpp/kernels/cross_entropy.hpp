// Cross entropy of one row of logits.
#pragma once

#include <cstddef>

namespace attn::kernels {

// How a target is turned into a count for every class.
struct TargetRule {
  bool ids = true;  // a target is one class id; otherwise a probability for every class
  double ignore_index = -100;
  double smoothing = 0;
  bool over_others = false;  // smoothing is spread over the other classes only; otherwise over all classes
};

// The count of a class before weighting: its target probability q after smoothing.
template <typename T>
T target_count(const TargetRule& rule, T q, std::size_t classes);

// counts[k] = weight[k] target_count(q[k]), where q is the target; weight may be null. Returns false and writes
// nothing for a row that is ignored.
template <typename T>
bool target_counts(const TargetRule& rule, const T* target, const T* weight, T* counts, std::size_t classes);

// d(counts[k]) / d(target[k]), for targets that are probabilities.
template <typename T>
T target_slope(const TargetRule& rule, const T* weight, std::size_t k, std::size_t classes);

// The contribution of a row to the divisor of the mean: the weight of its class, 1 for probabilities, 0 for an
// ignored row.
template <typename T>
T target_share(const TargetRule& rule, const T* target, const T* weight);

// Returns -sum of counts[k] log_p[k] and fills log_p. A class with count 0 adds nothing, whatever its log_p.
template <typename T>
T cross_entropy(const T* logits, const T* counts, T* log_p, std::size_t classes);

// logits_gradient[k] += upstream (exp(log_p[k]) sum(counts) - counts[k])
template <typename T>
void cross_entropy_backward(const T* log_p, const T* counts, T upstream, T* logits_gradient, std::size_t classes);

}  // namespace attn::kernels
