// Adam: "Adam: A Method for Stochastic Optimization", algorithm 1; AdamW: "Decoupled Weight Decay Regularization".
#include "optim/adam.hpp"

#include <cmath>

namespace attn {

template <typename T>
Adam<T>::Adam(const AdamOptions& options)
    : Optimizer<T>(options.decoupled ? "adamw" : "adam", options.lr), options_(options) {
  const auto check_beta = [&](const char* argument, double value) {
    check_setting(value >= 0 && value < 1, this->kind(), argument, value, "a number from 0 to below 1");
  };
  check_beta("beta1", options.beta1);
  check_beta("beta2", options.beta2);
  check_not_negative(this->kind(), "eps", options.eps);
  check_not_negative(this->kind(), "weight_decay", options.weight_decay);
}

template <typename T>
void Adam<T>::update(Array<T>& value, const Array<T>& gradient, OptimizerState<T>& state) const {
  const auto t = static_cast<double>(state.step);
  const T lr = static_cast<T>(this->lr());
  const T beta1 = static_cast<T>(options_.beta1);
  const T beta2 = static_cast<T>(options_.beta2);
  const T rest1 = static_cast<T>(1 - options_.beta1);
  const T rest2 = static_cast<T>(1 - options_.beta2);
  const T correction1 = static_cast<T>(1 - std::pow(options_.beta1, t));
  const T correction2 = static_cast<T>(1 - std::pow(options_.beta2, t));
  const T eps = static_cast<T>(options_.eps);
  const T added_decay = static_cast<T>(options_.decoupled ? 0 : options_.weight_decay);
  const T kept = static_cast<T>(options_.decoupled ? 1 - this->lr() * options_.weight_decay : 1);
  const Shape shape = shape_of(value);
  Array<T>& means = state.buffer("exp_avg", shape);
  Array<T>& squares = state.buffer("exp_avg_sq", shape);
  Array<T>* largest = options_.amsgrad ? &state.buffer("max_exp_avg_sq", shape) : nullptr;
  for (std::size_t i = 0; i < value.size(); ++i) {
    T& p = value.data()[i];
    const T g = gradient.data()[i] + added_decay * p;
    p *= kept;
    T& m = means.data()[i];
    T& v = squares.data()[i];
    m = beta1 * m + rest1 * g;
    v = beta2 * v + rest2 * g * g;
    T second = v;
    if (largest) {
      // A NaN stays, where std::max would drop it.
      T& most = largest->data()[i];
      if (!(v <= most)) most = v;
      second = most;
    }
    p -= lr * (m / correction1) / (std::sqrt(second / correction2) + eps);
  }
}

template class Adam<float>;
template class Adam<double>;

}  // namespace attn
