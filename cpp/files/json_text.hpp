// As much of JSON (RFC 8259) as headers of files are written in: objects, texts, lists of whole numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Reads from front to back; everything that is not what was asked for throws InputError naming `operation` and
// `argument`.
class JsonText {
 public:
  JsonText(std::string_view text, std::string_view operation, const std::string& argument)
      : text_(text), operation_(operation), argument_(argument) {}

  // Calls `member` with each key, which then reads the value.
  void object(const std::function<void(const std::string&)>& member);
  std::string string();                  // as UTF-8
  std::vector<std::uint64_t> numbers();  // each at most 2^53
  void end();                            // nothing but white space follows

  // Throws: the text has `what`.
  [[noreturn]] void broken(const std::string& what) const;

 private:
  bool take(char wanted);
  void expect(char wanted);
  std::uint32_t code_unit();

  std::string_view text_;
  std::string_view operation_;
  const std::string& argument_;
  std::size_t place_ = 0;
};

// Whether `text` is UTF-8: no byte out of place, no form longer than needed, no half of a pair.
bool is_utf8(std::string_view text);

// `text`, which is UTF-8, in quotes.
std::string json_quoted(std::string_view text);

}  // namespace attn
