// Scaled dot-product attention of one head of one sample, a few queries at a time.
#include "kernels/attention.hpp"

#include <algorithm>

#include "kernels/matmul.hpp"
#include "kernels/softmax.hpp"

namespace attn::kernels {
namespace {

constexpr std::size_t kQueriesAtOnce = 8;  // the keys are read once for all of them

// weights (count, S) of queries first, first + 1, ...
template <typename T>
void weights_of(const AttentionHead<T>& head, std::size_t first, std::size_t count, T* weights) {
  const std::size_t keys = head.keys;
  std::fill_n(weights, count * keys, T(0));
  matmul_add<T>({head.query + first * head.key_width, head.key_width},
                Strided<T>{head.key, head.key_width}.transposed(), weights, keys, count, head.key_width, keys);
  for (std::size_t i = 0; i < count; ++i) {
    T* row = weights + i * keys;
    for (std::size_t j = 0; j < keys; ++j) {
      T score = head.divide ? row[j] / head.scale : row[j] * head.scale;
      if (head.temperature != T(1)) score /= head.temperature;
      if (head.bias.data) score += head.bias.data[(first + i) * head.bias.row + j * head.bias.column];
      if (head.keep.data && head.keep.data[(first + i) * head.keep.row + j * head.keep.column] == T(0))
        score = head.fill;
      row[j] = score;
    }
    softmax(row, row, {keys, 1}, true);
  }
}

}  // namespace

template <typename T>
std::uint64_t attention_scratch(const AttentionHead<T>& head) {
  return std::uint64_t(head.keys) * std::min(kQueriesAtOnce, head.queries);
}

template <typename T>
std::uint64_t attention_backward_scratch(const AttentionHead<T>& head) {
  return std::uint64_t(head.keys) * 3 * std::min(kQueriesAtOnce, head.queries);
}

template <typename T>
void attention(const AttentionHead<T>& head, T* output, T* scratch) {
  T* weights = scratch;
  std::fill_n(output, head.queries * head.value_width, T(0));
  for (std::size_t first = 0; first < head.queries; first += kQueriesAtOnce) {
    const std::size_t count = std::min(kQueriesAtOnce, head.queries - first);
    weights_of(head, first, count, weights);
    matmul_add<T>({weights, head.keys}, {head.value, head.value_width}, output + first * head.value_width,
                  head.value_width, count, head.keys, head.value_width);
  }
}

template <typename T>
void attention_backward(const AttentionHead<T>& head, const T* output_gradient, const AttentionGradients<T>& gradients,
                        T* scratch) {
  const std::size_t keys = head.keys;
  const std::size_t at_once = std::min(kQueriesAtOnce, head.queries);
  T* weights = scratch;
  T* weights_gradient = weights + keys * at_once;
  T* scores_gradient = weights_gradient + keys * at_once;
  for (std::size_t first = 0; first < head.queries; first += kQueriesAtOnce) {
    const std::size_t count = std::min(kQueriesAtOnce, head.queries - first);
    const Strided<T> upstream{output_gradient + first * head.value_width, head.value_width};
    weights_of(head, first, count, weights);

    // output = weights value
    if (gradients.value)
      matmul_add<T>({weights, 1, keys}, upstream, gradients.value, head.value_width, keys, count, head.value_width);
    std::fill_n(weights_gradient, count * keys, T(0));
    matmul_add(upstream, Strided<T>{head.value, head.value_width}.transposed(), weights_gradient, keys, count,
               head.value_width, keys);

    // weights = softmax(where(keep, scores / scale / temperature + bias, fill))
    std::fill_n(scores_gradient, count * keys, T(0));
    for (std::size_t i = 0; i < count; ++i) {
      softmax_backward(weights + i * keys, weights_gradient + i * keys, scores_gradient + i * keys, {keys, 1});
      for (std::size_t j = 0; j < keys; ++j) {
        T& gradient = scores_gradient[i * keys + j];
        if (head.keep.data && head.keep.data[(first + i) * head.keep.row + j * head.keep.column] == T(0)) gradient = 0;
        if (gradients.bias.data)
          gradients.bias.data[(first + i) * gradients.bias.row + j * gradients.bias.column] += gradient;
        if (head.temperature != T(1)) gradient /= head.temperature;
        gradient = head.divide ? gradient / head.scale : gradient * head.scale;
      }
    }

    // scores = query key^T
    if (gradients.query)
      matmul_add<T>({scores_gradient, keys}, {head.key, head.key_width}, gradients.query + first * head.key_width,
                    head.key_width, count, keys, head.key_width);
    if (gradients.key)
      matmul_add<T>({scores_gradient, 1, keys}, {head.query + first * head.key_width, head.key_width}, gradients.key,
                    head.key_width, keys, count, head.key_width);
  }
}

template std::uint64_t attention_scratch<float>(const AttentionHead<float>&);
template std::uint64_t attention_scratch<double>(const AttentionHead<double>&);
template std::uint64_t attention_backward_scratch<float>(const AttentionHead<float>&);
template std::uint64_t attention_backward_scratch<double>(const AttentionHead<double>&);
template void attention<float>(const AttentionHead<float>&, float*, float*);
template void attention<double>(const AttentionHead<double>&, double*, double*);
template void attention_backward<float>(const AttentionHead<float>&, const float*, const AttentionGradients<float>&,
                                        float*);
template void attention_backward<double>(const AttentionHead<double>&, const double*, const AttentionGradients<double>&,
                                         double*);

}  // namespace attn::kernels
