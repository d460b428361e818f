// AdaGrad: "Adaptive Subgradient Methods for Online Learning and Stochastic Optimization"; as torch.optim.Adagrad.
#pragma once

#include "optim/optimizer.hpp"

namespace attn {

struct AdagradOptions {
  double lr = 0.01;
  double lr_decay = 0;
  double weight_decay = 0;
  double initial_accumulator_value = 0;
  double eps = 1e-10;
};

// The settings of the textbook form: a learning rate of 0.01 and eps 1e-8.
inline constexpr AdagradOptions kTextbookAdagrad{.lr = 0.01, .eps = 1e-8};

// g = g + weight_decay p
// G = G + g^2
// p = p - lr / (1 + t lr_decay) g / (sqrt(G) + eps),   t = 0 at the first step
//
// Each number has its own learning rate, which only falls. Stores sum, which is G. Throws InputError for a setting
// below 0 or not finite.
template <typename T>
class Adagrad : public Optimizer<T> {
 public:
  explicit Adagrad(const AdagradOptions& options);

 private:
  void update(Array<T>& value, const Array<T>& gradient, OptimizerState<T>& state, double weight_decay) const override;
  std::vector<std::string> buffer_names() const override;
  AdagradOptions options_;
};

extern template class Adagrad<float>;
extern template class Adagrad<double>;

}  // namespace attn
