// Scaled dot-product attention of one head, computed tile by tile with the running maximum and row sum of "Online
// normalizer calculation for softmax" (Milakov, Gimelshein 2018). The backward pass recomputes the weights, as in
// "FlashAttention" (Dao 2022).
#include "kernels/attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "kernels/exp.hpp"
#include "kernels/lanes.hpp"
#include "kernels/matmul.hpp"
#include "kernels/softmax.hpp"
#include "kernels/sum.hpp"

namespace attn::kernels {
namespace {

// FlashAttention's tile sizes Br (queries) and Bc (keys). A tile of scores and a panel of values fit in 32 KB, the L1
// cache of most processors; Br is a multiple of the micro-kernel's rows in both builds. Measured in Chromium on an
// AMD EPYC: 24 x 256 and 12 x 256 are 3 to 8 % faster than 18 x 512. In double, Bc determines the last digits of the
// results, so it must not change.
constexpr std::size_t kTileQueries = 24;
template <typename T>
constexpr std::size_t kTileKeys = std::is_same_v<T, float> ? 256 : 512;

// Floats are accumulated in blocks of this many keys, and the sums of the blocks are added: a single long sum would
// lose digits.
template <typename T>
constexpr std::size_t kBlockKeys =
    std::is_same_v<T, float> ? 16 * kTileKeys<T> : std::numeric_limits<std::size_t>::max();

template <typename T>
constexpr T kHiddenScore = -std::numeric_limits<T>::infinity();

// The number of keys that the causal mask leaves visible to a query.
template <typename T>
std::size_t visible_keys(const AttentionHead<T>& head, std::size_t query) {
  if (!head.diagonal) return head.keys;
  const std::ptrdiff_t visible = static_cast<std::ptrdiff_t>(query) + *head.diagonal + 1;
  return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(visible, 0, static_cast<std::ptrdiff_t>(head.keys)));
}

// The number of keys visible to a query among the `count` keys that start at key `first`.
template <typename T>
std::size_t visible_keys_in_range(const AttentionHead<T>& head, std::size_t query, std::size_t first,
                                  std::size_t count) {
  const std::size_t visible = visible_keys(head, query);
  return visible > first ? std::min(count, visible - first) : 0;
}

// Whether every number is finite.
template <typename T>
bool all_finite(const T* x, std::size_t count) {
  Lanes<T> zeros = splat(T(0));
  for (std::size_t i = 0; i < count; i += kLanes<T>) zeros += load_partial(x + i, count - i) * splat(T(0));
  return total(zeros) == T(0);  // NaN when a number is not finite
}

// One past the last key whose value contains an infinity or NaN; 0 if there is no such key, or if the causal mask
// hides none of them from any query. A hidden key has weight 0, and 0 times an infinity or NaN is NaN: the output must
// be NaN even where that product is skipped.
template <typename T>
std::size_t end_of_non_finite_values(const AttentionHead<T>& head) {
  const std::size_t visible_to_all = visible_keys(head, 0);
  const std::size_t width = head.value_width;
  if (all_finite(head.value + visible_to_all * width, (head.keys - visible_to_all) * width)) return 0;
  std::size_t keys = head.keys;
  while (all_finite(head.value + (keys - 1) * width, width)) --keys;
  return keys;
}

// Turns a row of products of a query with the `count` keys that start at key `first` into scores: scaled, biased and
// masked. Hidden keys and the padding up to `padded` become -infinity. Returns the largest score; NaN is ignored.
template <typename T>
T scale_and_mask(const AttentionHead<T>& head, std::size_t query, std::size_t first, std::size_t count,
                 std::size_t padded, T* row) {
  const std::size_t visible = visible_keys_in_range(head, query, first, count);
  std::size_t scaled = 0;
  const auto scale_next = [&](Lanes<T>& max) {
    const Lanes<T> x = load(row + scaled) * splat(head.factor);
    store(row + scaled, x);
    max = x > max ? x : max;
    scaled += kLanes<T>;
  };
  Lanes<T> maxima[4];
  for (Lanes<T>& max : maxima) max = splat(kHiddenScore<T>);
  while (scaled + 4 * kLanes<T> <= visible)
    for (Lanes<T>& max : maxima) scale_next(max);
  while (scaled + kLanes<T> <= visible) scale_next(maxima[0]);
  Lanes<T> max = maxima[0];
  for (const Lanes<T>& other : maxima) max = other > max ? other : max;
  for (std::size_t j = scaled; j < visible; ++j) row[j] *= head.factor;
  std::fill(row + visible, row + padded, kHiddenScore<T>);
  if (!head.bias.data && !head.keep.data) {
    if (scaled < visible) {
      const Lanes<T> x = load(row + scaled);
      max = x > max ? x : max;
    }
    return largest_lane(max);
  }
  if (head.bias.data) {
    const T* bias = head.bias.data + query * head.bias.row_stride + first * head.bias.column_stride;
    for (std::size_t j = 0; j < visible; ++j) row[j] += bias[j * head.bias.column_stride];
  }
  if (head.keep.data) {
    const T* keep = head.keep.data + query * head.keep.row_stride + first * head.keep.column_stride;
    for (std::size_t j = 0; j < visible; ++j) row[j] = keep[j * head.keep.column_stride] == T(0) ? head.fill : row[j];
  }
  return kernels::largest(row, {padded, 1});
}

// row = exp(row - running_max). Returns the sum of the row.
template <typename T>
double exponentials(T* row, std::size_t padded, T running_max) {
  const Lanes<T> shift = splat(running_max == kHiddenScore<T> ? T(0) : running_max);
  return sum_of<T>(padded, [&](std::size_t j) {
    const Lanes<T> x = exp_of_score<T>(load(row + j) - shift);
    store(row + j, x);
    return x;
  });
}

// The largest squared norm of the rows of x (rows, width); NaN if x contains a NaN.
template <typename T>
T largest_squared_norm(const T* x, std::size_t rows, std::size_t width) {
  T max = 0;
  for (std::size_t i = 0; i < rows; ++i, x += width) {
    Lanes<T> sums = splat(T(0));
    for (std::size_t j = 0; j < width; j += kLanes<T>) {
      const Lanes<T> lanes = load_partial(x + j, width - j);
      sums = multiply_add(lanes, lanes, sums);
    }
    const T square = total(sums);
    if (!(square <= max)) max = square;
    if (std::isnan(max)) break;
  }
  return max;
}

// Whether the absolute value of every score is at most kBound, so that its exponential neither overflows nor
// underflows and the maximum need not be subtracted. False for small problems, where the check costs as much as it
// saves, and in double, where the output must have the same bits as the softmax kernel's.
template <typename T>
bool scores_are_bounded(const AttentionHead<T>& head) {
  constexpr T kBound = 40;
  constexpr std::size_t kMinScoresToCheck = 4096;
  if (!std::is_same_v<T, float> || head.bias.data || head.keep.data) return false;
  if (head.queries * head.keys < kMinScoresToCheck) return false;
  const T query_square = largest_squared_norm(head.query, head.queries, head.key_width);
  const T key_square = largest_squared_norm(head.key, head.keys, head.key_width);
  // Cauchy-Schwarz: |q . k| <= |q| |k|
  return query_square * key_square * head.factor * head.factor <= kBound * kBound;
}

// Replaces a row of bounded scores of a query, for the `count` keys that start at key `first`, by their exponentials.
// Hidden keys and the padding up to `padded` become 0. Returns the sum of the row.
template <typename T>
double bounded_exponentials(const AttentionHead<T>& head, std::size_t query, std::size_t first, std::size_t count,
                            std::size_t padded, T* row) {
  const std::size_t visible = visible_keys_in_range(head, query, first, count);
  const std::size_t vector_end = visible / kLanes<T> * kLanes<T>;
  const auto exponential_at = [&](std::size_t j) { return exp_of_bounded<T>(load(row + j)); };
  double sum = sum_of<T>(vector_end, [&](std::size_t j) {
    const Lanes<T> x = exponential_at(j);
    store(row + j, x);
    return x;
  });
  if (vector_end < visible) {
    Lanes<T> x = exponential_at(vector_end);
    zero_after<T>(x, visible - vector_end);
    sum += total(x);
    store(row + vector_end, x);
  }
  std::fill(row + visible, row + padded, T(0));
  return sum;
}

template <typename T>
void scale_row(T* row, std::size_t padded, T factor) {
  for (std::size_t j = 0; j < padded; j += kLanes<T>) store(row + j, load(row + j) * splat(factor));
}

// to = from, or to += from if `add`.
template <typename T>
void copy_or_add(T* to, const T* from, std::size_t count, bool add) {
  for (std::size_t j = 0; j < count; j += kLanes<T>)
    store(to + j, add ? load(to + j) + load(from + j) : load(from + j));
}

// The number of rows of a tile of scores.
template <typename T>
std::size_t tile_queries(const AttentionHead<T>& head) {
  return std::min(kTileQueries, head.queries);
}

// The number of columns of a tile of scores, padded to whole panels of packed keys.
template <typename T>
std::size_t tile_keys(const AttentionHead<T>& head) {
  return packed_columns<T>(std::min(kTileKeys<T>, head.keys));
}

// Packs key^T (d_k, S) into `memory`.
template <typename T>
Packed<T> pack_keys(const AttentionHead<T>& head, T* memory) {
  pack(Strided<T>{head.key, head.key_width}.transposed(), head.key_width, head.keys, memory);
  return {memory, head.key_width};
}

}  // namespace

