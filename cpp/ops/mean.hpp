// Mean over axes.
#pragma once

#include "ops/reduction.hpp"

namespace attn {

// output = the sum over the axes, computed as in sum(), divided by the number of summed cells (NaN when there are
// none). Negative axes count from the end. Throws InputError when x has no such axis, or one is given twice.
template <typename T>
Tensor<T> mean(const Tensor<T>& x, const ReductionOptions& options = {}, std::string name = {});

}  // namespace attn
