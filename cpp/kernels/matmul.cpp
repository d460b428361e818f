// Matrix products in the way of BLAS: a micro-kernel keeps a tile of the output in registers while k runs, over
// packed panels of b that stay in the cache.
#include "kernels/matmul.hpp"

#include <algorithm>
#include <type_traits>

#include "kernels/lanes.hpp"

namespace attn::kernels {
namespace {

// The micro-kernel's tile (mr x nr). Its accumulators, 2 vectors of b, one number of a and, without a fused
// multiply-add, the product fit in the 15 registers that engines provide. Measured in Chromium: one more row halves
// the speed.
constexpr std::size_t kTileRows = kFusedMultiplyAdd ? 6 : 4;
constexpr std::size_t kTileVectors = 2;
template <typename T>
constexpr std::size_t kTileColumns = kPanel<T>;
static_assert(kTileColumns<float> == kTileVectors * kLanes<float>);
static_assert(kTileColumns<double> == kTileVectors * kLanes<double>);

constexpr std::size_t kDepth = 512;       // kc: a panel of b (kc x nr) and a tile's rows of a fit in the L1 cache
constexpr std::size_t kHeight = 120;      // mc: a block of a (mc x kc) and the packed panels fit in the L2 cache
constexpr std::size_t kPanelsAtOnce = 8;  // nc / nr: panels packed at once for all rows of a
constexpr std::size_t kRowsWorthPacking = 2 * kTileRows;

// The micro-kernel: out = a b or out += a b for kRows rows and kVectors vectors of columns. The rows of b are `step`
// apart.
template <typename T, std::size_t kRows, std::size_t kVectors>
void tile(const Strided<T>& a, const T* b, std::size_t step, T* out, std::size_t out_row, std::size_t m, bool add) {
  // Floats are summed from 0 and added to out at the end: a long sum is then a sum of partial sums of at most kDepth
  // products and loses fewer digits. Doubles are added one after another whatever the depth, so that every build
  // gives the same bits.
  constexpr bool kSumApart = std::is_same_v<T, float>;
  Lanes<T> sum[kRows][kVectors] = {};
  if (add && !kSumApart)
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
  if (add && kSumApart)
    for (std::size_t i = 0; i < kRows; ++i)
      for (std::size_t v = 0; v < kVectors; ++v) sum[i][v] += load(out + i * out_row + v * kLanes<T>);
  for (std::size_t i = 0; i < kRows; ++i)
    for (std::size_t v = 0; v < kVectors; ++v) store(out + i * out_row + v * kLanes<T>, sum[i][v]);
}

// The micro-kernel for the last rows, fewer than a tile has.
template <typename T, std::size_t kRows, std::size_t kVectors>
void last_rows(const Strided<T>& a, const T* b, std::size_t step, T* out, std::size_t out_row, std::size_t n,
               std::size_t m, bool add) {
  if constexpr (kRows > 0) {
    if (n == kRows) return tile<T, kRows, kVectors>(a, b, step, out, out_row, m, add);
    last_rows<T, kRows - 1, kVectors>(a, b, step, out, out_row, n, m, add);
  }
}

// All rows of a times one panel of b.
template <typename T, std::size_t kVectors>
void rows_of_tiles(Strided<T> a, const T* b, std::size_t step, T* out, std::size_t out_row, std::size_t n,
                   std::size_t m, bool add) {
  for (; n >= kTileRows; n -= kTileRows, a.data += kTileRows * a.row, out += kTileRows * out_row)
    tile<T, kTileRows, kVectors>(a, b, step, out, out_row, m, add);
  last_rows<T, kTileRows - 1, kVectors>(a, b, step, out, out_row, n, m, add);
}

// Packs one panel: panel[k, j] = b[k, j] for `width` columns, with zeros up to kTileColumns.
template <typename T>
void pack_panel(const Strided<T>& b, std::size_t m, std::size_t width, T* panel) {
  constexpr std::size_t kWidth = kTileColumns<T>;
  for (std::size_t j = 0; j < kWidth; j += kLanes<T>) {
    std::size_t k = 0;
    if (j + kLanes<T> <= width && b.row == 1) {
      for (; k + kLanes<T> <= m; k += kLanes<T>) {
        Lanes<T> square[kLanes<T>];
        for (std::size_t i = 0; i < kLanes<T>; ++i) square[i] = load(b.data + k + (j + i) * b.column);
        transpose(square);
        for (std::size_t i = 0; i < kLanes<T>; ++i) store(panel + (k + i) * kWidth + j, square[i]);
      }
    }
    for (; k < m; ++k)
      for (std::size_t i = j; i < j + kLanes<T>; ++i)
        panel[k * kWidth + i] = i < width ? b.data[k * b.row + i * b.column] : T(0);
  }
}

}  // namespace

// Where the rows of b are contiguous, each row is read once for all panels: rows may be as far apart as memory pages.
template <typename T>
void pack(const Strided<T>& b, std::size_t m, std::size_t p, T* packed) {
  constexpr std::size_t kWidth = kTileColumns<T>;
  const std::size_t by_row = b.column == 1 ? p / kWidth * kWidth : 0;
  for (std::size_t k = 0; k < m && by_row > 0; ++k) {
    const T* row = b.data + k * b.row;
    T* to = packed + k * kWidth;
    for (std::size_t j = 0; j < by_row; j += kWidth, to += m * kWidth)
      for (std::size_t v = 0; v < kWidth; v += kLanes<T>) store(to + v, load(row + j + v));
  }
  for (std::size_t j = by_row; j < p; j += kWidth)
    pack_panel<T>({b.data + j * b.column, b.row, b.column}, m, std::min(kWidth, p - j), packed + j * m);
}

namespace {

// The last columns, fewer than a tile has, computed through a temporary output as wide as a tile.
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

// One contiguous row of a times whole panels of contiguous columns of b. The columns are transposed in registers:
// packing would not pay off for a single row.
template <typename T>
void row_of_columns(const T* a, const Strided<T>& b, T* out, std::size_t m, std::size_t panels) {
  for (std::size_t panel = 0; panel < panels; ++panel, out += kTileColumns<T>) {
    const T* column = b.data + panel * kTileColumns<T> * b.column;
    constexpr bool kSumApart = std::is_same_v<T, float>;  // as in tile()
    Lanes<T> sum[kTileVectors] = {};
    for (std::size_t v = 0; v < kTileVectors && !kSumApart; ++v) sum[v] = load(out + v * kLanes<T>);
    std::size_t k = 0;
    for (; k + kLanes<T> <= m; k += kLanes<T>) {
      for (std::size_t v = 0; v < kTileVectors; ++v) {
        Lanes<T> square[kLanes<T>];
        for (std::size_t j = 0; j < kLanes<T>; ++j) square[j] = load(column + k + (v * kLanes<T> + j) * b.column);
        transpose(square);
        for (std::size_t i = 0; i < kLanes<T>; ++i) sum[v] = multiply_add(splat(a[k + i]), square[i], sum[v]);
      }
    }
    for (; k < m; ++k)
      for (std::size_t v = 0; v < kTileVectors; ++v)
        sum[v] =
            multiply_add(splat(a[k]), load_strided(column + k + v * kLanes<T> * b.column, b.column, kLanes<T>), sum[v]);
    for (std::size_t v = 0; v < kTileVectors && kSumApart; ++v) sum[v] += load(out + v * kLanes<T>);
    for (std::size_t v = 0; v < kTileVectors; ++v) store(out + v * kLanes<T>, sum[v]);
  }
}

// out += a b for a packed b, from column `first` on, which is a multiple of the panel width.
template <typename T>
void panels(const Strided<T>& a, const Packed<T>& b, std::size_t first, T* out, std::size_t out_row, std::size_t n,
            std::size_t m, std::size_t p) {
  constexpr std::size_t kWidth = kTileColumns<T>;
  const std::size_t whole = p / kWidth * kWidth;
  for (std::size_t j = first; j < whole; j += kWidth)
    rows_of_tiles<T, kTileVectors>(a, b.data + j * b.depth, kWidth, out + j, out_row, n, m, true);
  if (whole < p) last_columns(a, b.data + whole * b.depth, out + whole, out_row, n, m, p - whole);
}

// Calls work(block of a, block of out, rows) for blocks of at most mc = kHeight rows, which fit in the L2 cache.
template <typename T, typename Work>
void each_height(const Strided<T>& a, T* out, std::size_t out_row, std::size_t n, Work work) {
  for (std::size_t i = 0; i < n; i += kHeight)
    work(Strided<T>{a.data + i * a.row, a.row, a.column}, out + i * out_row, std::min(kHeight, n - i));
}

// Calls work(k, j, depth, columns) for the kc x nc blocks of b.
template <typename T, typename Work>
void each_block(std::size_t m, std::size_t p, Work work) {
  constexpr std::size_t kColumns = kPanelsAtOnce * kTileColumns<T>;
  for (std::size_t k = 0; k < m; k += kDepth)
    for (std::size_t j = 0; j < p; j += kColumns) work(k, j, std::min(kDepth, m - k), std::min(kColumns, p - j));
}

// out += a b for one block of b: at most kc = kDepth rows and nc columns, which are packed at once.
template <typename T>
void block(const Strided<T>& a, const Strided<T>& b, T* out, std::size_t out_row, std::size_t n, std::size_t m,
           std::size_t p) {
  constexpr std::size_t kWidth = kTileColumns<T>;
  alignas(16) T packed[kPanelsAtOnce * kDepth * kWidth];
  const std::size_t whole = p / kWidth * kWidth;
  const bool one_row = n == 1 && b.row == 1 && a.column == 1;
  const bool in_place = !one_row && b.column == 1 && (n < kRowsWorthPacking || b.row == kWidth);
  if (one_row) row_of_columns(a.data, b, out, m, p / kWidth);
  const std::size_t first = one_row || in_place ? whole : 0;
  if (first < p) pack<T>({b.data + first * b.column, b.row, b.column}, m, p - first, packed + first * m);
  each_height(a, out, out_row, n, [&](const Strided<T>& part, T* to, std::size_t rows) {
    // The row stride of a panel is a compile-time constant where possible: the micro-kernel has no register to spare.
    if (in_place)
      for (std::size_t j = 0; j < whole; j += kWidth)
        rows_of_tiles<T, kTileVectors>(part, b.data + j, b.row, to + j, out_row, rows, m, true);
    panels<T>(part, {packed, m}, first, to, out_row, rows, m, p);
  });
}

}  // namespace

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
  each_block<T>(m, p, [&](std::size_t k, std::size_t j, std::size_t depth, std::size_t columns) {
    block<T>({a.data + k * a.column, a.row, a.column}, {b.data + k * b.row + j * b.column, b.row, b.column}, out + j,
             out_row, n, depth, columns);
  });
}