template <typename T>
std::uint64_t attention_scratch(const AttentionHead<T>& head) {
  const auto width = packed_columns<T, std::uint64_t>(head.value_width);
  return packed_columns<T, std::uint64_t>(head.keys) * head.key_width + head.keys * width +
         tile_queries(head) * (tile_keys(head) + 2 * width);
}

template <typename T>
void attention(const AttentionHead<T>& head, T* output, T* scratch) {
  const std::size_t padded_width = packed_columns<T>(head.value_width);
  const std::size_t score_stride = tile_keys(head);
  T* scores = scratch;
  T* accumulator = scores + tile_queries(head) * score_stride;
  // The sum of the accumulators of all blocks of kBlockKeys keys before the current block.
  T* previous_accumulator = accumulator + tile_queries(head) * padded_width;
  T* packed_value = previous_accumulator + tile_queries(head) * padded_width;
  pack<T>({head.value, head.value_width}, head.keys, head.value_width, packed_value);
  const Packed<T> value{packed_value, head.keys};
  T* packed_key = packed_value + head.keys * padded_width;
  const Packed<T> key = pack_keys(head, packed_key);

  const bool bounded = scores_are_bounded(head);
  const std::size_t non_finite_end = end_of_non_finite_values(head);
  // The keys are scaled once, so that their products with the queries are the scores.
  if (bounded) scale_row(packed_key, packed_columns<T>(head.keys) * head.key_width, head.factor);
  for (std::size_t first_query = 0; first_query < head.queries; first_query += kTileQueries) {
    const std::size_t queries = std::min(kTileQueries, head.queries - first_query);
    const std::size_t visible = visible_keys(head, first_query + queries - 1);
    T running_max[kTileQueries];
    double row_sum[kTileQueries] = {};
    std::fill_n(running_max, queries, kHiddenScore<T>);
    if (visible == 0) std::fill_n(accumulator, queries * padded_width, T(0));
    for (std::size_t first_key = 0; first_key < visible; first_key += kTileKeys<T>) {
      const std::size_t keys = std::min(kTileKeys<T>, visible - first_key);
      const std::size_t padded = packed_columns<T>(keys);
      const bool starts_block = first_key % kBlockKeys<T> == 0;
      if (starts_block && first_key > 0)
        copy_or_add(previous_accumulator, accumulator, queries * padded_width, first_key > kBlockKeys<T>);
      matmul_packed<T>({head.query + first_query * head.key_width, head.key_width}, key.from(0, first_key), scores,
                       score_stride, queries, head.key_width, keys, false);
      for (std::size_t i = 0; i < queries; ++i) {
        T* score_row = scores + i * score_stride;
        if (bounded) {
          row_sum[i] += bounded_exponentials(head, first_query + i, first_key, keys, padded, score_row);
          continue;
        }
        const T previous_max = running_max[i];
        running_max[i] =
            std::max(previous_max, scale_and_mask(head, first_query + i, first_key, keys, padded, score_row));
        if (first_key > 0 && running_max[i] > previous_max) {
          const T factor = exp_of_score<T>(splat(previous_max - running_max[i]))[0];
          row_sum[i] *= factor;
          if (!starts_block) scale_row(accumulator + i * padded_width, padded_width, factor);
          if (first_key >= kBlockKeys<T>) scale_row(previous_accumulator + i * padded_width, padded_width, factor);
        }
        row_sum[i] += exponentials(score_row, padded, running_max[i]);
      }
      matmul_packed<T>({scores, score_stride}, value.from(first_key, 0), accumulator, padded_width, queries, keys,
                       head.value_width, !starts_block);
    }
    if (visible > kBlockKeys<T>) copy_or_add(accumulator, previous_accumulator, queries * padded_width, true);
    for (std::size_t i = 0; i < queries; ++i) {
      T* out = output + (first_query + i) * head.value_width;
      const T divisor = row_sum[i] == 0 ? T(1) : static_cast<T>(row_sum[i]);
      for (std::size_t j = 0; j < head.value_width; ++j) out[j] = accumulator[i * padded_width + j] / divisor;
      for (std::size_t hidden = visible; hidden < non_finite_end; ++hidden)
        for (std::size_t j = 0; j < head.value_width; ++j) out[j] += T(0) * head.value[hidden * head.value_width + j];
    }
  }
}

