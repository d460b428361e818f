// A table of token vectors, read by the name of its parameter: "Attention Is All You Need", section 3.4.
#include "nn/embedding.hpp"

#include <cmath>
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

template Tensor<float> embedding(const Tensor<float>&, const StateDict<float>&, bool, std::string);
template Tensor<double> embedding(const Tensor<double>&, const StateDict<double>&, bool, std::string);

}  // namespace attn
