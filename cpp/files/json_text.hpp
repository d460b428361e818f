// A reader for the part of JSON (RFC 8259) that file headers use: objects, strings, lists of whole numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Reads from front to back. Throws InputError naming `operation` and `argument` when the text is not what a function
// expects.
class JsonText {
 public:
  JsonText(std::string_view text, std::string_view operation, const std::string& argument)
      : text_(text), operation_(operation), argument_(argument) {}

  // Calls `member` with each key; `member` then reads the value.
  void object(const std::function<void(const std::string&)>& member);
  std::string string();                  // as UTF-8
  std::vector<std::uint64_t> numbers();  // each at most 2^53
  void end();                            // expects that only white space follows

  // Throws the InputError "operation: argument is damaged: its header has `problem`, expected a valid header".
  [[noreturn]] void refuse(const std::string& problem) const;

 private:
  bool take(char expected);
  void expect(char expected);
  std::uint32_t code_unit();

  std::string_view text_;
  std::string_view operation_;
  const std::string& argument_;
  std::size_t position_ = 0;
};

// Whether `text` is valid UTF-8: no misplaced bytes, no overlong forms, no surrogates.
bool is_utf8(std::string_view text);

// `text`, which must be UTF-8, as a JSON string in quotes.
std::string json_quoted(std::string_view text);

}  // namespace attn
