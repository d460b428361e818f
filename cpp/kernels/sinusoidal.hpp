// Rows of sines and cosines: "Attention Is All You Need", section 3.5.
#pragma once

#include <cstddef>
#include <span>

namespace attn::kernels {

// out[n, 2 i] = sin(positions[n] / wavelengths[i]), out[n, 2 i + 1] = cos(positions[n] / wavelengths[i]), for `dim`
// columns with one wavelength per pair. The angle is computed in double.
template <typename T>
void sinusoidal(std::span<const T> positions, std::span<const double> wavelengths, std::size_t dim, T* out);

}  // namespace attn::kernels
