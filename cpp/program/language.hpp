// What a program is written in: how it begins, how an operation is put, and the small functions it may define.
#pragma once

#include <span>
#include <string_view>

#include "program/operations.hpp"

namespace attn {

// A layer (LayerCall) as an object that holds its parameters: how it is made, and how it is called.
struct LayerEmitter {
  std::string_view kind;
  std::string_view make;
  std::string_view call;
};

// A function that a program defines when something in it calls it.
struct Function {
  std::string_view name;
  std::string_view text;
};

struct Language {
  std::string_view name;     // "NumPy"
  std::string_view opening;  // everything before the functions but the imports that only some of them need
  std::string_view leaf;     // what an array becomes: "{0}" or a call around it
  std::string_view OperationText::* text;  // how it puts an operation
  std::span<const Function> functions;
  std::span<const LayerEmitter> layers = {};

  // How an operation is put. Throws InputError for one that is not there.
  std::string_view text_of(std::string_view op) const;

  // Null for a layer that the language does not have.
  const LayerEmitter* layer(std::string_view kind) const;
};

const Language& numpy_language();
const Language& torch_language();

}  // namespace attn
