// Stochastic gradient descent with momentum and Nesterov momentum, as torch.optim.SGD.
#include "optim/sgd.hpp"

#include "kernels/updates.hpp"

namespace attn {

template <typename T>
Sgd<T>::Sgd(const SgdOptions& options) : Optimizer<T>("sgd", options.lr, options.weight_decay), options_(options) {
  check_not_negative("sgd", "momentum", options.momentum);
  check_not_negative("sgd", "dampening", options.dampening);
  if (options.nesterov) {
    check_setting(options.momentum > 0, "sgd", "momentum", options.momentum, "a number above 0 with nesterov");
    check_setting(options.dampening == 0, "sgd", "dampening", options.dampening, "0 with nesterov");
  }
}

template <typename T>
void Sgd<T>::update(Array<T>& value, const Array<T>& gradient, OptimizerState<T>& state, double weight_decay) const {
  T* velocity = options_.momentum != 0 ? state.buffer("momentum_buffer", value).data() : nullptr;
  kernels::sgd_update({.lr = this->lr(),
                       .weight_decay = weight_decay,
                       .momentum = options_.momentum,
                       .one_minus_dampening = 1 - options_.dampening,
                       .is_first_step = state.step == 1,
                       .nesterov = options_.nesterov},
                      gradient.data(), velocity, value.data(), value.size());
}

template <typename T>
std::vector<std::string> Sgd<T>::buffer_names() const {
  if (options_.momentum == 0) return {};
  return {"momentum_buffer"};
}

template class Sgd<float>;
template class Sgd<double>;

}  // namespace attn
