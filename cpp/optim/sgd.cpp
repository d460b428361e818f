// Stochastic gradient descent, with momentum and Nesterov's look ahead, as torch.optim.SGD.
#include "optim/sgd.hpp"

#include <cmath>

namespace attn {

template <typename T>
Sgd<T>::Sgd(const SgdOptions& options) : Optimizer<T>("sgd", options.lr), options_(options) {
  check_not_negative("sgd", "momentum", options.momentum);
  check_not_negative("sgd", "dampening", options.dampening);
  check_not_negative("sgd", "weight_decay", options.weight_decay);
  if (options.nesterov) {
    check_setting(options.momentum > 0, "sgd", "momentum", options.momentum, "a number above 0 with nesterov");
    check_setting(options.dampening == 0, "sgd", "dampening", options.dampening, "0 with nesterov");
  }
}

template <typename T>
void Sgd<T>::update(Array<T>& value, const Array<T>& gradient, OptimizerState<T>& state) const {
  const T lr = static_cast<T>(this->lr());
  const T decay = static_cast<T>(options_.weight_decay);
  const T momentum = static_cast<T>(options_.momentum);
  const T taken = static_cast<T>(1 - options_.dampening);
  Array<T>* velocity = options_.momentum != 0 ? &state.buffer("momentum_buffer", shape_of(value)) : nullptr;
  for (std::size_t i = 0; i < value.size(); ++i) {
    T& p = value.data()[i];
    T step = gradient.data()[i] + decay * p;
    if (velocity) {
      T& v = velocity->data()[i];
      v = state.step == 1 ? step : momentum * v + taken * step;
      step = options_.nesterov ? step + momentum * v : v;
    }
    p -= lr * step;
  }
}

template class Sgd<float>;
template class Sgd<double>;

}  // namespace attn
