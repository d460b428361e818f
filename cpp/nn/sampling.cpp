// The choice of the next token from its logits: temperature, top-k and top-p.
#include "nn/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "ops/softmax.hpp"

namespace attn {

void check_sampling(const SamplingOptions& options, std::string_view operation) {
  if (!(options.temperature >= 0) || !std::isfinite(options.temperature))
    refuse_option(operation, "temperature", format_number(options.temperature), "a finite number from 0 up");
  if (options.top_k == std::size_t{0}) refuse_option(operation, "top_k", "0", "at least 1");
  if (!(options.top_p > 0 && options.top_p <= 1))
    refuse_option(operation, "top_p", format_number(options.top_p), "a number above 0, at most 1");
}

template <typename T>
std::vector<double> next_probabilities(std::span<const T> logits, const SamplingOptions& options,
                                       std::string_view operation) {
  check_sampling(options, operation);
  if (logits.empty()) refuse_option(operation, "logits", "empty", "at least one");
  if (std::any_of(logits.begin(), logits.end(), [](T logit) { return std::isnan(logit); }))
    refuse_option(operation, "logits", "nan", "numbers to choose from");
  const auto best = std::max_element(logits.begin(), logits.end());
  std::vector<double> probabilities(logits.size(), 0);
  if (options.temperature == 0) {
    probabilities[static_cast<std::size_t>(best - logits.begin())] = 1;
    return probabilities;
  }
  if (!std::isfinite(*best)) refuse_option(operation, "largest logit", format_number(*best), "a finite number");

  // The ids that are left, the most likely first where that matters.
  std::vector<std::size_t> left(logits.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  if (options.top_k || options.top_p < 1) {
    std::sort(left.begin(), left.end(),
              [&](std::size_t a, std::size_t b) { return logits[a] > logits[b] || (logits[a] == logits[b] && a < b); });
    if (options.top_k) left.resize(std::min(left.size(), *options.top_k));
  }
  // The largest is subtracted before the division, which would overflow for a very small temperature.
  std::fill(probabilities.begin(), probabilities.end(), -std::numeric_limits<double>::infinity());
  for (const std::size_t id : left)
    probabilities[id] = (static_cast<double>(logits[id]) - static_cast<double>(*best)) / options.temperature;
  softmax(probabilities);
  if (options.top_p == 1) return probabilities;

  double sum = 0;
  std::size_t count = 0;
  while (count < left.size() && sum < options.top_p) sum += probabilities[left[count++]];
  for (std::size_t i = 0; i < left.size(); ++i) probabilities[left[i]] = i < count ? probabilities[left[i]] / sum : 0;
  return probabilities;
}

std::vector<std::size_t> draw_ids(std::span<const double> weights, std::size_t number, RandomState& random) {
  std::vector<double> cumulative(weights.size());
  std::partial_sum(weights.begin(), weights.end(), cumulative.begin());
  const double total = cumulative.back();
  for (double& bound : cumulative) bound /= total;
  std::vector<std::size_t> ids;
  for (std::size_t i = 0; i < number; ++i) {
    const auto bound = std::upper_bound(cumulative.begin(), cumulative.end(), random.random_sample());
    ids.push_back(static_cast<std::size_t>(bound - cumulative.begin()));
  }
  return ids;
}

template std::vector<double> next_probabilities(std::span<const float>, const SamplingOptions&, std::string_view);
template std::vector<double> next_probabilities(std::span<const double>, const SamplingOptions&, std::string_view);

}  // namespace attn
