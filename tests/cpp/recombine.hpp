// The value of a cell from the rows that explain it, by the meaning of their roles.
#pragma once

#include <string>

#include "tensor/explanation.hpp"

namespace op_cases {

// Computed from the rows before the last; checks on the way what the rows say of each other.
double recombine(const std::string& op, const attn::Index& index, const attn::Explanation& explanation);

}  // namespace op_cases
