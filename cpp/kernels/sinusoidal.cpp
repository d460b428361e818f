// Rows of sines and cosines, computed two pairs of columns at a time.
#include "kernels/sinusoidal.hpp"

#include <algorithm>

#include "kernels/sin_cos.hpp"

namespace attn::kernels {

template <typename T>
void sinusoidal(std::span<const T> positions, std::span<const double> wavelengths, std::size_t dim, T* out) {
  for (const T position : positions) {
    for (std::size_t i = 0; i < wavelengths.size(); i += 2) {
      const bool is_last_pair = i + 1 == wavelengths.size();
      const Lanes<double> two_wavelengths = {wavelengths[i], wavelengths[is_last_pair ? i : i + 1]};
      const auto [sin, cos] = sin_cos(splat(static_cast<double>(position)) / two_wavelengths);
      const T columns[] = {static_cast<T>(sin[0]), static_cast<T>(cos[0]), static_cast<T>(sin[1]),
                           static_cast<T>(cos[1])};
      std::copy_n(columns, std::min<std::size_t>(4, dim - 2 * i), out + 2 * i);
    }
    out += dim;
  }
}

template void sinusoidal<float>(std::span<const float>, std::span<const double>, std::size_t, float*);
template void sinusoidal<double>(std::span<const double>, std::span<const double>, std::size_t, double*);

}  // namespace attn::kernels