template <typename T>
void matmul_add_packed(const Strided<T>& a, const Packed<T>& b, T* out, std::size_t out_row, std::size_t n,
                       std::size_t m, std::size_t p) {
  each_block<T>(m, p, [&](std::size_t k, std::size_t j, std::size_t depth, std::size_t columns) {
    each_height<T>({a.data + k * a.column, a.row, a.column}, out + j, out_row, n,
                   [&](const Strided<T>& part, T* to, std::size_t rows) {
                     panels<T>(part, b.from(k, j), 0, to, out_row, rows, depth, columns);
                   });
  });
}

template void pack<float>(const Strided<float>&, std::size_t, std::size_t, float*);
template void pack<double>(const Strided<double>&, std::size_t, std::size_t, double*);
template void matmul_packed<float>(const Strided<float>&, const Packed<float>&, float*, std::size_t, std::size_t,
                                   std::size_t, std::size_t, bool);
template void matmul_packed<double>(const Strided<double>&, const Packed<double>&, double*, std::size_t, std::size_t,
                                    std::size_t, std::size_t, bool);
template void matmul_add_packed<float>(const Strided<float>&, const Packed<float>&, float*, std::size_t, std::size_t,
                                       std::size_t, std::size_t);
template void matmul_add<float>(const Strided<float>&, const Strided<float>&, float*, std::size_t, std::size_t,
                                std::size_t, std::size_t);
template void matmul_add<double>(const Strided<double>&, const Strided<double>&, double*, std::size_t, std::size_t,
                                 std::size_t, std::size_t);

}  // namespace attn::kernels
