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

// Lanes loaded from an array, which are stored back when the object is destroyed.
template <typename T>
class Part {
 public:
  Part(T* at, std::size_t count) : lanes(load_partial(at, count)), at_(at), count_(count) {}
  ~Part() { store_partial(at_, lanes, count_); }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  Lanes<T> lanes;

 private:
  T* at_;
  std::size_t count_;
};

// Calls visit(position, count, p, g) for all numbers of p, one vector at a time, with g = gradient + decay p.
template <typename T, typename Visit>
void each_part(double decay, const T* gradient, T* p, std::size_t count, Visit visit) {
  const Lanes<T> decays = number<T>(decay);
  for (std::size_t i = 0; i < count; i += kLanes<T>) {
    Part<T> part(p + i, count - i);
    visit(i, count - i, part.lanes, load_partial(gradient + i, count - i) + decays * part.lanes);
  }
}

}  // namespace

template <typename T>
void sgd_update(const SgdSettings& settings, const T* gradient, T* velocity, T* p, std::size_t count) {
  const Lanes<T> lr = number<T>(settings.lr), momentum = number<T>(settings.momentum);
  const Lanes<T> taken = number<T>(settings.taken);
  each_part(settings.decay, gradient, p, count,
            [&](std::size_t i, std::size_t rest, Lanes<T>& part, const Lanes<T>& g) {
              Lanes<T> step = g;
              if (velocity) {
                Part<T> v(velocity + i, rest);
                v.lanes = settings.first ? g : momentum * v.lanes + taken * g;
                step = settings.look_ahead ? g + momentum * v.lanes : v.lanes;
              }
              part -= lr * step;
            });
}

template <typename T>
void adagrad_update(double lr, double decay, double eps, const T* gradient, T* sum, T* p, std::size_t count) {
  each_part(decay, gradient, p, count, [&](std::size_t i, std::size_t rest, Lanes<T>& part, const Lanes<T>& g) {
    Part<T> squares(sum + i, rest);
    squares.lanes += g * g;
    part -= number<T>(lr) * g / (sqrt(squares.lanes) + number<T>(eps));
  });
}

template <typename T>
void rmsprop_update(const RmspropSettings& settings, const T* gradient, T* squares, T* means, T* velocity, T* p,
                    std::size_t count) {
  const Lanes<T> alpha = number<T>(settings.alpha), rest_of_it = number<T>(1 - settings.alpha);
  each_part(settings.decay, gradient, p, count,
            [&](std::size_t i, std::size_t rest, Lanes<T>& part, const Lanes<T>& g) {
              Part<T> v(squares + i, rest);
              v.lanes = alpha * v.lanes + rest_of_it * g * g;
              Lanes<T> variance = v.lanes;
              if (means) {
                Part<T> m(means + i, rest);
                m.lanes = alpha * m.lanes + rest_of_it * g;
                variance = at_least(variance - m.lanes * m.lanes, T(0));
              }
              Lanes<T> step = g / (sqrt(variance) + number<T>(settings.eps));
              if (velocity) {
                Part<T> u(velocity + i, rest);
                step = u.lanes = number<T>(settings.momentum) * u.lanes + step;
              }
              part -= number<T>(settings.lr) * step;
            });
}

template <typename T>
void adam_update(const AdamSettings& settings, const T* gradient, T* means, T* squares, T* largest, T* p,
                 std::size_t count) {
  const Lanes<T> beta1 = number<T>(settings.beta1), rest1 = number<T>(1 - settings.beta1);
  const Lanes<T> beta2 = number<T>(settings.beta2), rest2 = number<T>(1 - settings.beta2);
  const Lanes<T> lr = number<T>(settings.lr / settings.correction1);
  const Lanes<T> root = number<T>(1 / std::sqrt(settings.correction2));
  const Lanes<T> eps = number<T>(settings.eps), kept = number<T>(settings.kept);
  each_part(settings.decay, gradient, p, count,
            [&](std::size_t i, std::size_t rest, Lanes<T>& part, const Lanes<T>& g) {
              Part<T> m(means + i, rest);
              Part<T> v(squares + i, rest);
              m.lanes = beta1 * m.lanes + rest1 * g;
              v.lanes = beta2 * v.lanes + rest2 * g * g;
              Lanes<T> second = v.lanes;
              if (largest) {
                Part<T> most(largest + i, rest);
                second = most.lanes = v.lanes <= most.lanes ? most.lanes : v.lanes;  // a NaN stays NaN
              }
              part = part * kept - lr * m.lanes / (sqrt(second) * root + eps);
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
