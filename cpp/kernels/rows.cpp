// Contiguous rows of equal width.
#include "kernels/rows.hpp"

#include <algorithm>

namespace attn::kernels {

template <typename T>
void repeat_row(const T* row, std::size_t width, std::size_t rows, T* out) {
  if (!row) {
    std::fill_n(out, rows * width, T(0));
    return;
  }
  for (std::size_t i = 0; i < rows; ++i) std::copy_n(row, width, out + i * width);
}

template void repeat_row<float>(const float*, std::size_t, std::size_t, float*);
template void repeat_row<double>(const double*, std::size_t, std::size_t, double*);

}  // namespace attn::kernels
