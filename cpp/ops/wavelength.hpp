// The wavelengths that sinusoidal, rotary and shift_matrix share: "Attention Is All You Need", section 3.5.
#pragma once

#include <cstddef>
#include <string_view>

#include "tensor/explanation.hpp"

namespace attn {

// base^(2i / dim), in double
double wavelength(double base, std::size_t i, std::size_t dim);

// Adds the row "wavelength": base, 2i and dim -> base^(2i / dim), and gives that.
double add_wavelength(Explanation& explanation, double base, std::size_t i, std::size_t dim);

// Throws InputError naming `operation` unless base is above 0 and finite.
void check_base(double base, std::string_view operation);

}  // namespace attn
