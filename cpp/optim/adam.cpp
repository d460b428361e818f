// Adam: "Adam: A Method for Stochastic Optimization", algorithm 1; AdamW: "Decoupled Weight Decay Regularization".
#include "optim/adam.hpp"

#include <cmath>

#include "kernels/updates.hpp"

namespace attn {

template <typename T>
Adam<T>::Adam(const AdamOptions& options)
    : Optimizer<T>(options.decoupled ? "adamw" : "adam", options.lr, options.weight_decay), options_(options) {
  const auto check_beta = [&](const char* argument, double value) {
    check_setting(value >= 0 && value < 1, this->kind(), argument, value, "a number from 0 to below 1");
  };
  check_beta("beta1", options.beta1);
  check_beta("beta2", options.beta2);
  check_not_negative(this->kind(), "eps", options.eps);
}

template <typename T>
void Adam<T>::update(Array<T>& value, const Array<T>& gradient, OptimizerState<T>& state, double weight_decay) const {
  const auto t = static_cast<double>(state.step);
  T* means = state.buffer("exp_avg", value).data();
  T* squares = state.buffer("exp_avg_sq", value).data();
  T* largest = options_.amsgrad ? state.buffer("max_exp_avg_sq", value).data() : nullptr;
  kernels::adam_update({.lr = this->lr(),
                        .weight_decay = options_.decoupled ? 0 : weight_decay,
                        .beta1 = options_.beta1,
                        .beta2 = options_.beta2,
                        .eps = options_.eps,
                        .decay_factor = options_.decoupled ? 1 - this->lr() * weight_decay : 1,
                        .correction1 = 1 - std::pow(options_.beta1, t),
                        .correction2 = 1 - std::pow(options_.beta2, t)},
                       gradient.data(), means, squares, largest, value.data(), value.size());
}

template <typename T>
std::vector<std::string> Adam<T>::buffer_names() const {
  std::vector<std::string> names{"exp_avg", "exp_avg_sq"};
  if (options_.amsgrad) names.emplace_back("max_exp_avg_sq");
  return names;
}

template class Adam<float>;
template class Adam<double>;

}  // namespace attn
