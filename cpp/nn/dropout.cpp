// Dropout in training: "Attention Is All You Need", section 5.4.
#include "nn/dropout.hpp"

#include <utility>

#include "ops/dropout.hpp"
#include "tensor/random.hpp"

namespace attn {

Dropout Dropout::at(const std::string& name) const { return {p, token_seed(name, seed)}; }

template <typename T>
Tensor<T> dropout(const Tensor<T>& x, const Dropout& settings, std::string name) {
  if (settings.p == 0) return x;
  const Tensor<T> drawn = x.graph->dropout_draw(name.empty() ? name : name + ".u", x.shape(), settings.seed);
  return dropout(x, drawn, settings.p, std::move(name));
}

template Tensor<float> dropout(const Tensor<float>&, const Dropout&, std::string);
template Tensor<double> dropout(const Tensor<double>&, const Dropout&, std::string);

}  // namespace attn
