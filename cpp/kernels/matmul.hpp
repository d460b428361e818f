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

// out += a b. Each cell of out adds its products in the order of k, whatever the width of the machine's registers: doubles one
// after another, floats in sums of at most 512 products.
//
//   a    (n, m)
//   b    (m, p)
//   out  (n, p): out[i out_row + j]; overlaps neither a nor b
//
// Takes no memory but 128 KB of the stack.
template <typename T>
void matmul_add(const Strided<T>& a, const Strided<T>& b, T* out, std::size_t out_row, std::size_t n, std::size_t m,
                std::size_t p);

// The columns of a panel: as many as the kernel computes at once.
template <typename T>
inline constexpr std::size_t kPanel = 32 / sizeof(T);

// b turned into panels of columns that lie as the kernel reads them: for a b that meets many a. Its last panel is filled
// up with zeros to packed_columns(p). In 64 bits that does not wrap, however many columns there are.
template <typename T, typename Count>
constexpr Count packed_columns(Count p) {
  return (p + kPanel<T> - 1) / kPanel<T> * kPanel<T>;
}
template <typename T>
void pack(const Strided<T>& b, std::size_t m, std::size_t p, T* packed);  // m packed_columns(p) numbers

// A packed b, or the part of it that starts at row k and at column j, a multiple of kPanel.

template <typename T>
struct Packed {
  const T* data = nullptr;
  std::size_t depth = 0;  // rows of the whole

  Packed from(std::size_t k, std::size_t j) const { return {data + j * depth + k * kPanel<T>, depth}; }
};

// out += a b of a whole packed b (m, p), the same additions in the same order as of b itself. Floats alone.
template <typename T>
void matmul_add_packed(const Strided<T>& a, const Packed<T>& b, T* out, std::size_t out_row, std::size_t n,
                       std::size_t m, std::size_t p);

// out = a b, or out += a b, of a packed b with at least m rows: n rows and packed_columns(p) columns of out are written.
template <typename T>
void matmul_packed(const Strided<T>& a, const Packed<T>& b, T* out, std::size_t out_row, std::size_t n, std::size_t m,
                   std::size_t p, bool add);

}  // namespace attn::kernels
