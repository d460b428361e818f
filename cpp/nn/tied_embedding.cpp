// Logits from the embedding table (weight tying): "Attention Is All You Need", section 3.4.
#include "nn/tied_embedding.hpp"

#include "ops/linear.hpp"

namespace attn {

template <typename T>
Tensor<T> tied_logits(const Tensor<T>& hidden, const Tensor<T>& table, std::string name) {
  if (table.shape().size() != 2 || hidden.shape().empty() || hidden.shape().back() != table.shape()[1]) {
    refuse_shape("tied_logits", "hidden", hidden.shape(), "the width of table " + to_string(table.shape()));
  }
  return linear(hidden, table, {}, std::move(name));
}

template Tensor<float> tied_logits(const Tensor<float>&, const Tensor<float>&, std::string);
template Tensor<double> tied_logits(const Tensor<double>&, const Tensor<double>&, std::string);

}  // namespace attn
