// The wavelengths of sinusoidal, rotary and shift_matrix.
#include "ops/wavelength.hpp"

#include <cmath>

namespace attn {
namespace {

double exponent(std::size_t i, std::size_t dim) { return 2 * static_cast<double>(i) / static_cast<double>(dim); }

}  // namespace

double wavelength(double base, std::size_t i, std::size_t dim) { return std::pow(base, exponent(i, dim)); }

double add_wavelength(Explanation& explanation, double base, std::size_t i, std::size_t dim) {
  const double length = wavelength(base, i, dim);
  explanation.row("wavelength")
      .term(base)
      .term(2 * static_cast<double>(i))
      .term(static_cast<double>(dim))
      .gives(length);
  return length;
}

void check_base(double base, std::string_view operation) {
  if (!(base > 0 && std::isfinite(base))) refuse_option(operation, "base", format_number(base), "a number above 0");
}

}  // namespace attn