template <typename T>
std::uint64_t attention_backward_scratch(const AttentionHead<T>& head) {
  const auto keys = packed_columns<T, std::uint64_t>(head.keys);
  return keys * (std::uint64_t{head.key_width} + head.value_width + 2 * tile_queries(head));
}

template <typename T>
void attention_backward(const AttentionHead<T>& head, const T* output_gradient, const AttentionGradients<T>& gradients,
                        T* scratch) {
  const std::size_t score_stride = packed_columns<T>(head.keys);
  T* weights = scratch;
  T* score_gradient = weights + score_stride * tile_queries(head);
  T* packed_value = score_gradient + score_stride * tile_queries(head);
  pack(Strided<T>{head.value, head.value_width}.transposed(), head.value_width, head.keys, packed_value);
  const Packed<T> value{packed_value, head.value_width};
  const Packed<T> key = pack_keys(head, packed_value + score_stride * head.value_width);
  const std::size_t non_finite_end = end_of_non_finite_values(head);

  for (std::size_t first_query = 0; first_query < head.queries; first_query += kTileQueries) {
    const std::size_t queries = std::min(kTileQueries, head.queries - first_query);
    const std::size_t keys = visible_keys(head, first_query + queries - 1);
    const std::size_t padded = packed_columns<T>(keys);
    if (keys == 0) continue;
    const Strided<T> query{head.query + first_query * head.key_width, head.key_width};
    const Strided<T> upstream{output_gradient + first_query * head.value_width, head.value_width};
    matmul_packed<T>(query, key, weights, score_stride, queries, head.key_width, keys, false);
    for (std::size_t i = 0; i < queries; ++i) {
      T* weight_row = weights + i * score_stride;
      const T row_sum = static_cast<T>(
          exponentials(weight_row, padded, scale_and_mask(head, first_query + i, 0, keys, padded, weight_row)));
      if (row_sum != T(0)) scale_row(weight_row, padded, T(1) / row_sum);
    }

    // From output = P value, where P are the weights: dvalue = P^T upstream and dP = upstream value^T.
    if (gradients.value)
      matmul_add<T>({weights, 1, score_stride}, upstream, gradients.value, head.value_width, keys, queries,
                    head.value_width);
    matmul_packed<T>(upstream, value, score_gradient, score_stride, queries, head.value_width, keys, false);

    // From P = softmax(S), S = where(keep, factor query key^T + bias, fill): dS = P * (dP - delta) with
    // delta = rowsum(P * dP).
    for (std::size_t i = 0; i < queries; ++i) {
      T* gradient_row = score_gradient + i * score_stride;
      const T* weight_row = weights + i * score_stride;
      const double row_sum =
          sum_of<T>(padded, [&](std::size_t j) { return load(weight_row + j) * load(gradient_row + j); });
      const Lanes<T> delta =
          splat(keys < non_finite_end ? std::numeric_limits<T>::quiet_NaN() : static_cast<T>(row_sum));
      for (std::size_t j = 0; j < padded; j += kLanes<T>)
        store(gradient_row + j, load(weight_row + j) * (load(gradient_row + j) - delta));
      // The gradient of a hidden key's score is 0, even where delta is NaN.
      std::fill(gradient_row + visible_keys_in_range(head, first_query + i, 0, keys), gradient_row + padded, T(0));
      if (head.keep.data) {
        const T* keep = head.keep.data + (first_query + i) * head.keep.row_stride;
        for (std::size_t j = 0; j < keys; ++j)
          if (keep[j * head.keep.column_stride] == T(0)) gradient_row[j] = 0;
      }
      if (gradients.bias.data) {
        T* bias = gradients.bias.data + (first_query + i) * gradients.bias.row_stride;
        for (std::size_t j = 0; j < keys; ++j) bias[j * gradients.bias.column_stride] += gradient_row[j];
      }
      scale_row(gradient_row, padded, head.factor);
    }

    // From S = factor query key^T: dquery = factor dS key and dkey = factor dS^T query.
    if (gradients.query)
      matmul_add<T>({score_gradient, score_stride}, {head.key, head.key_width},
                    gradients.query + first_query * head.key_width, head.key_width, queries, keys, head.key_width);
    if (gradients.key)
      matmul_add<T>({score_gradient, 1, score_stride}, query, gradients.key, head.key_width, keys, queries,
                    head.key_width);
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
