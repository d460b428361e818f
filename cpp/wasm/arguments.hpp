// The record an operation is called with: nodes, numbers, flags, words and lists by name.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "tensor/graph.hpp"
#include "wasm/values.hpp"

namespace attn {

class Arguments {
 public:
  Arguments(std::string_view operation, const emscripten::val& given) : operation_(operation), given_(given) {}

  std::string_view operation() const { return operation_; }
  bool has(const char* name) const { return !given_[name].isUndefined(); }

  double number(const char* name) const;
  std::optional<double> optional_number(const char* name) const;
  std::size_t size(const char* name) const;  // a whole number from 0
  int whole(const char* name) const;         // a whole number, possibly negative
  bool flag(const char* name) const;
  std::string text(const char* name) const;
  std::vector<double> numbers(const char* name) const;
  std::vector<std::size_t> sizes(const char* name) const;
  emscripten::val record(const char* name) const { return given_[name]; }

 private:
  std::string_view operation_;
  const emscripten::val& given_;
};

}  // namespace attn
