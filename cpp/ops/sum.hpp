// Sum over axes.
#pragma once

#include "ops/reduction.hpp"

namespace attn {

// output = the sum over the axes, accumulated in double in row-major order and rounded once. Negative axes count from
// the end. Throws InputError when x has no such axis, or one is given twice.
template <typename T>
Tensor<T> sum(const Tensor<T>& x, const ReductionOptions& options = {}, std::string name = {});

}  // namespace attn
