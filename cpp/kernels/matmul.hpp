// Matrix products over plain rows of numbers.
#pragma once

#include <cstddef>

namespace attn::kernels {

// A matrix whose cell [i, j] stands at data[i row + j column], so that a transposed one is read in place.
template <typename T>
struct Strided {
  const T* data = nullptr;
  std::size_t row = 0;
  std::size_t column = 1;

  Strided transposed() const { return {data, column, row}; }
};

// out += a b. Each cell of out adds its products in the order of k, whatever the width of the machine's registers.
//
//   a    (n, m)
//   b    (m, p)
//   out  (n, p): out[i out_row + j]; overlaps neither a nor b
//
// Takes no memory but a few kilobytes of the stack.
template <typename T>
void matmul_add(const Strided<T>& a, const Strided<T>& b, T* out, std::size_t out_row, std::size_t n, std::size_t m,
                std::size_t p);

}  // namespace attn::kernels
