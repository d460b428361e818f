// A table of token vectors, read by the name of its parameter: "Attention Is All You Need", section 3.4.
#include "nn/embedding.hpp"

#include <cmath>
#include <numeric>
#include <utility>

namespace attn {

ParameterSpecs embedding_parameters(std::size_t num_embeddings, std::size_t embedding_dim) {
  const Initial initial{.kind = Initial::Kind::normal, .divisor = std::sqrt(static_cast<double>(embedding_dim))};
  return {{"weight", {num_embeddings, embedding_dim}, initial}};
}

template <typename T>
Tensor<T> embedding(const Tensor<T>& ids, const StateDict<T>& parameters, bool scale_by_sqrt_dim, std::string name) {
  return embedding(ids, parameters.at("weight"), scale_by_sqrt_dim, std::move(name));
}

template <typename T>
Tensor<T> position_ids(Graph<T>& graph, std::size_t start, std::size_t length, std::string_view operation,
                       std::string name) {
  graph.check_memory(length * sizeof(T), operation);
  Array<T> positions = full<T>({length}, T(0));
  std::iota(positions.begin(), positions.end(), static_cast<T>(start));
  return graph.leaf(std::move(name), std::move(positions), {{"kind", "literal"}}, {.kind = Content::Kind::ids});
}

template Tensor<float> embedding(const Tensor<float>&, const StateDict<float>&, bool, std::string);
template Tensor<double> embedding(const Tensor<double>&, const StateDict<double>&, bool, std::string);
template Tensor<float> position_ids(Graph<float>&, std::size_t, std::size_t, std::string_view, std::string);
template Tensor<double> position_ids(Graph<double>&, std::size_t, std::size_t, std::string_view, std::string);

}  // namespace attn
