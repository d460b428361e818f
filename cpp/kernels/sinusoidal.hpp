// Rows of sines and cosines: "Attention Is All You Need", section 3.5.
#pragma once

#include <cstddef>
#include <span>

namespace attn::kernels {

// out[n, 2 i] = sin(positions[n] / wavelengths[i]), out[n, 2 i + 1] = cos of the same, for `dim` columns of one wavelength a
// pair; the angle is a double's.
template <typename T>
void sinusoidal(std::span<const T> positions, std::span<const double> wavelengths, std::size_t dim, T* out);

}  // namespace attn::kernels
