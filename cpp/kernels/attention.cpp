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
constexpr std::size_t kQueriesAtOnce = 24;
template <typename T>
constexpr std::size_t kKeysAtOnce = std::is_same_v<T, float> ? 256 : 512;

// Floats are accumulated in blocks of this many keys, and the block results are added: one long sum would lose
// digits.
template <typename T>
constexpr std::size_t kKeysSummed =
    std::is_same_v<T, float> ? 16 * kKeysAtOnce<T> : std::numeric_limits<std::size_t>::max();

template <typename T>
constexpr T kHidden = -std::numeric_limits<T>::infinity();

// The number of keys that the causal rule lets query i see.
template <typename T>
std::size_t visible_keys(const AttentionHead<T>& head, std::size_t query) {
  if (!head.diagonal) return head.keys;
  const std::ptrdiff_t visible = static_cast<std::ptrdiff_t>(query) + *head.diagonal + 1;
  return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(visible, 0, static_cast<std::ptrdiff_t>(head.keys)));
}

// How many of the `count` keys from `first` on the causal rule lets query i see.
template <typename T>
std::size_t keys_seen(const AttentionHead<T>& head, std::size_t query, std::size_t first, std::size_t count) {
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

// One past the last key whose value holds an infinity or NaN; 0 when there is none, or when the causal rule hides
// none of them from any query. A hidden key has weight 0, and 0 times such a number is NaN, so the result must be NaN
// even where the product is skipped.
template <typename T>
std::size_t keys_to_last_infinite(const AttentionHead<T>& head) {
  const std::size_t always_seen = visible_keys(head, 0);
  const std::size_t width = head.value_width;
  if (all_finite(head.value + always_seen * width, (head.keys - always_seen) * width)) return 0;
  std::size_t keys = head.keys;
  while (all_finite(head.value + (keys - 1) * width, width)) --keys;
  return keys;
}

// Turns the products of a query with `count` keys from `first` on into scores, and writes -infinity from there to
// `padded`. Returns the largest score; NaN is ignored.
template <typename T>
T score(const AttentionHead<T>& head, std::size_t query, std::size_t first, std::size_t count, std::size_t padded,
        T* row) {
  const std::size_t seen = keys_seen(head, query, first, count);
  std::size_t whole = 0;
  const auto scale_next = [&](Lanes<T>& top) {
    const Lanes<T> x = load(row + whole) * splat(head.factor);
    store(row + whole, x);
    top = x > top ? x : top;
    whole += kLanes<T>;
  };
  Lanes<T> tops[4];
  for (Lanes<T>& top : tops) top = splat(kHidden<T>);
  while (whole + 4 * kLanes<T> <= seen)
    for (Lanes<T>& top : tops) scale_next(top);
  while (whole + kLanes<T> <= seen) scale_next(tops[0]);
  Lanes<T> top = tops[0];
  for (const Lanes<T>& other : tops) top = other > top ? other : top;
  for (std::size_t j = whole; j < seen; ++j) row[j] *= head.factor;
  std::fill(row + seen, row + padded, kHidden<T>);
  if (!head.bias.data && !head.keep.data) {
    if (whole < seen) {
      const Lanes<T> x = load(row + whole);
      top = x > top ? x : top;
    }
    return largest_lane(top);
  }
  if (head.bias.data) {
    const T* bias = head.bias.data + query * head.bias.row + first * head.bias.column;
    for (std::size_t j = 0; j < seen; ++j) row[j] += bias[j * head.bias.column];
  }
  if (head.keep.data) {
    const T* keep = head.keep.data + query * head.keep.row + first * head.keep.column;
    for (std::size_t j = 0; j < seen; ++j) row[j] = keep[j * head.keep.column] == T(0) ? head.fill : row[j];
  }
  return kernels::largest(row, {padded, 1});
}

// row = exp(row - top), where `top` is the running maximum. Returns the sum of the row.
template <typename T>
double exponentials(T* row, std::size_t padded, T top) {
  const Lanes<T> shift = splat(top == kHidden<T> ? T(0) : top);
  return sum_of<T>(padded, [&](std::size_t j) {
    const Lanes<T> x = exp_of_score<T>(load(row + j) - shift);
    store(row + j, x);
    return x;
  });
}

// The largest squared norm of a row; NaN when a number is NaN.
template <typename T>
T largest_square(const T* x, std::size_t rows, std::size_t width) {
  T top = 0;
  for (std::size_t i = 0; i < rows; ++i, x += width) {
    Lanes<T> sums = splat(T(0));
    for (std::size_t j = 0; j < width; j += kLanes<T>) {
      const Lanes<T> some = load_partial(x + j, width - j);
      sums = multiply_add(some, some, sums);
    }
    const T square = total(sums);
    if (!(square <= top)) top = square;
    if (std::isnan(top)) break;
  }
  return top;
}

// Whether every score lies within kBound, so that its exponential neither overflows nor underflows without
// subtracting the maximum. False for small problems, where the check costs as much as it saves, and in double, where
// the result has the bits of softmax.
template <typename T>
bool scores_are_bounded(const AttentionHead<T>& head) {
  constexpr T kBound = 40;
  constexpr std::size_t kScoresWorthLooking = 4096;
  if (!std::is_same_v<T, float> || head.bias.data || head.keep.data) return false;
  if (head.queries * head.keys < kScoresWorthLooking) return false;
  const T query = largest_square(head.query, head.queries, head.key_width);
  const T key = largest_square(head.key, head.keys, head.key_width);
  return query * key * head.factor * head.factor <= kBound * kBound;  // Cauchy-Schwarz: |q . k| <= |q| |k|
}

// Replaces the bounded scores of a query against keys first, first + 1, ..., first + count - 1 by their exponentials,
// and writes 0 from there to `padded`. Returns the sum.
template <typename T>
double bounded_exponentials(const AttentionHead<T>& head, std::size_t query, std::size_t first, std::size_t count,
                            std::size_t padded, T* row) {
  const std::size_t seen = keys_seen(head, query, first, count);
  const std::size_t whole = seen / kLanes<T> * kLanes<T>;
  const auto next = [&](std::size_t j) { return exp_of_bounded<T>(load(row + j)); };
  double sum = sum_of<T>(whole, [&](std::size_t j) {
    const Lanes<T> x = next(j);
    store(row + j, x);
    return x;
  });
  if (whole < seen) {
    Lanes<T> x = next(whole);
    zero_after<T>(x, seen - whole);
    sum += total(x);
    store(row + whole, x);
  }
  std::fill(row + seen, row + padded, T(0));
  return sum;
}

template <typename T>
void scale_row(T* row, std::size_t padded, T factor) {
  for (std::size_t j = 0; j < padded; j += kLanes<T>) store(row + j, load(row + j) * splat(factor));
}

// to = from, or to += from when `add`.
template <typename T>
void add_to(T* to, const T* from, std::size_t count, bool add) {
  for (std::size_t j = 0; j < count; j += kLanes<T>)
    store(to + j, add ? load(to + j) + load(from + j) : load(from + j));
}

template <typename T>
std::size_t tile_queries(const AttentionHead<T>& head) {
  return std::min(kQueriesAtOnce, head.queries);
}

template <typename T>
std::size_t tile_keys(const AttentionHead<T>& head) {
  return packed_columns<T>(std::min(kKeysAtOnce<T>, head.keys));
}

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
  const std::size_t width = packed_columns<T>(head.value_width);
  const std::size_t row = tile_keys(head);
  T* scores = scratch;
  T* mixed = scores + tile_queries(head) * row;
  T* earlier = mixed + tile_queries(head) * width;  // the accumulators of the blocks of keys before this one
  T* packed_value = earlier + tile_queries(head) * width;
  pack<T>({head.value, head.value_width}, head.keys, head.value_width, packed_value);
  const Packed<T> value{packed_value, head.keys};
  T* packed_key = packed_value + head.keys * width;
  const Packed<T> key = pack_keys(head, packed_key);

  const bool bounded = scores_are_bounded(head);
  const std::size_t infinite = keys_to_last_infinite(head);
  // Scaling the packed keys makes the products the scores themselves.
  if (bounded) scale_row(packed_key, packed_columns<T>(head.keys) * head.key_width, head.factor);
  for (std::size_t start = 0; start < head.queries; start += kQueriesAtOnce) {
    const std::size_t count = std::min(kQueriesAtOnce, head.queries - start);
    const std::size_t visible = visible_keys(head, start + count - 1);
    T top[kQueriesAtOnce];
    double sum[kQueriesAtOnce] = {};
    std::fill_n(top, count, kHidden<T>);
    if (visible == 0) std::fill_n(mixed, count * width, T(0));
    for (std::size_t first = 0; first < visible; first += kKeysAtOnce<T>) {
      const std::size_t keys = std::min(kKeysAtOnce<T>, visible - first);
      const std::size_t padded = packed_columns<T>(keys);
      const bool starts = first % kKeysSummed<T> == 0;
      if (starts && first > 0) add_to(earlier, mixed, count * width, first > kKeysSummed<T>);
      matmul_packed<T>({head.query + start * head.key_width, head.key_width}, key.from(0, first), scores, row, count,
                       head.key_width, keys, false);
      for (std::size_t i = 0; i < count; ++i) {
        T* own = scores + i * row;
        if (bounded) {
          sum[i] += bounded_exponentials(head, start + i, first, keys, padded, own);
          continue;
        }
        const T before = top[i];
        top[i] = std::max(before, score(head, start + i, first, keys, padded, own));
        if (first > 0 && top[i] > before) {
          const T factor = exp_of_score<T>(splat(before - top[i]))[0];
          sum[i] *= factor;
          if (!starts) scale_row(mixed + i * width, width, factor);
          if (first >= kKeysSummed<T>) scale_row(earlier + i * width, width, factor);
        }
        sum[i] += exponentials(own, padded, top[i]);
      }
      matmul_packed<T>({scores, row}, value.from(first, 0), mixed, width, count, keys, head.value_width, !starts);
    }
    if (visible > kKeysSummed<T>) add_to(mixed, earlier, count * width, true);
    for (std::size_t i = 0; i < count; ++i) {
      T* out = output + (start + i) * head.value_width;
      const T whole = sum[i] == 0 ? T(1) : static_cast<T>(sum[i]);
      for (std::size_t j = 0; j < head.value_width; ++j) out[j] = mixed[i * width + j] / whole;
      for (std::size_t hidden = visible; hidden < infinite; ++hidden)
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
  const std::size_t row = packed_columns<T>(head.keys);
  T* weights = scratch;
  T* slopes = weights + row * tile_queries(head);
  T* packed_value = slopes + row * tile_queries(head);
  pack(Strided<T>{head.value, head.value_width}.transposed(), head.value_width, head.keys, packed_value);
  const Packed<T> value{packed_value, head.value_width};
  const Packed<T> key = pack_keys(head, packed_value + row * head.value_width);
  const std::size_t infinite = keys_to_last_infinite(head);

  for (std::size_t start = 0; start < head.queries; start += kQueriesAtOnce) {
    const std::size_t count = std::min(kQueriesAtOnce, head.queries - start);
    const std::size_t keys = visible_keys(head, start + count - 1);
    const std::size_t padded = packed_columns<T>(keys);
    if (keys == 0) continue;
    const Strided<T> query{head.query + start * head.key_width, head.key_width};
    const Strided<T> upstream{output_gradient + start * head.value_width, head.value_width};
    matmul_packed<T>(query, key, weights, row, count, head.key_width, keys, false);
    for (std::size_t i = 0; i < count; ++i) {
      T* own = weights + i * row;
      const T sum = static_cast<T>(exponentials(own, padded, score(head, start + i, 0, keys, padded, own)));
      if (sum != T(0)) scale_row(own, padded, T(1) / sum);
    }

    // output = weights value: the gradient of value, and dP = upstream value^T
    if (gradients.value)
      matmul_add<T>({weights, 1, row}, upstream, gradients.value, head.value_width, keys, count, head.value_width);
    matmul_packed<T>(upstream, value, slopes, row, count, head.value_width, keys, false);

    // weights = softmax(where(keep, factor scores + bias, fill)): dS = P * (dP - rowsum(P * dP))
    for (std::size_t i = 0; i < count; ++i) {
      T* own = slopes + i * row;
      const T* weight = weights + i * row;
      const double along = sum_of<T>(padded, [&](std::size_t j) { return load(weight + j) * load(own + j); });
      const Lanes<T> sum = splat(keys < infinite ? std::numeric_limits<T>::quiet_NaN() : static_cast<T>(along));
      for (std::size_t j = 0; j < padded; j += kLanes<T>) store(own + j, load(weight + j) * (load(own + j) - sum));
      std::fill(own + keys_seen(head, start + i, 0, keys), own + padded,
                T(0));  // hidden keys have no gradient, even where the sum is NaN
      if (head.keep.data) {
        const T* keep = head.keep.data + (start + i) * head.keep.row;
        for (std::size_t j = 0; j < keys; ++j)
          if (keep[j * head.keep.column] == T(0)) own[j] = 0;
      }
      if (gradients.bias.data) {
        T* bias = gradients.bias.data + (start + i) * gradients.bias.row;
        for (std::size_t j = 0; j < keys; ++j) bias[j * gradients.bias.column] += own[j];
      }
      scale_row(own, padded, head.factor);
    }

    // scores = query key^T: the gradients of query and key
    if (gradients.query)
      matmul_add<T>({slopes, row}, {head.key, head.key_width}, gradients.query + start * head.key_width, head.key_width,
                    count, keys, head.key_width);
    if (gradients.key)
      matmul_add<T>({slopes, 1, row}, query, gradients.key, head.key_width, keys, count, head.key_width);
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
