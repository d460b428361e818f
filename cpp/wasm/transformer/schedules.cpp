// Learning-rate schedules for JavaScript.
#include <emscripten/bind.h>

#include "optim/schedule.hpp"
#include "wasm/guarded.hpp"

namespace attn {
namespace {

double noam(double step, double d_model, double warmup, double factor) {
  return noam_lr(
      static_cast<std::uint64_t>(step),
      {.d_model = static_cast<std::size_t>(d_model), .warmup = static_cast<std::uint64_t>(warmup), .factor = factor});
}

double cosine(double step, double lr, double min_lr, double steps, double warmup) {
  return cosine_lr(static_cast<std::uint64_t>(step), {.lr = lr,
                                                      .min_lr = min_lr,
                                                      .steps = static_cast<std::uint64_t>(steps),
                                                      .warmup = static_cast<std::uint64_t>(warmup)});
}

}  // namespace

EMSCRIPTEN_BINDINGS(schedules) {
  emscripten::function("noamLr", &Guarded<&noam>::call);
  emscripten::function("cosineLr", &Guarded<&cosine>::call);
}

}  // namespace attn
