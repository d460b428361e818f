// The programming languages in which a graph can be written: the opening of a program, the text of each operation,
// and the small functions that a program may define.
#pragma once

#include <span>
#include <string_view>

#include "program/operations.hpp"

namespace attn {

// The text of a layer (LayerCall) as an object that holds its parameters: its construction and its call.
struct LayerEmitter {
  std::string_view kind;
  std::string_view make;
  std::string_view call;
};

// A function that a program defines when its text calls it.
struct Function {
  std::string_view name;
  std::string_view text;
};

// A language: the parts from which programs in it are written.
struct Language {
  std::string_view name;     // "NumPy"
  std::string_view opening;  // everything before the functions except the imports that only some of them need
  std::string_view leaf;     // the text of an array: "{0}", or a call around it
  std::string_view OperationText::* text;  // the member of OperationText with the operation's text
  std::span<const Function> functions;
  std::span<const LayerEmitter> layers = {};

  // The text of an operation. Throws InputError for one that does not exist.
  std::string_view text_of(std::string_view op) const;

  // Null for a layer that the language does not provide.
  const LayerEmitter* layer(std::string_view kind) const;
};

const Language& numpy_language();
const Language& torch_language();

}  // namespace attn
