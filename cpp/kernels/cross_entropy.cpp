// Cross entropy of one row of logits.
#include "kernels/cross_entropy.hpp"

#include "kernels/exp.hpp"
#include "kernels/softmax.hpp"

namespace attn::kernels {

template <typename T>
T target_count(const TargetRule& rule, T q, std::size_t classes) {
  if (rule.smoothing == 0) return q;
  const T rest = static_cast<T>(1 - rule.smoothing);
  const T spread = static_cast<T>(rule.smoothing / static_cast<double>(rule.over_others ? classes - 1 : classes));
  return rest * q + (rule.over_others ? (1 - q) * spread : spread);
}

template <typename T>
bool target_counts(const TargetRule& rule, const T* target, const T* weight, T* counts, std::size_t classes) {
  if (rule.ids && *target == static_cast<T>(rule.ignore_index)) return false;
  for (std::size_t k = 0; k < classes; ++k) {
    const T q = rule.ids ? T(*target == static_cast<T>(k)) : target[k];
    counts[k] = target_count(rule, q, classes);
    if (weight) counts[k] *= weight[k];
  }
  return true;
}

template <typename T>
T target_slope(const TargetRule& rule, const T* weight, std::size_t k, std::size_t classes) {
  double slope = 1 - rule.smoothing;
  if (rule.over_others && rule.smoothing > 0) slope -= rule.smoothing / static_cast<double>(classes - 1);
  return static_cast<T>(slope) * (weight ? weight[k] : T(1));
}

template <typename T>
T target_share(const TargetRule& rule, const T* target, const T* weight) {
  if (!rule.ids) return 1;
  if (*target == static_cast<T>(rule.ignore_index)) return 0;
  return weight ? weight[static_cast<std::size_t>(*target)] : T(1);
}

template <typename T>
T cross_entropy(const T* logits, const T* counts, T* log_p, std::size_t classes) {
  log_softmax(logits, log_p, {classes, 1});
  double loss = 0;
  for (std::size_t k = 0; k < classes; ++k)
    if (counts[k] != 0) loss -= counts[k] * log_p[k];
  return static_cast<T>(loss);
}

template <typename T>
void cross_entropy_backward(const T* log_p, const T* counts, T upstream, T* logits_gradient, std::size_t classes) {
  double total = 0;
  for (std::size_t k = 0; k < classes; ++k) total += counts[k];
  const T sum = static_cast<T>(total);
  for (std::size_t k = 0; k < classes; k += kLanes<T>) {
    const std::size_t rest = classes - k;
    const Lanes<T> share =
        exp_of_negative<T>(load_partial(log_p + k, rest)) * splat(sum) - load_partial(counts + k, rest);
    store_partial(logits_gradient + k, load_partial(logits_gradient + k, rest) + splat(upstream) * share, rest);
  }
}

template float target_count<float>(const TargetRule&, float, std::size_t);
template double target_count<double>(const TargetRule&, double, std::size_t);
template bool target_counts<float>(const TargetRule&, const float*, const float*, float*, std::size_t);
template bool target_counts<double>(const TargetRule&, const double*, const double*, double*, std::size_t);
template float target_slope<float>(const TargetRule&, const float*, std::size_t, std::size_t);
template double target_slope<double>(const TargetRule&, const double*, std::size_t, std::size_t);
template float target_share<float>(const TargetRule&, const float*, const float*);
template double target_share<double>(const TargetRule&, const double*, const double*);
template float cross_entropy<float>(const float*, const float*, float*, std::size_t);
template double cross_entropy<double>(const double*, const double*, double*, std::size_t);
template void cross_entropy_backward<float>(const float*, const float*, float, float*, std::size_t);
template void cross_entropy_backward<double>(const double*, const double*, double, double*, std::size_t);

}  // namespace attn::kernels
