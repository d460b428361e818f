// Sum over axes.
#pragma once

#include "ops/reduction.hpp"

namespace attn {

// output = the sum over the axes, added in double in row-major order and rounded once. An axis counts from the end when negative.
// Throws InputError when x has no such axis, or one is given twice.
template <typename T>
Tensor<T> sum(const Tensor<T>& x, const ReductionOptions& options = {}, std::string name = {});

}  // namespace attn
