// RMSProp: Tieleman and Hinton, 2012; as torch.optim.RMSprop.
#pragma once

#include "optim/optimizer.hpp"

namespace attn {

struct RmspropOptions {
  double lr = 0.01;
  double alpha = 0.99;
  double eps = 1e-8;
  double weight_decay = 0;
  double momentum = 0;
  bool centered = false;
};

// The settings of the textbook form: alpha is 0.9, where PyTorch has 0.99.
inline constexpr RmspropOptions kTextbookRmsprop{.lr = 0.01, .alpha = 0.9};

// g = g + weight_decay p
// v = alpha v + (1 - alpha) g^2
// d = g / (sqrt(v) + eps)              centered: v - m^2 in place of v, m = alpha m + (1 - alpha) g
// p = p - lr d                         with momentum: u = momentum u + d, p - lr u
//
// The variance v - m^2 counts as 0 where rounding makes it negative.
//
// Stores square_avg (v), grad_avg (m) and momentum_buffer (u). Throws InputError for a setting below 0 or not finite,
// and for an alpha above 1.
template <typename T>
class Rmsprop : public Optimizer<T> {
 public:
  explicit Rmsprop(const RmspropOptions& options);

 private:
  void update(Array<T>& value, const Array<T>& gradient, OptimizerState<T>& state, double weight_decay) const override;
  std::vector<std::string> buffer_names() const override;
  RmspropOptions options_;
};

extern template class Rmsprop<float>;
extern template class Rmsprop<double>;

}  // namespace attn
