// Computes the value of a cell from the rows that explain it, by their roles.
#pragma once

#include <string>

#include "tensor/explanation.hpp"

namespace op_cases {

// Computed from the rows before the last; also checks that the rows are consistent with each other.
double recombine(const std::string& op, const attn::Index& index, const attn::Explanation& explanation);

}  // namespace op_cases
