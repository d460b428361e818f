// The record of arguments of an operation: nodes, numbers, flags, strings and lists by name.
#include "wasm/arguments.hpp"

namespace attn {

using emscripten::val;

namespace {

val required(std::string_view operation, const val& arguments, const char* name) {
  val value = arguments[name];
  if (value.isUndefined()) refuse_option(operation, name, "missing", "a value");
  return value;
}

}  // namespace

double Arguments::number(const char* name) const {
  const val value = required(operation_, record_, name);
  if (!value.isNumber()) refuse_option(operation_, name, "not a number", "a number");
  return value.as<double>();
}

std::optional<double> Arguments::optional_number(const char* name) const {
  return has(name) ? std::optional(number(name)) : std::nullopt;
}

std::size_t Arguments::size(const char* name) const {
  const double value = number(name);
  if (!(value >= 0 && value < 4294967296.0) || value != std::floor(value)) {
    refuse_option(operation_, name, format_number(value), "a whole number from 0 to 4294967295");
  }
  return static_cast<std::size_t>(value);
}

int Arguments::integer(const char* name) const {
  const double value = number(name);
  if (!(std::abs(value) < 2147483648.0) || value != std::floor(value)) {
    refuse_option(operation_, name, format_number(value), "a whole number");
  }
  return static_cast<int>(value);
}

bool Arguments::flag(const char* name) const { return has(name) && record_[name].as<bool>(); }

std::string Arguments::text(const char* name) const { return text_of(required(operation_, record_, name)); }

std::vector<double> Arguments::numbers(const char* name) const {
  return numbers_of(required(operation_, record_, name));
}

std::vector<std::size_t> Arguments::sizes(const char* name) const {
  return sizes_of(required(operation_, record_, name), operation_, name);
}

}  // namespace attn
