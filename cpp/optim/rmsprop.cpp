// RMSProp: Tieleman and Hinton, 2012; as torch.optim.RMSprop.
#include "optim/rmsprop.hpp"

#include <cmath>

namespace attn {

template <typename T>
Rmsprop<T>::Rmsprop(const RmspropOptions& options) : Optimizer<T>("rmsprop", options.lr), options_(options) {
  check_setting(options.alpha >= 0 && options.alpha <= 1, "rmsprop", "alpha", options.alpha, "a number from 0 to 1");
  check_not_negative("rmsprop", "eps", options.eps);
  check_not_negative("rmsprop", "weight_decay", options.weight_decay);
  check_not_negative("rmsprop", "momentum", options.momentum);
}

template <typename T>
void Rmsprop<T>::update(Array<T>& value, const Array<T>& gradient, OptimizerState<T>& state) const {
  const T lr = static_cast<T>(this->lr());
  const T alpha = static_cast<T>(options_.alpha);
  const T rest = static_cast<T>(1 - options_.alpha);
  const T decay = static_cast<T>(options_.weight_decay);
  const T eps = static_cast<T>(options_.eps);
  const T momentum = static_cast<T>(options_.momentum);
  const Shape shape = shape_of(value);
  Array<T>& squares = state.buffer("square_avg", shape);
  Array<T>* means = options_.centered ? &state.buffer("grad_avg", shape) : nullptr;
  Array<T>* velocity = options_.momentum != 0 ? &state.buffer("momentum_buffer", shape) : nullptr;
  for (std::size_t i = 0; i < value.size(); ++i) {
    T& p = value.data()[i];
    const T g = gradient.data()[i] + decay * p;
    T& v = squares.data()[i];
    v = alpha * v + rest * g * g;
    T variance = v;
    if (means) {
      T& m = means->data()[i];
      m = alpha * m + rest * g;
      variance -= m * m;
      // A NaN stays, where std::max would drop it.
      if (variance < 0) variance = 0;
    }
    T step = g / (std::sqrt(variance) + eps);
    if (velocity) {
      T& u = velocity->data()[i];
      step = u = momentum * u + step;
    }
    p -= lr * step;
  }
}

template class Rmsprop<float>;
template class Rmsprop<double>;

}  // namespace attn
