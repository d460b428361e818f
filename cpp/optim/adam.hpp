// Adam: "Adam: A Method for Stochastic Optimization", algorithm 1; AdamW: "Decoupled Weight Decay Regularization".
#pragma once

#include "optim/optimizer.hpp"

namespace attn {

struct AdamOptions {
  double lr = 0.001;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0;
  bool decoupled = false;  // AdamW: the decay is applied to the parameter, not added to the gradient
  bool amsgrad = false;    // divide by the largest second moment so far
};

// Settings that differ from PyTorch's defaults: a learning rate of 0.01; those of "Attention Is All You Need", section
// 5.3, which uses them with a warm-up schedule; and those of torch.optim.AdamW.
inline constexpr AdamOptions kTextbookAdam{.lr = 0.01};
inline constexpr AdamOptions kPaperAdam{.lr = 0.001, .beta1 = 0.9, .beta2 = 0.98, .eps = 1e-9};
inline constexpr AdamOptions kAdamW{.weight_decay = 0.01, .decoupled = true};

// g = g + weight_decay p               decoupled: p = p (1 - lr weight_decay) instead
// m = beta1 m + (1 - beta1) g,   v = beta2 v + (1 - beta2) g^2
// p = p - lr m' / (sqrt(v') + eps),   m' = m / (1 - beta1^t),  v' = v / (1 - beta2^t),  t = 1 at the first step
//
// m' and v' correct the bias of starting m and v at 0. Stores exp_avg (m), exp_avg_sq (v) and max_exp_avg_sq. Throws
// InputError for a setting below 0 or not finite, and for a beta that is not below 1.
template <typename T>
class Adam : public Optimizer<T> {
 public:
  explicit Adam(const AdamOptions& options);

 private:
  void update(Array<T>& value, const Array<T>& gradient, OptimizerState<T>& state, double weight_decay) const override;
  std::vector<std::string> buffer_names() const override;
  AdamOptions options_;
};

extern template class Adam<float>;
extern template class Adam<double>;

}  // namespace attn
