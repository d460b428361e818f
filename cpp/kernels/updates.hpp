// The update rules of the optimizers for the numbers of one parameter.
#pragma once

#include <cstddef>

namespace attn::kernels {

// In every rule, g = gradient + weight_decay p.

struct SgdSettings {
  double lr, weight_decay, momentum;
  double one_minus_dampening;
  bool is_first_step;  // v = g
  bool nesterov;
};

// v = momentum v + (1 - dampening) g,  p -= lr v (Nesterov: lr (g + momentum v)). If velocity is null, p -= lr g.
template <typename T>
void sgd_update(const SgdSettings& settings, const T* gradient, T* velocity, T* p, std::size_t count);

// sum += g^2,  p -= lr g / (sqrt(sum) + eps)
template <typename T>
void adagrad_update(double lr, double weight_decay, double eps, const T* gradient, T* sum, T* p, std::size_t count);

struct RmspropSettings {
  double lr, weight_decay, alpha, eps, momentum;
};

// v = alpha v + (1 - alpha) g^2,  u = momentum u + g / (sqrt(v) + eps),  p -= lr u, where v is `squares` and u is
// `velocity`. Centered RMSprop: if means is not null, m = alpha m + (1 - alpha) g, and sqrt(v) becomes
// sqrt(max(v - m^2, 0)). If velocity is null, there is no momentum.
template <typename T>
void rmsprop_update(const RmspropSettings& settings, const T* gradient, T* squares, T* means, T* velocity, T* p,
                    std::size_t count);

struct AdamSettings {
  double lr, weight_decay, beta1, beta2, eps;
  double decay_factor;              // 1, or 1 - lr weight_decay for AdamW, whose decay is not added to g
  double correction1, correction2;  // 1 - beta^t
};

// m = beta1 m + (1 - beta1) g,  v = beta2 v + (1 - beta2) g^2,
// p = decay_factor p - lr / correction1 m / (sqrt(v) / sqrt(correction2) + eps), where m is `means` and v is `squares`.
// AMSGrad: if largest is not null, it holds the largest v so far, which replaces v in the update of p.
template <typename T>
void adam_update(const AdamSettings& settings, const T* gradient, T* means, T* squares, T* largest, T* p,
                 std::size_t count);

}  // namespace attn::kernels
