// Mean over axes.
#pragma once

#include "ops/reduction.hpp"

namespace attn {

// output = the sum over the axes, as sum() has it, divided by the number of cells it adds (NaN when there are none). An axis
// counts from the end when negative.
// Throws InputError when x has no such axis, or one is given twice.
template <typename T>
Tensor<T> mean(const Tensor<T>& x, const ReductionOptions& options = {}, std::string name = {});

}  // namespace attn
