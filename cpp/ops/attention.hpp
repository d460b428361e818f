// Fused scaled dot-product attention, which never stores the L x S matrix of scores: "Attention Is All You Need",
// section 3.2.1.
#pragma once

#include <limits>
#include <optional>

#include "ops/causal.hpp"
#include "tensor/graph.hpp"

namespace attn {

template <typename T>
struct AttentionOptions {
  std::optional<Tensor<T>> bias = std::nullopt;  // broadcasts to (..., L, S); added to the scaled scores
  std::optional<Tensor<T>> keep = std::nullopt;  // broadcasts to (..., L, S); where 0, the score becomes fill
  double fill = -std::numeric_limits<double>::infinity();
  Causal causal = Causal::none;                 // gives hidden keys the score -infinity, whatever bias and keep contain
  std::optional<double> factor = std::nullopt;  // multiplies the scores; at most one of factor and divisor
  std::optional<double> divisor = std::nullopt;      // if both are absent, the scores are divided by sqrt(d_k)
  std::optional<double> temperature = std::nullopt;  // also divides the scaled scores
};

// softmax(query key^T / sqrt(d_k) + bias) value: equals matmul, scale, add, mask, softmax and matmul, up to rounding
//
//   query  (..., L, d_k)
//   key    (..., S, d_k)    leading axes of the three broadcast
//   value  (..., S, d_v)
//   ->     (..., L, d_v)
//
// A query whose keys are all hidden gets a zero output. An infinite value or NaN of a hidden key makes the output
// NaN, as in the separate steps: its weight is 0, and 0 times infinity is NaN. Throws InputError when the shapes
// disagree.
template <typename T>
Tensor<T> attention(const Tensor<T>& query, const Tensor<T>& key, const Tensor<T>& value,
                    const AttentionOptions<T>& options = {}, std::string name = {});

}  // namespace attn
