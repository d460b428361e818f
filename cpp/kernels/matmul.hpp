// Matrix products of row-major or transposed matrices.
#pragma once

#include <cstddef>

namespace attn::kernels {

// A matrix whose cell [i, j] is data[i row_stride + j column_stride], so that a transposed matrix is read in place.
template <typename T>
struct Strided {
  const T* data = nullptr;
  std::size_t row_stride = 0;
  std::size_t column_stride = 1;

  Strided transposed() const { return {data, column_stride, row_stride}; }
};

// out += a b. The products of a cell are added in the order of k in every build: doubles one after another, floats in
// partial sums of at most 512 products.
//
//   a    (n, m)
//   b    (m, p)
//   out  (n, p): cell [i, j] is out[i out_stride + j]; overlaps neither a nor b
//
// Uses no memory except 128 KB of stack.
template <typename T>
void matmul_add(const Strided<T>& a, const Strided<T>& b, T* out, std::size_t out_stride, std::size_t n, std::size_t m,
                std::size_t p);

// The number of columns in a packed panel, which is the width of the micro-kernel's tile (BLAS's nr).
template <typename T>
inline constexpr std::size_t kPanel = 32 / sizeof(T);

// The number of columns of a packed b: p rounded up to whole panels. Scratch sizes are computed with a 64-bit Count,
// which cannot overflow.
template <typename T, typename Count>
constexpr Count packed_columns(Count p) {
  return (p + kPanel<T> - 1) / kPanel<T> * kPanel<T>;
}

// Packs b (m, p) into panels in the order in which the micro-kernel reads them, so that b can be multiplied by several
// a. The last panel is padded with zeros: `packed` has m packed_columns(p) numbers.
template <typename T>
void pack(const Strided<T>& b, std::size_t m, std::size_t p, T* packed);

// A packed matrix, or the part of it from row k and column j on, where j is a multiple of kPanel.
template <typename T>
struct Packed {
  const T* data = nullptr;
  std::size_t depth = 0;  // number of rows of the whole packed matrix

  Packed from(std::size_t k, std::size_t j) const { return {data + j * depth + k * kPanel<T>, depth}; }
};

// out += a b for a whole packed b (m, p), with the same additions in the same order as matmul_add. Floats only.
template <typename T>
void matmul_add_packed(const Strided<T>& a, const Packed<T>& b, T* out, std::size_t out_stride, std::size_t n,
                       std::size_t m, std::size_t p);

// out = a b, or out += a b, for a packed b with at least m rows. Writes n rows and packed_columns(p) columns of out.
template <typename T>
void matmul_packed(const Strided<T>& a, const Packed<T>& b, T* out, std::size_t out_stride, std::size_t n,
                   std::size_t m, std::size_t p, bool add);

}  // namespace attn::kernels
