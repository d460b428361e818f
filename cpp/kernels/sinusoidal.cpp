// Rows of sines and cosines, computed two pairs of columns at a time.
#include "kernels/sinusoidal.hpp"

#include <algorithm>

#include "kernels/sin_cos.hpp"

namespace attn::kernels {

template <typename T>
void sinusoidal(std::span<const T> positions, std::span<const double> wavelengths, std::size_t dim, T* out) {
  for (const T position : positions) {
    for (std::size_t i = 0; i < wavelengths.size(); i += 2) {
      const bool alone = i + 1 == wavelengths.size();
      const Lanes<double> along = {wavelengths[i], wavelengths[alone ? i : i + 1]};
      const auto [sin, cos] = sin_cos(splat(static_cast<double>(position)) / along);
      const T four[] = {static_cast<T>(sin[0]), static_cast<T>(cos[0]), static_cast<T>(sin[1]), static_cast<T>(cos[1])};
      std::copy_n(four, std::min<std::size_t>(4, dim - 2 * i), out + 2 * i);
    }
    out += dim;
  }
}

template void sinusoidal<float>(std::span<const float>, std::span<const double>, std::size_t, float*);
template void sinusoidal<double>(std::span<const double>, std::span<const double>, std::size_t, double*);

}  // namespace attn::kernels
