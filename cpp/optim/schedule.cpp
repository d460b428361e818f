// Learning rates that depend on the step.
#include "optim/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "optim/optimizer.hpp"

namespace attn {
double noam_lr(std::uint64_t step, const NoamOptions& options) {
  check_setting(step > 0, "noam_lr", "step", 0, "at least 1");
  check_setting(options.d_model > 0, "noam_lr", "d_model", 0, "at least 1");
  check_setting(options.warmup > 0, "noam_lr", "warmup", 0, "at least 1");
  check_not_negative("noam_lr", "factor", options.factor);
  const auto t = static_cast<double>(step);
  const auto warmup = static_cast<double>(options.warmup);
  return options.factor * std::pow(static_cast<double>(options.d_model), -0.5) *
         std::min(std::pow(t, -0.5), t * std::pow(warmup, -1.5));
}

double cosine_lr(std::uint64_t step, const CosineOptions& options) {
  check_setting(options.steps > 0, "cosine_lr", "steps", 0, "at least 1");
  check_not_negative("cosine_lr", "lr", options.lr);
  check_not_negative("cosine_lr", "min_lr", options.min_lr);
  if (step < options.warmup) {
    return options.lr * static_cast<double>(step + 1) / static_cast<double>(options.warmup);
  }
  const std::uint64_t after = std::min(step - options.warmup, options.steps);
  const double part = static_cast<double>(after) / static_cast<double>(options.steps);
  return options.min_lr + (options.lr - options.min_lr) * (1 + std::cos(std::numbers::pi * part)) / 2;
}

}  // namespace attn
