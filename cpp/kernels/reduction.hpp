// Numbers added up along axes.
#pragma once

#include "kernels/strided.hpp"

namespace attn::kernels {

// out through the view += in; in is contiguous. Its axes of stride 0 are added up; each place along the others is a cell of out.
// A cell and the numbers that it collects are added in double, one after another in row-major order, and rounded once.
template <typename T>
void sum_add(const T* in, View view, T* out);

}  // namespace attn::kernels
