// Contiguous rows of equal width.
#pragma once

#include <cstddef>

namespace attn::kernels {

// Fills every row of out with `row`, or with zeros when it is null.
template <typename T>
void repeat_row(const T* row, std::size_t width, std::size_t rows, T* out);

}  // namespace attn::kernels
