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
  Graph<T>& graph = *x.graph;
  graph.check_memory(cell_count(x.shape()) * sizeof(T), "dropout");
  RandomState random(settings.seed);
  Array<T> u = full<T>(x.shape(), T(0));
  for (T& cell : u) cell = static_cast<T>(random.uniform(0, 1));
  const Origin origin = {{"kind", "draw"},
                         {"method", "uniform"},
                         {"low", 0.0},
                         {"high", 1.0},
                         {"seed", static_cast<double>(settings.seed)},
                         {"skip", std::string()}};
  const Tensor<T> drawn = graph.leaf(name.empty() ? name : name + ".u", std::move(u), origin);
  return dropout(x, drawn, settings.p, std::move(name));
}

template Tensor<float> dropout(const Tensor<float>&, const Dropout&, std::string);
template Tensor<double> dropout(const Tensor<double>&, const Dropout&, std::string);

}  // namespace attn
