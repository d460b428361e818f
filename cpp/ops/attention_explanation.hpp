// The arithmetic of one cell of the fused attention: its query's weights, and the column of values they mix.
#pragma once

#include <optional>

#include "ops/causal.hpp"
#include "tensor/gradient_explanation.hpp"

namespace attn {

// Places of the inputs: query, key and value, then bias and keep where there are any.
inline constexpr int kQuery = 0, kKey = 1, kValue = 2, kBias = 3;

// What one attention is made of, numbers apart.
struct AttentionSettings {
  bool has_bias = false;
  bool has_keep = false;
  double fill = 0;
  double scale = 1;
  bool divide = false;
  std::optional<double> temperature;
  Causal causal = Causal::none;
};

// "weights": the row; "value": the column; "products" -> result.
Explanation explain_attention(const AttentionSettings& settings, CellViews inputs, const CellView& output,
                              const Index& index);

// What cell `index` of an input moves: d(output[i, c]) = sum over j of weights[i, j] (value[j, c] - output[i, c]) d(score[i, j])
// + weights[i, j] d(value[j, c])
void differentiate_attention(const AttentionSettings& settings, CellViews inputs, const CellView& output,
                             std::size_t input, const Index& index, Contributions& contributions);

}  // namespace attn
