// Matrix products: a tile of the output stays in registers while k runs, over a panel of b that stays in the cache.
#include "kernels/matmul.hpp"

#include <algorithm>

#include "kernels/lanes.hpp"

namespace attn::kernels {
namespace {

// A tile: its sums, 2 vectors of b, a number of a and, where the sum is an instruction of its own, the product fit in the 15
// registers that engines give. Measured in Chromium: a row more halves the speed.
constexpr std::size_t kTileRows = kFusedMultiplyAdd ? 6 : 4;
constexpr std::size_t kTileVectors = 2;
template <typename T>
constexpr std::size_t kTileColumns = kPanel<T>;
static_assert(kTileColumns<float> == kTileVectors * kLanes<float>);
static_assert(kTileColumns<double> == kTileVectors * kLanes<double>);

constexpr std::size_t kDepth =
    256;  // a panel of b, kDepth x kTileColumns, and the tiles of a beside it fit in the first cache
constexpr std::size_t kHeight = 240;  // kHeight x kDepth of a fit in the second
constexpr std::size_t kRowsWorthPacking = 2 * kTileRows;

// out = a b or out += a b for kRows rows and kVectors vectors of columns; the rows of b are `step` apart.
template <typename T, std::size_t kRows, std::size_t kVectors>
void tile(const Strided<T>& a, const T* b, std::size_t step, T* out, std::size_t out_row, std::size_t m, bool add) {
  Lanes<T> sum[kRows][kVectors] = {};
  if (add)
    for (std::size_t i = 0; i < kRows; ++i)
      for (std::size_t v = 0; v < kVectors; ++v) sum[i][v] = load(out + i * out_row + v * kLanes<T>);
  const T* column = a.data;
  for (std::size_t k = 0; k < m; ++k, column += a.column, b += step) {
    Lanes<T> row[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) row[v] = load(b + v * kLanes<T>);
    for (std::size_t i = 0; i < kRows; ++i) {
      const Lanes<T> x = splat(column[i * a.row]);
      for (std::size_t v = 0; v < kVectors; ++v) sum[i][v] = multiply_add(x, row[v], sum[i][v]);
    }
  }
  for (std::size_t i = 0; i < kRows; ++i)
    for (std::size_t v = 0; v < kVectors; ++v) store(out + i * out_row + v * kLanes<T>, sum[i][v]);
}

// Fewer rows than a tile has.
template <typename T, std::size_t kRows, std::size_t kVectors>
void last_rows(const Strided<T>& a, const T* b, std::size_t step, T* out, std::size_t out_row, std::size_t n,
               std::size_t m, bool add) {
  if constexpr (kRows > 0) {
    if (n == kRows) return tile<T, kRows, kVectors>(a, b, step, out, out_row, m, add);
    last_rows<T, kRows - 1, kVectors>(a, b, step, out, out_row, n, m, add);
  }
}

// All rows of a against one panel of b.
template <typename T, std::size_t kVectors>
void rows_of_tiles(Strided<T> a, const T* b, std::size_t step, T* out, std::size_t out_row, std::size_t n,
                   std::size_t m, bool add) {
  for (; n >= kTileRows; n -= kTileRows, a.data += kTileRows * a.row, out += kTileRows * out_row)
    tile<T, kTileRows, kVectors>(a, b, step, out, out_row, m, add);
  last_rows<T, kTileRows - 1, kVectors>(a, b, step, out, out_row, n, m, add);
}

// panel[k, j] = b[k, j] for `width` columns, side by side; zeros up to kTileColumns.
template <typename T>
void pack_panel(const Strided<T>& b, std::size_t m, std::size_t width, T* panel) {
  constexpr std::size_t kWidth = kTileColumns<T>;
  for (std::size_t j = 0; j < kWidth; j += kLanes<T>) {
    std::size_t k = 0;
    if (j + kLanes<T> <= width && b.column == 1) {
      for (; k < m; ++k) store(panel + k * kWidth + j, load(b.data + k * b.row + j));
    } else if (j + kLanes<T> <= width && b.row == 1) {
      for (; k + kLanes<T> <= m; k += kLanes<T>) {
        Lanes<T> square[kLanes<T>];
        for (std::size_t i = 0; i < kLanes<T>; ++i) square[i] = load(b.data + k + (j + i) * b.column);
        turn(square);
        for (std::size_t i = 0; i < kLanes<T>; ++i) store(panel + (k + i) * kWidth + j, square[i]);
      }
    }
    for (; k < m; ++k)
      for (std::size_t i = j; i < j + kLanes<T>; ++i)
        panel[k * kWidth + i] = i < width ? b.data[k * b.row + i * b.column] : T(0);
  }
}

// The last columns, fewer than a tile has: through an output as wide as a tile.
template <typename T>
void last_columns(const Strided<T>& a, const T* panel, T* out, std::size_t out_row, std::size_t n, std::size_t m,
                  std::size_t width) {
  constexpr std::size_t kWidth = kTileColumns<T>;
  T wide[kTileRows * kWidth] = {};
  for (std::size_t i = 0; i < n; i += kTileRows) {
    const std::size_t rows = std::min(kTileRows, n - i);
    for (std::size_t r = 0; r < rows; ++r) std::copy_n(out + (i + r) * out_row, width, wide + r * kWidth);
    const Strided<T> part{a.data + i * a.row, a.row, a.column};
    if (width <= kLanes<T>) {
      rows_of_tiles<T, 1>(part, panel, kWidth, wide, kWidth, rows, m, true);
    } else {
      rows_of_tiles<T, kTileVectors>(part, panel, kWidth, wide, kWidth, rows, m, true);
    }
    for (std::size_t r = 0; r < rows; ++r) std::copy_n(wide + r * kWidth, width, out + (i + r) * out_row);
  }
}

// out += a b, few enough of k and of rows of a for the caches.
template <typename T>
void block(const Strided<T>& a, const Strided<T>& b, T* out, std::size_t out_row, std::size_t n, std::size_t m,
           std::size_t p) {
  constexpr std::size_t kWidth = kTileColumns<T>;
  alignas(16) T panel[kDepth * kWidth];
  const bool in_place = b.column == 1 && (n < kRowsWorthPacking || b.row == kWidth);
  for (std::size_t j = 0; j < p; j += kWidth) {
    const std::size_t width = std::min(kWidth, p - j);
    const Strided<T> part{b.data + j * b.column, b.row, b.column};
    if (width < kWidth) {
      pack_panel(part, m, width, panel);
      last_columns(a, panel, out + j, out_row, n, m, width);
    } else if (in_place) {
      rows_of_tiles<T, kTileVectors>(a, part.data, b.row, out + j, out_row, n, m, true);
    } else {
      pack_panel(part, m, width, panel);
      rows_of_tiles<T, kTileVectors>(a, panel, kWidth, out + j, out_row, n, m, true);
    }
  }
}

}  // namespace

template <typename T>
std::size_t packed_columns(std::size_t p) {
  return (p + kTileColumns<T> - 1) / kTileColumns<T> * kTileColumns<T>;
}

template <typename T>
void pack(const Strided<T>& b, std::size_t m, std::size_t p, T* packed) {
  constexpr std::size_t kWidth = kTileColumns<T>;
  for (std::size_t j = 0; j < p; j += kWidth)
    pack_panel<T>({b.data + j * b.column, b.row, b.column}, m, std::min(kWidth, p - j), packed + j * m);
}

template <typename T>
void matmul_packed(const Strided<T>& a, const Packed<T>& b, T* out, std::size_t out_row, std::size_t n, std::size_t m,
                   std::size_t p, bool add) {
  constexpr std::size_t kWidth = kTileColumns<T>;
  for (std::size_t j = 0; j < p; j += kWidth)
    rows_of_tiles<T, kTileVectors>(a, b.data + j * b.depth, kWidth, out + j, out_row, n, m, add);
}

template <typename T>
void matmul_add(const Strided<T>& a, const Strided<T>& b, T* out, std::size_t out_row, std::size_t n, std::size_t m,
                std::size_t p) {
  for (std::size_t i = 0; i < n; i += kHeight) {
    for (std::size_t k = 0; k < m; k += kDepth) {
      block<T>({a.data + i * a.row + k * a.column, a.row, a.column}, {b.data + k * b.row, b.row, b.column},
               out + i * out_row, out_row, std::min(kHeight, n - i), std::min(kDepth, m - k), p);
    }
  }
}

template std::size_t packed_columns<float>(std::size_t);
template std::size_t packed_columns<double>(std::size_t);
template void pack<float>(const Strided<float>&, std::size_t, std::size_t, float*);
template void pack<double>(const Strided<double>&, std::size_t, std::size_t, double*);
template void matmul_packed<float>(const Strided<float>&, const Packed<float>&, float*, std::size_t, std::size_t,
                                   std::size_t, std::size_t, bool);
template void matmul_packed<double>(const Strided<double>&, const Packed<double>&, double*, std::size_t, std::size_t,
                                    std::size_t, std::size_t, bool);
template void matmul_add<float>(const Strided<float>&, const Strided<float>&, float*, std::size_t, std::size_t,
                                std::size_t, std::size_t);
template void matmul_add<double>(const Strided<double>&, const Strided<double>&, double*, std::size_t, std::size_t,
                                 std::size_t, std::size_t);

}  // namespace attn::kernels
