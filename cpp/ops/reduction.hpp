// What sum and mean share: every cell of the output is made of the cells of x that differ from it in some axes only.
#pragma once

#include <optional>
#include <vector>

#include "tensor/graph.hpp"

namespace attn {

struct ReductionOptions {
  std::optional<std::vector<int>> axes = std::nullopt;  // absent: all
  bool keepdim = false;                                 // reduced axes stay, with size 1
};

}  // namespace attn
