// Attention rollout, attention accumulated over all layers: "Quantifying Attention Flow in Transformers", section 3.
#include "nn/attention_rollout.hpp"

#include "ops/add.hpp"
#include "ops/divide.hpp"
#include "ops/matmul.hpp"
#include "ops/mean.hpp"
#include "ops/sum.hpp"

namespace attn {

template <typename T>
Tensor<T> attention_rollout(const std::vector<Tensor<T>>& weights, const std::string& name) {
  if (weights.empty()) refuse_option("attention_rollout", "weights", "empty", "the weights of at least one layer");
  const Shape& shape = weights[0].shape();
  if (shape.size() < 3 || shape.size() > 4 || shape.back() != shape[shape.size() - 2]) {
    refuse_shape("attention_rollout", "weights[0]", shape, "(heads, L, L) or (batch, heads, L, L)");
  }
  Graph<T>& graph = *weights[0].graph;
  const std::size_t length = shape.back();
  const auto step_name = [&](const char* step, std::size_t layer) {
    return graph.observe() ? name + step + std::to_string(layer) : std::string();
  };
  graph.check_memory(std::uint64_t{length} * length * sizeof(T), "attention_rollout");
  Array<T> identity = full<T>({length, length}, T(0));
  for (std::size_t i = 0; i < length; ++i) identity.data()[i * length + i] = T(1);
  const Tensor<T> residual = graph.leaf(graph.observe() ? name + "identity" : std::string(), std::move(identity));
  std::optional<Tensor<T>> rollout;
  for (std::size_t layer = 0; layer < weights.size(); ++layer) {
    if (weights[layer].shape() != shape) {
      refuse_shape("attention_rollout", "weights[" + std::to_string(layer) + "]", weights[layer].shape(),
                   to_string(shape) + ", the shape of weights[0]");
    }
    const Tensor<T> mean_of_heads =
        mean(weights[layer], {.axes = std::vector<int>{-3}, .keepdim = false}, step_name("mean_", layer));
    const Tensor<T> with_residual = add(mean_of_heads, residual, step_name("residual_", layer));
    const Tensor<T> sums =
        sum(with_residual, {.axes = std::vector<int>{-1}, .keepdim = true}, step_name("sums_", layer));
    const Tensor<T> normalised = divide(with_residual, sums, step_name("normalised_", layer));
    rollout = rollout ? matmul(normalised, *rollout, step_name("rollout_", layer)) : normalised;
  }
  return *rollout;
}

template Tensor<float> attention_rollout(const std::vector<Tensor<float>>&, const std::string&);
template Tensor<double> attention_rollout(const std::vector<Tensor<double>>&, const std::string&);

}  // namespace attn
