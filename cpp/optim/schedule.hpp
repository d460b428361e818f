// Learning rates that depend on the step.
#pragma once

#include <cstddef>
#include <cstdint>

namespace attn {

struct NoamOptions {
  std::size_t d_model = 512;
  std::uint64_t warmup = 4000;
  double factor = 1;
};

// lr = factor d_model^-0.5 min(step^-0.5, step warmup^-1.5): "Attention Is All You Need", section 5.3, equation 3
//
// The rate rises for `warmup` steps and then falls. Throws InputError for step 0, where it is not defined, for a
// d_model or warmup of 0, and for a factor below 0 or not finite.
double noam_lr(std::uint64_t step, const NoamOptions& options);

struct CosineOptions {
  double lr = 0.001;         // rate at the end of the warm-up
  double min_lr = 0;         // rate at the end
  std::uint64_t steps = 1;   // from the end of the warm-up to the end; afterwards the rate is min_lr
  std::uint64_t warmup = 0;  // steps over which the rate rises linearly, starting at lr / warmup
};

// lr = min_lr + (lr - min_lr) (1 + cos(pi t / steps)) / 2, t = step - warmup: "SGDR", section 3, without restarts
//
// `step` counts from 0, as torch.optim.lr_scheduler.CosineAnnealingLR. Throws InputError when steps is 0 or a rate is
// below 0 or not finite.
double cosine_lr(std::uint64_t step, const CosineOptions& options);

}  // namespace attn
