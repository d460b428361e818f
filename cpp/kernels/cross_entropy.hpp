// Cross entropy of one row of logits.
#pragma once

#include <cstddef>

namespace attn::kernels {

// How a target becomes what every class counts for.
struct TargetRule {
  bool ids = true;  // a target is one class id, else a probability for every class
  double ignore_index = -100;
  double smoothing = 0;
  bool over_others = false;  // it is spread over all classes, or over those that are not the target
};

// What a class counts for before it is weighted: q, which the target has for it, after smoothing.
template <typename T>
T target_count(const TargetRule& rule, T q, std::size_t classes);

// counts[k] = weight[k] target_count(q[k]), q the target; weight may be null. False, and nothing written, for a row
// that is ignored.
template <typename T>
bool target_counts(const TargetRule& rule, const T* target, const T* weight, T* counts, std::size_t classes);

// d(counts[k]) / d(target[k]) of probabilities
template <typename T>
T target_slope(const TargetRule& rule, const T* weight, std::size_t k, std::size_t classes);

// What a row adds to the divisor of the mean: its class's weight; 1 for probabilities, 0 when it is ignored.
template <typename T>
T target_share(const TargetRule& rule, const T* target, const T* weight);

// -sum of counts[k] log_p[k]; a class that counts nothing adds nothing, whatever its log_p. Fills log_p.
template <typename T>
T cross_entropy(const T* logits, const T* counts, T* log_p, std::size_t classes);

// logits_gradient[k] += upstream (exp(log_p[k]) sum(counts) - counts[k])
template <typename T>
void cross_entropy_backward(const T* log_p, const T* counts, T upstream, T* logits_gradient, std::size_t classes);

}  // namespace attn::kernels
