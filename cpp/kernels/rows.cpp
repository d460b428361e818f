// Rows of equal width, one after the other.
#include "kernels/rows.hpp"

#include <algorithm>

#include "kernels/lanes.hpp"

namespace attn::kernels {
namespace {

// Columns that are summed in registers, all rows down.
constexpr std::size_t kVectors = 4;

}  // namespace

template <typename T>
void repeat_row(const T* row, std::size_t width, std::size_t rows, T* out) {
  if (!row) {
    std::fill_n(out, rows * width, T(0));
    return;
  }
  for (std::size_t i = 0; i < rows; ++i) std::copy_n(row, width, out + i * width);
}

template <typename T>
void add_rows(const T* in, std::size_t width, std::size_t rows, T* sum) {
  constexpr std::size_t kWide = kVectors * kLanes<T>;
  std::size_t j = 0;
  for (; j + kWide <= width; j += kWide) {
    Lanes<T> sums[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) sums[v] = load(sum + j + v * kLanes<T>);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t v = 0; v < kVectors; ++v) sums[v] += load(in + i * width + j + v * kLanes<T>);
    for (std::size_t v = 0; v < kVectors; ++v) store(sum + j + v * kLanes<T>, sums[v]);
  }
  for (; j < width; j += kLanes<T>) {
    Lanes<T> column = load_some(sum + j, width - j);
    for (std::size_t i = 0; i < rows; ++i) column += load_some(in + i * width + j, width - j);
    store_some(sum + j, column, width - j);
  }
}

template void repeat_row<float>(const float*, std::size_t, std::size_t, float*);
template void repeat_row<double>(const double*, std::size_t, std::size_t, double*);
template void add_rows<float>(const float*, std::size_t, std::size_t, float*);
template void add_rows<double>(const double*, std::size_t, std::size_t, double*);

}  // namespace attn::kernels
