// AdaGrad: "Adaptive Subgradient Methods for Online Learning and Stochastic Optimization"; as torch.optim.Adagrad.
#include "optim/adagrad.hpp"

#include "kernels/updates.hpp"

namespace attn {

template <typename T>
Adagrad<T>::Adagrad(const AdagradOptions& options)
    : Optimizer<T>("adagrad", options.lr, options.weight_decay), options_(options) {
  check_not_negative("adagrad", "lr_decay", options.lr_decay);
  check_not_negative("adagrad", "initial_accumulator_value", options.initial_accumulator_value);
  check_not_negative("adagrad", "eps", options.eps);
}

template <typename T>
void Adagrad<T>::update(Array<T>& value, const Array<T>& gradient, OptimizerState<T>& state,
                        double weight_decay) const {
  const double lr = this->lr() / (1 + static_cast<double>(state.step - 1) * options_.lr_decay);
  Array<T>& sum = state.buffer("sum", value, static_cast<T>(options_.initial_accumulator_value));
  kernels::adagrad_update(lr, weight_decay, options_.eps, gradient.data(), sum.data(), value.data(), value.size());
}

template <typename T>
std::vector<std::string> Adagrad<T>::buffer_names() const {
  return {"sum"};
}

template class Adagrad<float>;
template class Adagrad<double>;

}  // namespace attn
