// Values that cross the boundary, each copied.
#pragma once

#include <emscripten/val.h>

#include <string>
#include <vector>

#include "tensor/op.hpp"

namespace attn {

// JavaScript's side of a value, named for the generated types. Arguments come as these and not as std::string: a refused
// call then frees them like any C++ object.
namespace js {
EMSCRIPTEN_DECLARE_VAL_TYPE(Text)
EMSCRIPTEN_DECLARE_VAL_TYPE(Numbers)
EMSCRIPTEN_DECLARE_VAL_TYPE(Cells)
EMSCRIPTEN_DECLARE_VAL_TYPE(Given)
EMSCRIPTEN_DECLARE_VAL_TYPE(Record)
}  // namespace js

std::string text_of(const emscripten::val& value);
std::vector<double> numbers_of(const emscripten::val& value);

// The setting maxBytes of `operation`. Throws InputError above what a module can ever hold, which is 2 GB.
std::uint64_t max_bytes_of(double given, std::string_view operation);

// Whole numbers from 0. Throws InputError for anything else, naming `operation` and `argument`.
std::vector<std::size_t> sizes_of(const emscripten::val& value, std::string_view operation, std::string_view argument);

// A typed array's numbers under `shape`, of which the memory was granted. Throws InputError when they do not fill it.
template <typename T>
Array<T> array_of(const emscripten::val& cells, const Shape& shape, std::string_view operation);

// The same to memory that there is already.
template <typename T>
void copy_cells(const emscripten::val& cells, const Shape& shape, std::string_view operation, T* to);

// A typed array of the numbers from `data` on.
template <typename T>
emscripten::val copy_of(const T* data, std::size_t count) {
  return emscripten::val(emscripten::typed_memory_view(count, data)).call<emscripten::val>("slice");
}

emscripten::val list_of(const std::vector<std::size_t>& values);

// Settings of a node: booleans, numbers, strings, lists of numbers or strings.
emscripten::val record_of(const Attributes& attributes);
Attributes attributes_of(const emscripten::val& record);

// An explanation as JavaScript reads it: an operand's input stays a number, the place among the inputs of the node.
emscripten::val record_of(const Row& row);
emscripten::val record_of(const Explanation& explanation);

}  // namespace attn
