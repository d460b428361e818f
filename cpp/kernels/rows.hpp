// Rows of equal width, one after the other.
#pragma once

#include <cstddef>

namespace attn::kernels {

// Every row of out becomes `row`; zeros when it is null.
template <typename T>
void repeat_row(const T* row, std::size_t width, std::size_t rows, T* out);

}  // namespace attn::kernels
