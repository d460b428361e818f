// The record of arguments of an operation: nodes, numbers, flags, strings and lists by name.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "tensor/graph.hpp"
#include "wasm/values.hpp"

namespace attn {

// Reads a JavaScript record, which must outlive this object. Throws InputError naming the operation and the argument
// when an argument is missing or has another type.
class Arguments {
 public:
  Arguments(std::string_view operation, const emscripten::val& arguments) : operation_(operation), record_(arguments) {}

  std::string_view operation() const { return operation_; }
  bool has(const char* name) const { return !record_[name].isUndefined(); }

  double number(const char* name) const;
  std::optional<double> optional_number(const char* name) const;
  std::size_t size(const char* name) const;  // a non-negative integer
  int integer(const char* name) const;       // an integer
  bool flag(const char* name) const;
  std::string text(const char* name) const;
  std::vector<double> numbers(const char* name) const;
  std::vector<std::size_t> sizes(const char* name) const;
  emscripten::val record(const char* name) const { return record_[name]; }

 private:
  std::string_view operation_;
  const emscripten::val& record_;
};

}  // namespace attn
