// Every operation as NumPy and PyTorch put it: the table that names them all.
#pragma once

#include <span>
#include <string_view>

namespace attn {

// A node as an expression. In the text
//
//   {0}      the first input           {inputs}  all of them         {colons}  ":, " for every axis before {axis}
//   {axis}   an attribute              {bias}    with an attribute "has_bias": the next input that may be left out
//   {?x}     nothing, when the attribute x is true, given and not empty; {!x} nothing, when it is not
//   |...|    is left out when something in it is not there
struct OperationText {
  std::string_view name;
  std::string_view numpy;
  std::string_view torch;
};

// In alphabetical order.
std::span<const OperationText> operations();

}  // namespace attn
