// Scaled dot-product attention of one head of one sample, computed tile by tile; the full matrix of weights is never
// stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace attn::kernels {

// An L x S matrix whose cell [i, j] is data[i row_stride + j column_stride]; a stride of 0 broadcasts the axis. Null
// data means that there is no matrix.
template <typename T>
struct ScoreMatrix {
  T* data = nullptr;
  std::size_t row_stride = 0;
  std::size_t column_stride = 0;
};

template <typename T>
struct AttentionHead {
  std::size_t queries = 0;      // L
  std::size_t keys = 0;         // S
  std::size_t key_width = 0;    // d_k
  std::size_t value_width = 0;  // d_v
  const T* query = nullptr;     // (L, d_k)
  const T* key = nullptr;       // (S, d_k)
  const T* value = nullptr;     // (S, d_v)
  ScoreMatrix<const T> bias;    // added to the scaled scores
  ScoreMatrix<const T> keep;    // where this is 0, the score is replaced by fill
  T fill = 0;
  T factor = 1;                                 // multiplies the scores
  std::optional<std::ptrdiff_t> diagonal = {};  // causal mask: if set, query i attends only to keys j <= i + diagonal
};

// The arrays to which the gradients are added, with the shapes of their inputs; null for a gradient that is not needed.
// The gradient of bias has its own strides.
template <typename T>
struct AttentionGradients {
  T* query = nullptr;
  T* key = nullptr;
  T* value = nullptr;
  ScoreMatrix<T> bias;
};

// The size of the scratch memory of attention() and attention_backward(), in numbers of type T.
template <typename T>
std::uint64_t attention_scratch(const AttentionHead<T>& head);
template <typename T>
std::uint64_t attention_backward_scratch(const AttentionHead<T>& head);

// output (L, d_v) = softmax(scores) value. The weights of a query whose scores are all -infinity are 0.
template <typename T>
void attention(const AttentionHead<T>& head, T* output, T* scratch);

// Adds d(loss)/d(query, key, value, bias) given output_gradient (L, d_v). The weights are recomputed.
template <typename T>
void attention_backward(const AttentionHead<T>& head, const T* output_gradient, const AttentionGradients<T>& gradients,
                        T* scratch);

}  // namespace attn::kernels
