// The arithmetic of one cell of the fused attention: the weights of its query, and the column of values that they
// average.
#pragma once

#include <optional>

#include "ops/causal.hpp"
#include "tensor/gradient_explanation.hpp"

namespace attn {

// Positions of the inputs: query, key and value, then bias and keep if present.
inline constexpr int kQuery = 0, kKey = 1, kValue = 2, kBias = 3;

// The settings of one attention, without its numbers.
struct AttentionSettings {
  bool has_bias = false;
  bool has_keep = false;
  double fill = 0;
  double scale = 1;
  bool divide = false;
  std::optional<double> temperature;
  Causal causal = Causal::none;
};

// The rows are "weights", the row of the query; "value", the column; and "products" -> result.
Explanation explain_attention(const AttentionSettings& settings, CellViews inputs, const CellView& output,
                              const Index& index);

// The derivative with respect to cell `index` of an input:
// d(output[i, c]) = sum over j of
//   weights[i, j] (value[j, c] - output[i, c]) d(score[i, j]) + weights[i, j] d(value[j, c])
void differentiate_attention(const AttentionSettings& settings, CellViews inputs, const CellView& output,
                             std::size_t input, const Index& index, Contributions& contributions);

}  // namespace attn
