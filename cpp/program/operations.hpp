// The table of all operations and their texts in NumPy and PyTorch.
#pragma once

#include <span>
#include <string_view>

namespace attn {

// A node as an expression. The placeholders in the text are:
//
//   {0}      the first input           {inputs}  all of them         {colons}  ":, " for every axis before {axis}
//   {axis}   an attribute              {bias}    with an attribute "has_bias": the next optional input
//   {?x}     empty, present if the attribute x is true and not empty; {!x} empty, present if it is not
//   |...|    is omitted when a placeholder in it is not present
struct OperationText {
  std::string_view name;
  std::string_view numpy;
  std::string_view torch;
};

// In alphabetical order of the operations.
std::span<const OperationText> operations();

}  // namespace attn
