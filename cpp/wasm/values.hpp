// Conversion of values between JavaScript and C++; each is copied.
#pragma once

#include <emscripten/val.h>

#include <string>
#include <vector>

#include "tensor/op.hpp"

namespace attn {

// JavaScript types of values, named for the generated declarations. Arguments are passed as these and not as
// std::string, so that a refused call frees them like any C++ object.
namespace js {
EMSCRIPTEN_DECLARE_VAL_TYPE(Text)
EMSCRIPTEN_DECLARE_VAL_TYPE(Numbers)
EMSCRIPTEN_DECLARE_VAL_TYPE(Cells)
EMSCRIPTEN_DECLARE_VAL_TYPE(Object)
EMSCRIPTEN_DECLARE_VAL_TYPE(Record)
}  // namespace js

// A JavaScript string, or a Uint8Array of UTF-8, as UTF-8.
std::string text_of(const emscripten::val& value);
// An array of numbers.
std::vector<double> numbers_of(const emscripten::val& value);

// The setting maxBytes of `operation`. Throws InputError above 2 GB, the most that a module can hold.
std::uint64_t max_bytes_of(double bytes, std::string_view operation);

// Non-negative integers. Throws InputError for anything else, naming `operation` and `argument`.
std::vector<std::size_t> sizes_of(const emscripten::val& value, std::string_view operation, std::string_view argument);

// The numbers of a typed array as an array of `shape`; the caller has checked the memory. Throws InputError when
// their count does not match the shape.
template <typename T>
Array<T> array_of(const emscripten::val& cells, const Shape& shape, std::string_view operation);

// The same into existing memory.
template <typename T>
void copy_cells(const emscripten::val& cells, const Shape& shape, std::string_view operation, T* to);

// A typed array with a copy of the numbers from `data` on.
template <typename T>
emscripten::val copy_of(const T* data, std::size_t count) {
  return emscripten::val(emscripten::typed_memory_view(count, data)).call<emscripten::val>("slice");
}

emscripten::val list_of(const std::vector<std::size_t>& values);

// Calls visit(entry) for every entry of a JavaScript array.
template <typename Visit>
void each_of(const emscripten::val& entries, Visit visit) {
  const auto count = entries["length"].as<unsigned>();
  for (unsigned i = 0; i < count; ++i) visit(emscripten::val(entries[i]));
}

// Calls visit(name, value) with every entry of a JavaScript record.
template <typename Visit>
void each_entry(const emscripten::val& record, const Visit& visit) {
  const emscripten::val names = emscripten::val::global("Object").call<emscripten::val>("keys", record);
  const auto count = names["length"].as<unsigned>();
  for (unsigned i = 0; i < count; ++i) {
    const emscripten::val name = names[i];
    visit(text_of(name), emscripten::val(record[name]));
  }
}

// Settings of a node: booleans, numbers, strings, lists of numbers or strings.
emscripten::val record_of(const Attributes& attributes);
Attributes attributes_of(const emscripten::val& record);

// An explanation for JavaScript. The input of an operand remains a position among the inputs of the node.
emscripten::val record_of(const Row& row);
emscripten::val record_of(const Explanation& explanation);

}  // namespace attn
