// Matrix products over plain rows of numbers.
#pragma once

#include <cstddef>

namespace attn::kernels {

// out += a b. Each cell of out adds its products in the order of k, whatever the width of the machine's registers.
//
//   a    n rows, m columns: a[i, k] stands at a[i a_row + k a_column], so that a transposed a is read in place
//   b    m rows, p columns, contiguous
//   out  n rows, p columns, contiguous; overlaps neither a nor b
template <typename T>
void matmul_add(const T* a, std::size_t a_row, std::size_t a_column, const T* b, T* out, std::size_t n, std::size_t m,
                std::size_t p);

// out[j, i] = in[i, j]
template <typename T>
void transpose(const T* in, T* out, std::size_t rows, std::size_t columns);

}  // namespace attn::kernels
