// The update rules of the optimizers for the numbers of one parameter, one vector of lanes at a time.
#include "kernels/updates.hpp"

#include <cmath>

#include "kernels/lanes.hpp"

namespace attn::kernels {
namespace {

template <typename T>
Lanes<T> number(double x) {
  return splat(static_cast<T>(x));
}

// Lanes that are loaded from an array and stored back when the object is destroyed.
template <typename T>
class StoredLanes {
 public:
  StoredLanes(T* address, std::size_t count) : lanes(load_partial(address, count)), address_(address), count_(count) {}
  ~StoredLanes() { store_partial(address_, lanes, count_); }
  StoredLanes(const StoredLanes&) = delete;
  StoredLanes& operator=(const StoredLanes&) = delete;

  Lanes<T> lanes;

 private:
  T* address_;
  std::size_t count_;
};

// Calls visit(i, remaining, parameter, g) for the numbers of p from position i on, one vector at a time, where
// remaining = count - i and g = gradient + weight_decay p. What visit() writes to `parameter` is stored in p.
template <typename T, typename Visit>
void for_each_vector(double weight_decay, const T* gradient, T* p, std::size_t count, Visit visit) {
  const Lanes<T> decay = number<T>(weight_decay);
  for (std::size_t i = 0; i < count; i += kLanes<T>) {
    StoredLanes<T> parameter(p + i, count - i);
    visit(i, count - i, parameter.lanes, load_partial(gradient + i, count - i) + decay * parameter.lanes);
  }
}

}  // namespace

template <typename T>
void sgd_update(const SgdSettings& settings, const T* gradient, T* velocity, T* p, std::size_t count) {
  const Lanes<T> lr = number<T>(settings.lr), momentum = number<T>(settings.momentum);
  const Lanes<T> one_minus_dampening = number<T>(settings.one_minus_dampening);
  for_each_vector(settings.weight_decay, gradient, p, count,
                  [&](std::size_t i, std::size_t remaining, Lanes<T>& parameter, const Lanes<T>& g) {
                    Lanes<T> step = g;
                    if (velocity) {
                      StoredLanes<T> v(velocity + i, remaining);
                      v.lanes = settings.is_first_step ? g : momentum * v.lanes + one_minus_dampening * g;
                      step = settings.nesterov ? g + momentum * v.lanes : v.lanes;
                    }
                    parameter -= lr * step;
                  });
}

template <typename T>
void adagrad_update(double lr, double weight_decay, double eps, const T* gradient, T* sum, T* p, std::size_t count) {
  for_each_vector(weight_decay, gradient, p, count,
                  [&](std::size_t i, std::size_t remaining, Lanes<T>& parameter, const Lanes<T>& g) {
                    StoredLanes<T> squares(sum + i, remaining);
                    squares.lanes += g * g;
                    parameter -= number<T>(lr) * g / (sqrt(squares.lanes) + number<T>(eps));
                  });
}

template <typename T>
void rmsprop_update(const RmspropSettings& settings, const T* gradient, T* squares, T* means, T* velocity, T* p,
                    std::size_t count) {
  const Lanes<T> alpha = number<T>(settings.alpha), one_minus_alpha = number<T>(1 - settings.alpha);
  for_each_vector(settings.weight_decay, gradient, p, count,
                  [&](std::size_t i, std::size_t remaining, Lanes<T>& parameter, const Lanes<T>& g) {
                    StoredLanes<T> v(squares + i, remaining);
                    v.lanes = alpha * v.lanes + one_minus_alpha * g * g;
                    Lanes<T> variance = v.lanes;
                    if (means) {
                      StoredLanes<T> m(means + i, remaining);
                      m.lanes = alpha * m.lanes + one_minus_alpha * g;
                      variance = at_least(variance - m.lanes * m.lanes, T(0));
                    }
                    Lanes<T> step = g / (sqrt(variance) + number<T>(settings.eps));
                    if (velocity) {
                      StoredLanes<T> u(velocity + i, remaining);
                      step = u.lanes = number<T>(settings.momentum) * u.lanes + step;
                    }
                    parameter -= number<T>(settings.lr) * step;
                  });
}

template <typename T>
void adam_update(const AdamSettings& settings, const T* gradient, T* means, T* squares, T* largest, T* p,
                 std::size_t count) {
  const Lanes<T> beta1 = number<T>(settings.beta1), one_minus_beta1 = number<T>(1 - settings.beta1);
  const Lanes<T> beta2 = number<T>(settings.beta2), one_minus_beta2 = number<T>(1 - settings.beta2);
  const Lanes<T> lr = number<T>(settings.lr / settings.correction1);
  const Lanes<T> inverse_root = number<T>(1 / std::sqrt(settings.correction2));
  const Lanes<T> eps = number<T>(settings.eps), decay_factor = number<T>(settings.decay_factor);
  for_each_vector(settings.weight_decay, gradient, p, count,
                  [&](std::size_t i, std::size_t remaining, Lanes<T>& parameter, const Lanes<T>& g) {
                    StoredLanes<T> m(means + i, remaining);
                    StoredLanes<T> v(squares + i, remaining);
                    m.lanes = beta1 * m.lanes + one_minus_beta1 * g;
                    v.lanes = beta2 * v.lanes + one_minus_beta2 * g * g;
                    Lanes<T> second_moment = v.lanes;
                    if (largest) {
                      StoredLanes<T> maximum(largest + i, remaining);
                      second_moment = maximum.lanes =
                          v.lanes <= maximum.lanes ? maximum.lanes : v.lanes;  // a NaN stays NaN
                    }
                    parameter = parameter * decay_factor - lr * m.lanes / (sqrt(second_moment) * inverse_root + eps);
                  });
}

template void sgd_update<float>(const SgdSettings&, const float*, float*, float*, std::size_t);
template void adagrad_update<float>(double, double, double, const float*, float*, float*, std::size_t);
template void rmsprop_update<float>(const RmspropSettings&, const float*, float*, float*, float*, float*, std::size_t);
template void adam_update<float>(const AdamSettings&, const float*, float*, float*, float*, float*, std::size_t);
template void sgd_update<double>(const SgdSettings&, const double*, double*, double*, std::size_t);
template void adagrad_update<double>(double, double, double, const double*, double*, double*, std::size_t);
template void rmsprop_update<double>(const RmspropSettings&, const double*, double*, double*, double*, double*,
                                     std::size_t);
template void adam_update<double>(const AdamSettings&, const double*, double*, double*, double*, double*, std::size_t);

}  // namespace attn::kernels
