// A reader for the part of JSON (RFC 8259) that file headers use: objects, strings, lists of whole numbers.
#include "files/json_text.hpp"

#include "tensor/shape.hpp"

namespace attn {
namespace {

constexpr std::string_view kHex = "0123456789abcdef";

void append_utf8(std::string& text, std::uint32_t code) {
  const auto tail = [&](int shift) { text += static_cast<char>(0x80 | (code >> shift & 0x3f)); };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xc0 | code >> 6);
    tail(0);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xe0 | code >> 12);
    tail(6);
    tail(0);
  } else {
    text += static_cast<char>(0xf0 | code >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (std::size_t position = 0; position < text.size();) {
    const auto first = static_cast<unsigned char>(text[position++]);
    if (first < 0x80) continue;
    const std::size_t tail = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    if (first < 0xc2 || first > 0xf4 || text.size() - position < tail) return false;
    std::uint32_t code = first & (0x3f >> tail);
    for (std::size_t i = 0; i < tail; ++i) {
      const auto next = static_cast<unsigned char>(text[position++]);
      if (next >> 6 != 2) return false;
      code = code << 6 | (next & 0x3fu);
    }
    constexpr std::uint32_t kLeast[] = {0x80, 0x800, 0x10000};
    if (code < kLeast[tail - 1] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return false;
  }
  return true;
}

void JsonText::refuse(const std::string& problem) const {
  refuse_option(operation_, argument_, "damaged: its header has " + problem, "a valid header");
}

bool JsonText::take(char expected) {
  while (position_ < text_.size() && std::string_view(" \t\n\r").find(text_[position_]) != std::string_view::npos)
    ++position_;
  if (position_ == text_.size() || text_[position_] != expected) return false;
  ++position_;
  return true;
}

void JsonText::expect(char expected) {
  if (!take(expected)) refuse(std::string("no ") + expected + " at position " + std::to_string(position_));
}

void JsonText::object(const std::function<void(const std::string&)>& member) {
  expect('{');
  if (take('}')) return;
  do {
    const std::string key = string();
    expect(':');
    member(key);
  } while (take(','));
  expect('}');
}

std::uint32_t JsonText::code_unit() {
  std::uint32_t code = 0;
  for (int i = 0; i < 4; ++i, ++position_) {
    const char digit = position_ < text_.size() ? text_[position_] : ' ';
    const std::size_t value = kHex.find(digit >= 'A' && digit <= 'F' ? static_cast<char>(digit - 'A' + 'a') : digit);
    if (value == std::string_view::npos) refuse("no four digits after \\u at position " + std::to_string(position_));
    code = code << 4 | static_cast<std::uint32_t>(value);
  }
  return code;
}

std::string JsonText::string() {
  expect('"');
  std::string content;
  while (position_ < text_.size()) {
    const char c = text_[position_++];
    if (c == '"') return content;
    if (static_cast<unsigned char>(c) < 0x20) break;
    if (c != '\\') {
      content += c;
      continue;
    }
    const char escaped = position_ < text_.size() ? text_[position_++] : ' ';
    constexpr std::string_view kEscapes = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    if (const std::size_t index = kEscapes.find(escaped); index != std::string_view::npos) {
      content += kMeanings[index];
    } else if (escaped == 'u') {
      std::uint32_t code = code_unit();
      if (code >= 0xd800 && code < 0xdc00 && text_.substr(position_, 2) == "\\u") {
        position_ += 2;
        const std::uint32_t low = code_unit();
        if (low < 0xdc00 || low > 0xdfff) refuse("half of a surrogate pair at position " + std::to_string(position_));
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
      }
      if (code >= 0xd800 && code < 0xe000) refuse("half of a surrogate pair at position " + std::to_string(position_));
      append_utf8(content, code);
    } else {
      break;
    }
  }
  refuse("an unterminated string at position " + std::to_string(position_));
}

std::vector<std::uint64_t> JsonText::numbers() {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 53;
  std::vector<std::uint64_t> numbers;
  expect('[');
  if (take(']')) return numbers;
  do {
    // Skips the white space before a number.
    if (take('-')) refuse("a number below 0 at position " + std::to_string(position_));
    const std::size_t start = position_;
    std::uint64_t number = 0;
    for (; position_ < text_.size() && text_[position_] >= '0' && text_[position_] <= '9'; ++position_) {
      number = number * 10 + static_cast<std::uint64_t>(text_[position_] - '0');
      if (number > kMost) refuse("a number above 2^53 at position " + std::to_string(start));
    }
    if (position_ == start) refuse("no whole number at position " + std::to_string(start));
    numbers.push_back(number);
  } while (take(','));
  expect(']');
  return numbers;
}

void JsonText::end() {
  // The call only skips white space: no header contains the character \0.
  if (take('\0') || position_ != text_.size()) refuse("text after its end");
}

std::string json_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (code < 0x20) {
      quoted += "\\u00";
      quoted += kHex[code >> 4];
      quoted += kHex[code & 15];
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

}  // namespace attn
