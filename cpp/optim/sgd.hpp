// Stochastic gradient descent with momentum and Nesterov momentum, as torch.optim.SGD.
#pragma once

#include "optim/optimizer.hpp"

namespace attn {

struct SgdOptions {
  double lr = 0.001;
  double momentum = 0;
  double dampening = 0;
  double weight_decay = 0;
  bool nesterov = false;
};

// The usual settings with momentum.
inline constexpr SgdOptions kTextbookMomentum{.lr = 0.01, .momentum = 0.9};

// g = g + weight_decay p
// v = g at the first step, then momentum v + (1 - dampening) g
// p = p - lr v             without momentum p - lr g, with Nesterov p - lr (g + momentum v)
//
// Stores momentum_buffer. Throws InputError for a setting below 0 or not finite, and for Nesterov momentum without
// momentum or with dampening.
template <typename T>
class Sgd : public Optimizer<T> {
 public:
  explicit Sgd(const SgdOptions& options);

 private:
  void update(Array<T>& value, const Array<T>& gradient, OptimizerState<T>& state, double weight_decay) const override;
  std::vector<std::string> buffer_names() const override;
  SgdOptions options_;
};

extern template class Sgd<float>;
extern template class Sgd<double>;

}  // namespace attn
