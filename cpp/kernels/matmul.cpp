// Matrix products: a tile of the output stays in registers while k runs, over a panel of b that stays in the cache.
#include "kernels/matmul.hpp"

#include <algorithm>

#include "kernels/lanes.hpp"

namespace attn::kernels {
namespace {

// A tile: 6 x 2 sums, 2 vectors of b and a number of a fit in 16 registers.
constexpr std::size_t kTileRows = 6;
constexpr std::size_t kTileVectors = 2;
template <typename T>
constexpr std::size_t kTileColumns = kTileVectors * kLanes<T>;

constexpr std::size_t kDepth =
    256;  // a panel of b, kDepth x kTileColumns, and the tiles of a beside it fit in the first cache
constexpr std::size_t kHeight = 240;  // kHeight x kDepth of a fit in the second
constexpr std::size_t kRowsWorthPacking = 2 * kTileRows;

// out += a b for kRows rows and kVectors vectors of columns; the rows of b are `step` apart.
template <typename T, std::size_t kRows, std::size_t kVectors>
void tile(const Strided<T>& a, const T* b, std::size_t step, T* out, std::size_t out_row, std::size_t m) {
  Lanes<T> sum[kRows][kVectors];
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

// All rows of a against one panel of b.
template <typename T, std::size_t kVectors>
void rows_of_tiles(Strided<T> a, const T* b, std::size_t step, T* out, std::size_t out_row, std::size_t n,
                   std::size_t m) {
  for (; n >= kTileRows; n -= kTileRows, a.data += kTileRows * a.row, out += kTileRows * out_row)
    tile<T, kTileRows, kVectors>(a, b, step, out, out_row, m);
  switch (n) {
    case 5:
      return tile<T, 5, kVectors>(a, b, step, out, out_row, m);
    case 4:
      return tile<T, 4, kVectors>(a, b, step, out, out_row, m);
    case 3:
      return tile<T, 3, kVectors>(a, b, step, out, out_row, m);
    case 2:
      return tile<T, 2, kVectors>(a, b, step, out, out_row, m);
    case 1:
      return tile<T, 1, kVectors>(a, b, step, out, out_row, m);
    default:
      return;
  }
}

// panel[k, j] = b[k, j] for `width` columns, side by side; zeros up to kTileColumns.
template <typename T>
void pack(const Strided<T>& b, std::size_t m, std::size_t width, T* panel) {
  constexpr std::size_t kWidth = kTileColumns<T>;
  std::size_t k = 0;
  if (width == kWidth && b.column == 1) {
    for (; k < m; ++k)
      for (std::size_t v = 0; v < kWidth; v += kLanes<T>) store(panel + k * kWidth + v, load(b.data + k * b.row + v));
  } else if (width == kWidth && b.row == 1) {
    for (; k + kLanes<T> <= m; k += kLanes<T>) {
      for (std::size_t v = 0; v < kWidth; v += kLanes<T>) {
        Lanes<T> square[kLanes<T>];
        for (std::size_t j = 0; j < kLanes<T>; ++j) square[j] = load(b.data + k + (v + j) * b.column);
        turn(square);
        for (std::size_t i = 0; i < kLanes<T>; ++i) store(panel + (k + i) * kWidth + v, square[i]);
      }
    }
  }
  for (; k < m; ++k) {
    T* row = panel + k * kWidth;
    for (std::size_t j = 0; j < width; ++j) row[j] = b.data[k * b.row + j * b.column];
    std::fill(row + width, row + kWidth, T(0));
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
      rows_of_tiles<T, 1>(part, panel, kWidth, wide, kWidth, rows, m);
    } else {
      rows_of_tiles<T, kTileVectors>(part, panel, kWidth, wide, kWidth, rows, m);
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
      pack(part, m, width, panel);
      last_columns(a, panel, out + j, out_row, n, m, width);
    } else if (in_place) {
      rows_of_tiles<T, kTileVectors>(a, part.data, b.row, out + j, out_row, n, m);
    } else {
      pack(part, m, width, panel);
      rows_of_tiles<T, kTileVectors>(a, panel, kWidth, out + j, out_row, n, m);
    }
  }
}

}  // namespace

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

template void matmul_add<float>(const Strided<float>&, const Strided<float>&, float*, std::size_t, std::size_t,
                                std::size_t, std::size_t);
template void matmul_add<double>(const Strided<double>&, const Strided<double>&, double*, std::size_t, std::size_t,
                                 std::size_t, std::size_t);

}  // namespace attn::kernels
