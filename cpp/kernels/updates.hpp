// What optimizers do to the numbers of one parameter.
#pragma once

#include <cstddef>

namespace attn::kernels {

// In all of them g = gradient + decay p first.

struct SgdSettings {
  double lr, decay, momentum;
  double taken;     // of the gradient into the velocity
  bool first;       // the velocity begins as the gradient
  bool look_ahead;  // Nesterov's
};

// v = momentum v + taken g,  p -= lr v (looking ahead: lr (g + momentum v)). velocity may be null: p -= lr g.
template <typename T>
void sgd_update(const SgdSettings& settings, const T* gradient, T* velocity, T* p, std::size_t count);

// sum += g^2,  p -= lr g / (sqrt(sum) + eps)
template <typename T>
void adagrad_update(double lr, double decay, double eps, const T* gradient, T* sum, T* p, std::size_t count);

struct RmspropSettings {
  double lr, decay, alpha, eps, momentum;
};

// v = alpha v + (1 - alpha) g^2,  u = momentum u + g / (sqrt(v) + eps),  p -= lr u. Both means and velocity may be null:
// no mean square is taken off v, no velocity kept.
template <typename T>
void rmsprop_update(const RmspropSettings& settings, const T* gradient, T* squares, T* means, T* velocity, T* p,
                    std::size_t count);

struct AdamSettings {
  double lr, decay, beta1, beta2, eps;
  double kept;                      // what p is multiplied by first
  double correction1, correction2;  // 1 - beta^t
};

// m = beta1 m + (1 - beta1) g,  v = beta2 v + (1 - beta2) g^2,
// p -= lr / correction1 m / (sqrt(v) / sqrt(correction2) + eps), v the largest so far when `largest` is not null.
template <typename T>
void adam_update(const AdamSettings& settings, const T* gradient, T* means, T* squares, T* largest, T* p,
                 std::size_t count);

}  // namespace attn::kernels
