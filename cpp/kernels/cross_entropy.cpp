// Cross entropy of one row of logits.
#include "kernels/cross_entropy.hpp"

#include "kernels/exp.hpp"
#include "kernels/softmax.hpp"

namespace attn::kernels {

template <typename T>
T smoothed_target(const TargetRule& rule, T q, std::size_t classes) {
  if (rule.smoothing == 0) return q;
  const T scale = static_cast<T>(1 - rule.smoothing);
  const T added =
      static_cast<T>(rule.smoothing / static_cast<double>(rule.smooths_only_others ? classes - 1 : classes));
  return scale * q + (rule.smooths_only_others ? (1 - q) * added : added);
}

template <typename T>
bool weighted_targets(const TargetRule& rule, const T* target, const T* weight, T* targets, std::size_t classes) {
  if (rule.ids && *target == static_cast<T>(rule.ignore_index)) return false;
  for (std::size_t k = 0; k < classes; ++k) {
    const T q = rule.ids ? T(*target == static_cast<T>(k)) : target[k];
    targets[k] = smoothed_target(rule, q, classes);
    if (weight) targets[k] *= weight[k];
  }
  return true;
}

template <typename T>
T target_derivative(const TargetRule& rule, const T* weight, std::size_t k, std::size_t classes) {
  double derivative = 1 - rule.smoothing;
  if (rule.smooths_only_others && rule.smoothing > 0) derivative -= rule.smoothing / static_cast<double>(classes - 1);
  return static_cast<T>(derivative) * (weight ? weight[k] : T(1));
}

template <typename T>
T divisor_term(const TargetRule& rule, const T* target, const T* weight) {
  if (!rule.ids) return 1;
  if (*target == static_cast<T>(rule.ignore_index)) return 0;
  return weight ? weight[static_cast<std::size_t>(*target)] : T(1);
}

template <typename T>
T cross_entropy(const T* logits, const T* targets, T* log_p, std::size_t classes) {
  log_softmax(logits, log_p, {classes, 1});
  double loss = 0;
  for (std::size_t k = 0; k < classes; ++k)
    if (targets[k] != 0) loss -= targets[k] * log_p[k];
  return static_cast<T>(loss);
}

template <typename T>
void cross_entropy_backward(const T* log_p, const T* targets, T upstream, T* logits_gradient, std::size_t classes) {
  double sum = 0;
  for (std::size_t k = 0; k < classes; ++k) sum += targets[k];
  const T sums = static_cast<T>(sum);
  for (std::size_t k = 0; k < classes; k += kLanes<T>) {
    const std::size_t remaining = classes - k;
    const Lanes<T> row_gradient =
        exp_of_negative<T>(load_partial(log_p + k, remaining)) * splat(sums) - load_partial(targets + k, remaining);
    store_partial(logits_gradient + k, load_partial(logits_gradient + k, remaining) + splat(upstream) * row_gradient,
                  remaining);
  }
}

template float smoothed_target<float>(const TargetRule&, float, std::size_t);
template double smoothed_target<double>(const TargetRule&, double, std::size_t);
template bool weighted_targets<float>(const TargetRule&, const float*, const float*, float*, std::size_t);
template bool weighted_targets<double>(const TargetRule&, const double*, const double*, double*, std::size_t);
template float target_derivative<float>(const TargetRule&, const float*, std::size_t, std::size_t);
template double target_derivative<double>(const TargetRule&, const double*, std::size_t, std::size_t);
template float divisor_term<float>(const TargetRule&, const float*, const float*);
template double divisor_term<double>(const TargetRule&, const double*, const double*);
template float cross_entropy<float>(const float*, const float*, float*, std::size_t);
template double cross_entropy<double>(const double*, const double*, double*, std::size_t);
template void cross_entropy_backward<float>(const float*, const float*, float, float*, std::size_t);
template void cross_entropy_backward<double>(const double*, const double*, double, double*, std::size_t);

}  // namespace attn::kernels
