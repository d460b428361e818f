// The causal rule: which keys a query may see because of their positions.
#pragma once

#include <cstddef>

namespace attn {

// With L queries and S keys:
//   top_left      query i attends to keys j <= i
//   bottom_right  query i attends to keys j <= i + S - L (decoding with a cache of keys)
// The two rules agree when L = S.
enum class Causal { none, top_left, bottom_right };

// Query i attends to keys j <= i + the diagonal, which is negative when there are fewer keys than queries.
inline std::ptrdiff_t diagonal_of(Causal causal, std::size_t queries, std::size_t keys) {
  if (causal != Causal::bottom_right) return 0;
  return static_cast<std::ptrdiff_t>(keys) - static_cast<std::ptrdiff_t>(queries);
}

// The name of the rule in attributes and programs.
inline const char* name_of(Causal causal) { return causal == Causal::bottom_right ? "bottom_right" : "top_left"; }

}  // namespace attn
