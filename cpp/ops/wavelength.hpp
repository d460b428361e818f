// The wavelengths of sinusoidal, rotary and shift_matrix: "Attention Is All You Need", section 3.5.
#pragma once

#include <cstddef>
#include <string_view>

#include "tensor/explanation.hpp"

namespace attn {

// Returns base^(2i / dim), in double.
double wavelength(double base, std::size_t i, std::size_t dim);

// Adds the row "wavelength", which is base, 2i and dim -> base^(2i / dim), and returns that number.
double add_wavelength(Explanation& explanation, double base, std::size_t i, std::size_t dim);

// Throws InputError naming `operation` unless base is positive and finite.
void check_base(double base, std::string_view operation);

}  // namespace attn
