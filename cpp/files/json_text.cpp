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
  for (std::size_t place = 0; place < text.size();) {
    const auto first = static_cast<unsigned char>(text[place++]);
    if (first < 0x80) continue;
    const std::size_t tail = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    if (first < 0xc2 || first > 0xf4 || text.size() - place < tail) return false;
    std::uint32_t code = first & (0x3f >> tail);
    for (std::size_t i = 0; i < tail; ++i) {
      const auto next = static_cast<unsigned char>(text[place++]);
      if (next >> 6 != 2) return false;
      code = code << 6 | (next & 0x3fu);
    }
    constexpr std::uint32_t kLeast[] = {0x80, 0x800, 0x10000};
    if (code < kLeast[tail - 1] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return false;
  }
  return true;
}

void JsonText::broken(const std::string& what) const {
  refuse_option(operation_, argument_, "damaged: its header has " + what, "a header as the format says");
}

bool JsonText::take(char wanted) {
  while (place_ < text_.size() && std::string_view(" \t\n\r").find(text_[place_]) != std::string_view::npos) ++place_;
  if (place_ == text_.size() || text_[place_] != wanted) return false;
  ++place_;
  return true;
}

void JsonText::expect(char wanted) {
  if (!take(wanted)) broken(std::string("no ") + wanted + " at place " + std::to_string(place_));
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
  for (int i = 0; i < 4; ++i, ++place_) {
    const char digit = place_ < text_.size() ? text_[place_] : ' ';
    const std::size_t value = kHex.find(digit >= 'A' && digit <= 'F' ? static_cast<char>(digit - 'A' + 'a') : digit);
    if (value == std::string_view::npos) broken("no four digits after \\u at place " + std::to_string(place_));
    code = code << 4 | static_cast<std::uint32_t>(value);
  }
  return code;
}

std::string JsonText::string() {
  expect('"');
  std::string content;
  while (place_ < text_.size()) {
    const char c = text_[place_++];
    if (c == '"') return content;
    if (static_cast<unsigned char>(c) < 0x20) break;
    if (c != '\\') {
      content += c;
      continue;
    }
    const char escaped = place_ < text_.size() ? text_[place_++] : ' ';
    constexpr std::string_view kEscapes = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    if (const std::size_t which = kEscapes.find(escaped); which != std::string_view::npos) {
      content += kMeanings[which];
    } else if (escaped == 'u') {
      std::uint32_t code = code_unit();
      if (code >= 0xd800 && code < 0xdc00 && text_.substr(place_, 2) == "\\u") {
        place_ += 2;
        const std::uint32_t low = code_unit();
        if (low < 0xdc00 || low > 0xdfff) broken("half a character at place " + std::to_string(place_));
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
      }
      if (code >= 0xd800 && code < 0xe000) broken("half a character at place " + std::to_string(place_));
      append_utf8(content, code);
    } else {
      break;
    }
  }
  broken("text without an end at place " + std::to_string(place_));
}

std::vector<std::uint64_t> JsonText::numbers() {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 53;
  std::vector<std::uint64_t> found;
  expect('[');
  if (take(']')) return found;
  do {
    // Skips the white space before a number.
    if (take('-')) broken("a number below 0 at place " + std::to_string(place_));
    const std::size_t start = place_;
    std::uint64_t number = 0;
    for (; place_ < text_.size() && text_[place_] >= '0' && text_[place_] <= '9'; ++place_) {
      number = number * 10 + static_cast<std::uint64_t>(text_[place_] - '0');
      if (number > kMost) broken("a number above 2^53 at place " + std::to_string(start));
    }
    if (place_ == start) broken("no whole number at place " + std::to_string(start));
    found.push_back(number);
  } while (take(','));
  expect(']');
  return found;
}

void JsonText::end() {
  // No text contains this character: the call only skips white space.
  if (take('\0') || place_ != text_.size()) broken("more after its end");
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
