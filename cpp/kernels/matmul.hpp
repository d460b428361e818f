// Matrix products of row-major or transposed matrices.
#pragma once

#include <cstddef>

namespace attn::kernels {

// A matrix whose cell [i, j] is data[i row + j column], so that a transposed matrix is read in place.
template <typename T>
struct Strided {
  const T* data = nullptr;
  std::size_t row = 0;
  std::size_t column = 1;

  Strided transposed() const { return {data, column, row}; }
};

// out += a b. Each cell of out adds its products in the order of k, whatever the width of the registers: doubles one
// after another, floats in partial sums of at most 512 products.
//
//   a    (n, m)
//   b    (m, p)
//   out  (n, p): out[i out_row + j]; overlaps neither a nor b
//
// Uses no memory except 128 KB of stack.
template <typename T>
void matmul_add(const Strided<T>& a, const Strided<T>& b, T* out, std::size_t out_row, std::size_t n, std::size_t m,
                std::size_t p);

// The number of columns in a packed panel, which is the width of the micro-kernel's tile (BLAS's nr).
template <typename T>
inline constexpr std::size_t kPanel = 32 / sizeof(T);

// Packs b into panels in the order in which the micro-kernel reads them, for a b that is multiplied with several a.
// The last panel is padded with zeros to packed_columns(p), which is computed in 64 bits so that it cannot wrap.
template <typename T, typename Count>
constexpr Count packed_columns(Count p) {
  return (p + kPanel<T> - 1) / kPanel<T> * kPanel<T>;
}
template <typename T>
void pack(const Strided<T>& b, std::size_t m, std::size_t p, T* packed);  // m packed_columns(p) numbers

// A packed b, or the part of it that starts at row k and column j, where j is a multiple of kPanel.

template <typename T>
struct Packed {
  const T* data = nullptr;
  std::size_t depth = 0;  // number of rows of the whole matrix

  Packed from(std::size_t k, std::size_t j) const { return {data + j * depth + k * kPanel<T>, depth}; }
};

// out += a b for a whole packed b (m, p), with the same additions in the same order as for an unpacked b. Floats
// only.
template <typename T>
void matmul_add_packed(const Strided<T>& a, const Packed<T>& b, T* out, std::size_t out_row, std::size_t n,
                       std::size_t m, std::size_t p);

// out = a b, or out += a b, for a packed b with at least m rows. Writes n rows and packed_columns(p) columns of out.
template <typename T>
void matmul_packed(const Strided<T>& a, const Packed<T>& b, T* out, std::size_t out_row, std::size_t n, std::size_t m,
                   std::size_t p, bool add);

}  // namespace attn::kernels
