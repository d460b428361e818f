// RMSProp: Tieleman and Hinton, 2012; as torch.optim.RMSprop.
#include "optim/rmsprop.hpp"

#include "kernels/updates.hpp"

namespace attn {

template <typename T>
Rmsprop<T>::Rmsprop(const RmspropOptions& options)
    : Optimizer<T>("rmsprop", options.lr, options.weight_decay), options_(options) {
  check_setting(options.alpha >= 0 && options.alpha <= 1, "rmsprop", "alpha", options.alpha, "a number from 0 to 1");
  check_not_negative("rmsprop", "eps", options.eps);
  check_not_negative("rmsprop", "momentum", options.momentum);
}

template <typename T>
void Rmsprop<T>::update(Array<T>& value, const Array<T>& gradient, OptimizerState<T>& state,
                        double weight_decay) const {
  T* squares = state.buffer("square_avg", value).data();
  T* means = options_.centered ? state.buffer("grad_avg", value).data() : nullptr;
  T* velocity = options_.momentum != 0 ? state.buffer("momentum_buffer", value).data() : nullptr;
  kernels::rmsprop_update({.lr = this->lr(),
                           .weight_decay = weight_decay,
                           .alpha = options_.alpha,
                           .eps = options_.eps,
                           .momentum = options_.momentum},
                          gradient.data(), squares, means, velocity, value.data(), value.size());
}

template <typename T>
std::vector<std::string> Rmsprop<T>::buffer_names() const {
  std::vector<std::string> names{"square_avg"};
  if (options_.momentum != 0) names.insert(names.begin(), "momentum_buffer");
  if (options_.centered) names.insert(names.begin(), "grad_avg");
  return names;
}

template class Rmsprop<float>;
template class Rmsprop<double>;

}  // namespace attn
