// The update rules of the optimizers for the numbers of one parameter.
#pragma once

#include <cstddef>

namespace attn::kernels {

// Every rule begins with g = gradient + decay p.

struct SgdSettings {
  double lr, decay, momentum;
  double taken;     // share of the gradient that is added to the velocity
  bool first;       // first step: the velocity starts as the gradient
  bool look_ahead;  // Nesterov momentum
};

// v = momentum v + taken g,  p -= lr v (Nesterov: lr (g + momentum v)). A null velocity means p -= lr g.
template <typename T>
void sgd_update(const SgdSettings& settings, const T* gradient, T* velocity, T* p, std::size_t count);

// sum += g^2,  p -= lr g / (sqrt(sum) + eps)
template <typename T>
void adagrad_update(double lr, double decay, double eps, const T* gradient, T* sum, T* p, std::size_t count);

struct RmspropSettings {
  double lr, decay, alpha, eps, momentum;
};

// v = alpha v + (1 - alpha) g^2,  u = momentum u + g / (sqrt(v) + eps),  p -= lr u. `means` may be null; else m =
// alpha m + (1 - alpha) g, and v - m^2 (at least 0) takes the place of v in u. A null velocity means no momentum.
template <typename T>
void rmsprop_update(const RmspropSettings& settings, const T* gradient, T* squares, T* means, T* velocity, T* p,
                    std::size_t count);

struct AdamSettings {
  double lr, decay, beta1, beta2, eps;
  double kept;                      // p is multiplied by it first
  double correction1, correction2;  // 1 - beta^t
};

// m = beta1 m + (1 - beta1) g,  v = beta2 v + (1 - beta2) g^2,
// p -= lr / correction1 m / (sqrt(v) / sqrt(correction2) + eps), with the largest v so far if `largest` is not null.
template <typename T>
void adam_update(const AdamSettings& settings, const T* gradient, T* means, T* squares, T* largest, T* p,
                 std::size_t count);

}  // namespace attn::kernels
