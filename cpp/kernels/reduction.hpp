// Sums along axes.
#pragma once

#include "kernels/strided.hpp"

namespace attn::kernels {

// out (through the view) += in, where in is contiguous. The axes of stride 0 are summed; each position along the
// others is a cell of out. The sums are accumulated in double, one number after another in row-major order, and
// rounded once.
template <typename T>
void sum_add(const T* in, View view, T* out);

}  // namespace attn::kernels
