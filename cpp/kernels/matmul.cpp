// Matrix products, structured as in BLAS libraries: a micro-kernel keeps a tile of the output in registers while it
// iterates over k, and reads b from packed panels that stay in the cache.
#include "kernels/matmul.hpp"

#include <algorithm>
#include <type_traits>

#include "kernels/lanes.hpp"

namespace attn::kernels {
namespace {

// The tile of the micro-kernel (mr x nr). Its accumulators, 2 vectors of b, one vector with a number of a and, without
// a fused multiply-add, a product fit in the 15 registers that engines provide. Measured in Chromium: one more row
// halves the speed.
constexpr std::size_t kTileRows = kFusedMultiplyAdd ? 6 : 4;
constexpr std::size_t kTileVectors = 2;
template <typename T>
constexpr std::size_t kTileColumns = kPanel<T>;
static_assert(kTileColumns<float> == kTileVectors * kLanes<float>);
static_assert(kTileColumns<double> == kTileVectors * kLanes<double>);

constexpr std::size_t kBlockDepth = 512;  // kc: a panel of b (kc x nr) and a tile's rows of a fit in the L1 cache
constexpr std::size_t kBlockRows = 120;   // mc: a block of a (mc x kc) and the packed panels fit in the L2 cache
constexpr std::size_t kBlockPanels = 8;   // nc / nr: the panels packed together for all rows of a
// With fewer rows of a, packing b costs more than it saves.
constexpr std::size_t kMinRowsToPack = 2 * kTileRows;

// The micro-kernel: out = a b or out += a b for kRows rows and kVectors vectors of columns. The row stride of b is
// b_stride.
template <typename T, std::size_t kRows, std::size_t kVectors>
void tile(const Strided<T>& a, const T* b, std::size_t b_stride, T* out, std::size_t out_stride, std::size_t m,
          bool add) {
  // Floats are summed from 0 and added to out at the end: a long sum is then a sum of partial sums of at most
  // kBlockDepth products and loses fewer digits. Doubles are added one after another, so that the bits depend neither
  // on the build nor on kBlockDepth.
  constexpr bool kSumFromZero = std::is_same_v<T, float>;
  Lanes<T> sum[kRows][kVectors] = {};
  if (add && !kSumFromZero)
    for (std::size_t i = 0; i < kRows; ++i)
      for (std::size_t v = 0; v < kVectors; ++v) sum[i][v] = load(out + i * out_stride + v * kLanes<T>);
  const T* column = a.data;
  for (std::size_t k = 0; k < m; ++k, column += a.column_stride, b += b_stride) {
    Lanes<T> row[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) row[v] = load(b + v * kLanes<T>);
    for (std::size_t i = 0; i < kRows; ++i) {
      const Lanes<T> x = splat(column[i * a.row_stride]);
      for (std::size_t v = 0; v < kVectors; ++v) sum[i][v] = multiply_add(x, row[v], sum[i][v]);
    }
  }
  if (add && kSumFromZero)
    for (std::size_t i = 0; i < kRows; ++i)
      for (std::size_t v = 0; v < kVectors; ++v) sum[i][v] += load(out + i * out_stride + v * kLanes<T>);
  for (std::size_t i = 0; i < kRows; ++i)
    for (std::size_t v = 0; v < kVectors; ++v) store(out + i * out_stride + v * kLanes<T>, sum[i][v]);
}

// The micro-kernel for the last n rows, which do not fill a tile.
template <typename T, std::size_t kRows, std::size_t kVectors>
void tile_of_last_rows(const Strided<T>& a, const T* b, std::size_t b_stride, T* out, std::size_t out_stride,
                       std::size_t n, std::size_t m, bool add) {
  if constexpr (kRows > 0) {
    if (n == kRows) return tile<T, kRows, kVectors>(a, b, b_stride, out, out_stride, m, add);
    tile_of_last_rows<T, kRows - 1, kVectors>(a, b, b_stride, out, out_stride, n, m, add);
  }
}

// All rows of a times one panel of b.
template <typename T, std::size_t kVectors>
void rows_of_tiles(Strided<T> a, const T* b, std::size_t b_stride, T* out, std::size_t out_stride, std::size_t n,
                   std::size_t m, bool add) {
  for (; n >= kTileRows; n -= kTileRows, a.data += kTileRows * a.row_stride, out += kTileRows * out_stride)
    tile<T, kTileRows, kVectors>(a, b, b_stride, out, out_stride, m, add);
  tile_of_last_rows<T, kTileRows - 1, kVectors>(a, b, b_stride, out, out_stride, n, m, add);
}

// Packs one panel: panel[k, j] = b[k, j] for `width` columns, with zeros up to kTileColumns.
template <typename T>
void pack_panel(const Strided<T>& b, std::size_t m, std::size_t width, T* panel) {
  constexpr std::size_t kWidth = kTileColumns<T>;
  for (std::size_t j = 0; j < kWidth; j += kLanes<T>) {
    std::size_t k = 0;
    if (j + kLanes<T> <= width && b.row_stride == 1) {
      for (; k + kLanes<T> <= m; k += kLanes<T>) {
        Lanes<T> square[kLanes<T>];
        for (std::size_t i = 0; i < kLanes<T>; ++i) square[i] = load(b.data + k + (j + i) * b.column_stride);
        transpose(square);
        for (std::size_t i = 0; i < kLanes<T>; ++i) store(panel + (k + i) * kWidth + j, square[i]);
      }
    }
    for (; k < m; ++k)
      for (std::size_t i = j; i < j + kLanes<T>; ++i)
        panel[k * kWidth + i] = i < width ? b.data[k * b.row_stride + i * b.column_stride] : T(0);
  }
}

}  // namespace

// If the rows of b are contiguous, all panels are filled row by row: rows may be on different memory pages, and each is
// read only once.
template <typename T>
void pack(const Strided<T>& b, std::size_t m, std::size_t p, T* packed) {
  constexpr std::size_t kWidth = kTileColumns<T>;
  const std::size_t whole_panels_end = b.column_stride == 1 ? p / kWidth * kWidth : 0;
  for (std::size_t k = 0; k < m && whole_panels_end > 0; ++k) {
    const T* row = b.data + k * b.row_stride;
    T* to = packed + k * kWidth;
    for (std::size_t j = 0; j < whole_panels_end; j += kWidth, to += m * kWidth)
      for (std::size_t v = 0; v < kWidth; v += kLanes<T>) store(to + v, load(row + j + v));
  }
  for (std::size_t j = whole_panels_end; j < p; j += kWidth)
    pack_panel<T>({b.data + j * b.column_stride, b.row_stride, b.column_stride}, m, std::min(kWidth, p - j),
                  packed + j * m);
}

namespace {

// out += a panel for the last `width` columns, which do not fill a panel, through a temporary output as wide as a tile.
template <typename T>
void last_columns(const Strided<T>& a, const T* panel, T* out, std::size_t out_stride, std::size_t n, std::size_t m,
                  std::size_t width) {
  constexpr std::size_t kWidth = kTileColumns<T>;
  T tile_out[kTileRows * kWidth] = {};
  for (std::size_t i = 0; i < n; i += kTileRows) {
    const std::size_t rows = std::min(kTileRows, n - i);
    for (std::size_t r = 0; r < rows; ++r) std::copy_n(out + (i + r) * out_stride, width, tile_out + r * kWidth);
    const Strided<T> a_rows{a.data + i * a.row_stride, a.row_stride, a.column_stride};
    if (width <= kLanes<T>) {
      rows_of_tiles<T, 1>(a_rows, panel, kWidth, tile_out, kWidth, rows, m, true);
    } else {
      rows_of_tiles<T, kTileVectors>(a_rows, panel, kWidth, tile_out, kWidth, rows, m, true);
    }
    for (std::size_t r = 0; r < rows; ++r) std::copy_n(tile_out + r * kWidth, width, out + (i + r) * out_stride);
  }
}

// out += a b for one contiguous row of a and whole panels of contiguous columns of b. The columns are transposed in
// registers: packing them for a single row would cost more than it saves.
template <typename T>
void row_of_columns(const T* a, const Strided<T>& b, T* out, std::size_t m, std::size_t panels) {
  for (std::size_t panel = 0; panel < panels; ++panel, out += kTileColumns<T>) {
    const T* column = b.data + panel * kTileColumns<T> * b.column_stride;
    constexpr bool kSumFromZero = std::is_same_v<T, float>;  // as in tile()
    Lanes<T> sum[kTileVectors] = {};
    for (std::size_t v = 0; v < kTileVectors && !kSumFromZero; ++v) sum[v] = load(out + v * kLanes<T>);
    std::size_t k = 0;
    for (; k + kLanes<T> <= m; k += kLanes<T>) {
      for (std::size_t v = 0; v < kTileVectors; ++v) {
        Lanes<T> square[kLanes<T>];
        for (std::size_t j = 0; j < kLanes<T>; ++j)
          square[j] = load(column + k + (v * kLanes<T> + j) * b.column_stride);
        transpose(square);
        for (std::size_t i = 0; i < kLanes<T>; ++i) sum[v] = multiply_add(splat(a[k + i]), square[i], sum[v]);
      }
    }
    for (; k < m; ++k)
      for (std::size_t v = 0; v < kTileVectors; ++v)
        sum[v] = multiply_add(splat(a[k]),
                              load_strided(column + k + v * kLanes<T> * b.column_stride, b.column_stride, kLanes<T>),
                              sum[v]);
    for (std::size_t v = 0; v < kTileVectors && kSumFromZero; ++v) sum[v] += load(out + v * kLanes<T>);
    for (std::size_t v = 0; v < kTileVectors; ++v) store(out + v * kLanes<T>, sum[v]);
  }
}

// out += a b for a packed b and the columns from `first` on, where `first` is a multiple of the panel width.
template <typename T>
void multiply_panels(const Strided<T>& a, const Packed<T>& b, std::size_t first, T* out, std::size_t out_stride,
                     std::size_t n, std::size_t m, std::size_t p) {
  constexpr std::size_t kWidth = kTileColumns<T>;
  const std::size_t whole_panels_end = p / kWidth * kWidth;
  for (std::size_t j = first; j < whole_panels_end; j += kWidth)
    rows_of_tiles<T, kTileVectors>(a, b.data + j * b.depth, kWidth, out + j, out_stride, n, m, true);
  if (whole_panels_end < p)
    last_columns(a, b.data + whole_panels_end * b.depth, out + whole_panels_end, out_stride, n, m,
                 p - whole_panels_end);
}

// Calls work(a_block, out_block, rows) for blocks of at most mc = kBlockRows rows, which fit in the L2 cache.
template <typename T, typename Work>
void for_each_row_block(const Strided<T>& a, T* out, std::size_t out_stride, std::size_t n, Work work) {
  for (std::size_t i = 0; i < n; i += kBlockRows)
    work(Strided<T>{a.data + i * a.row_stride, a.row_stride, a.column_stride}, out + i * out_stride,
         std::min(kBlockRows, n - i));
}

// Calls work(k, j, depth, columns) for the kc x nc blocks of b.
template <typename T, typename Work>
void for_each_block(std::size_t m, std::size_t p, Work work) {
  constexpr std::size_t kColumns = kBlockPanels * kTileColumns<T>;
  for (std::size_t k = 0; k < m; k += kBlockDepth)
    for (std::size_t j = 0; j < p; j += kColumns) work(k, j, std::min(kBlockDepth, m - k), std::min(kColumns, p - j));
}

// out += a b for one block of b: at most kc = kBlockDepth rows and nc columns, which are packed together.
template <typename T>
void multiply_block(const Strided<T>& a, const Strided<T>& b, T* out, std::size_t out_stride, std::size_t n,
                    std::size_t m, std::size_t p) {
  constexpr std::size_t kWidth = kTileColumns<T>;
  alignas(16) T packed[kBlockPanels * kBlockDepth * kWidth];
  const std::size_t whole_panels_end = p / kWidth * kWidth;
  const bool one_row = n == 1 && b.row_stride == 1 && a.column_stride == 1;
  const bool in_place = !one_row && b.column_stride == 1 && (n < kMinRowsToPack || b.row_stride == kWidth);
  if (one_row) row_of_columns(a.data, b, out, m, p / kWidth);
  const std::size_t first = one_row || in_place ? whole_panels_end : 0;
  if (first < p)
    pack<T>({b.data + first * b.column_stride, b.row_stride, b.column_stride}, m, p - first, packed + first * m);
  for_each_row_block(a, out, out_stride, n, [&](const Strided<T>& a_block, T* out_block, std::size_t rows) {
    // Where b is read from packed panels, its row stride is a compile-time constant: the micro-kernel has no spare
    // register.
    if (in_place)
      for (std::size_t j = 0; j < whole_panels_end; j += kWidth)
        rows_of_tiles<T, kTileVectors>(a_block, b.data + j, b.row_stride, out_block + j, out_stride, rows, m, true);
    multiply_panels<T>(a_block, {packed, m}, first, out_block, out_stride, rows, m, p);
  });
}

}  // namespace

template <typename T>
void matmul_packed(const Strided<T>& a, const Packed<T>& b, T* out, std::size_t out_stride, std::size_t n,
                   std::size_t m, std::size_t p, bool add) {
  constexpr std::size_t kWidth = kTileColumns<T>;
  for (std::size_t j = 0; j < p; j += kWidth)
    rows_of_tiles<T, kTileVectors>(a, b.data + j * b.depth, kWidth, out + j, out_stride, n, m, add);
}

template <typename T>
void matmul_add(const Strided<T>& a, const Strided<T>& b, T* out, std::size_t out_stride, std::size_t n, std::size_t m,
                std::size_t p) {
  for_each_block<T>(m, p, [&](std::size_t k, std::size_t j, std::size_t depth, std::size_t columns) {
    multiply_block<T>({a.data + k * a.column_stride, a.row_stride, a.column_stride},
                      {b.data + k * b.row_stride + j * b.column_stride, b.row_stride, b.column_stride}, out + j,
                      out_stride, n, depth, columns);
  });
}

template <typename T>
void matmul_add_packed(const Strided<T>& a, const Packed<T>& b, T* out, std::size_t out_stride, std::size_t n,
                       std::size_t m, std::size_t p) {
  for_each_block<T>(m, p, [&](std::size_t k, std::size_t j, std::size_t depth, std::size_t columns) {
    for_each_row_block<T>({a.data + k * a.column_stride, a.row_stride, a.column_stride}, out + j, out_stride, n,
                          [&](const Strided<T>& a_block, T* out_block, std::size_t rows) {
                            multiply_panels<T>(a_block, b.from(k, j), 0, out_block, out_stride, rows, depth, columns);
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
