// Builds the text of a Python program.
#include "program/program_text.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace attn {
namespace {

constexpr std::size_t kDigitsAtMost = 400;  // arrays of at most this size are written as decimals
constexpr std::size_t kLine = 100;          // a line is broken after this many characters
constexpr char kDigits[] = "0123456789abcdef";

// The size in bytes of the narrowest type that represents `value` exactly: uint8, float32, float64.
std::size_t width_of(double value) {
  if (value >= 0 && value <= 255 && value == std::floor(value) && !std::signbit(value)) return 1;
  return static_cast<double>(static_cast<float>(value)) == value ? 4 : 8;
}

std::uint64_t bits_of(double value, std::size_t width) {
  if (width == 1) return static_cast<std::uint64_t>(value);
  if (width == 4) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return std::bit_cast<std::uint64_t>(value);
}

}  // namespace

double Cells::operator[](std::size_t offset) const {
  if (edits)
    for (const Edit<double>& edit : *edits)
      if (edit.offset == offset) return edit.original;
  return single_precision ? single_precision[offset] : double_precision[offset];
}

ProgramText& ProgramText::add(std::string_view part) {
  text_ += part;
  return *this;
}

ProgramText& ProgramText::integer(std::uint64_t value) { return add(std::to_string(value)); }

ProgramText& ProgramText::number(double value) {
  if (std::isnan(value)) return add("np.nan");
  const bool negative = std::signbit(value);
  if (negative) add("-");
  value = std::abs(value);
  if (std::isinf(value)) return add("np.inf");
  if (value < 1e15 && value == std::floor(value))
    return integer(static_cast<std::uint64_t>(value)).add(negative && value == 0 ? ".0" : "");
  return add(decimal_(value));
}

ProgramText& ProgramText::quoted(std::string_view part) {
  text_ += '"';
  for (char c : part) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || c == '"' || c == '\\') {
      add("\\x");
      text_ += kDigits[byte >> 4];
      text_ += kDigits[byte & 15];
    } else {
      text_ += c;
    }
  }
  return add("\"");
}

ProgramText& ProgramText::shape(const Shape& shape) { return add(to_string(shape)); }

ProgramText& ProgramText::sizes(const Shape& shape) {
  for (std::size_t axis = 0; axis < shape.size(); ++axis) add(axis > 0 ? ", " : "").integer(shape[axis]);
  return *this;
}

ProgramText& ProgramText::setting(const Attribute& value) {
  if (const bool* flag = std::get_if<bool>(&value)) return add(*flag ? "True" : "False");
  if (const double* scalar = std::get_if<double>(&value)) return number(*scalar);
  if (const std::string* word = std::get_if<std::string>(&value)) return add(*word);
  add("(");
  if (const auto* list = std::get_if<std::vector<double>>(&value)) {
    for (double one : *list) number(one).add(", ");
    if (list->size() > 1) truncate(size() - 2);
  }
  if (const auto* list = std::get_if<std::vector<std::string>>(&value)) {
    for (const std::string& one : *list) quoted(one).add(", ");
    if (list->size() > 1) truncate(size() - 2);
  }
  return add(")");
}

ProgramText& ProgramText::array(const Cells& cells) {
  std::size_t same = 0;
  while (same < cells.count && bits_of(cells[same], 8) == bits_of(cells[0], 8)) ++same;
  if (same == cells.count && cells.count != 1) {
    const double value = cells.count == 0 ? 0 : cells[0];
    add("np.full(").shape(*cells.shape).add(", ").number(value).add(", dtype=np.float64)");
  } else if (cells.count > kDigitsAtMost) {
    bytes(cells);
  } else {
    const std::size_t start = size();
    digits(cells, false);
    if (size() - start <= kLine) return *this;
    truncate(start);
    digits(cells, true);
  }
  return *this;
}

// [[1, 2], [3, 4]], with a line per row if it is broken.
void ProgramText::digits(const Cells& cells, bool broken) {
  const Shape& shape = *cells.shape;
  add("np.array(");
  std::size_t line = size();
  for (std::size_t offset = 0; offset < cells.count; ++offset) {
    // How many axes begin, or end, at this cell.
    std::size_t begin = 0, end = 0;
    for (std::size_t size = 1, axis = shape.size(); axis-- > 0;) {
      size *= shape[axis];
      begin += offset % size == 0;
      end += (offset + 1) % size == 0;
    }
    if (offset > 0) add(",");
    if (broken && (begin > 0 || size() - line > kLine)) {
      add("\n    ");
      line = size();
    } else if (offset > 0) {
      add(" ");
    }
    text_.append(begin, '[');
    number(cells[offset]);
    text_.append(end, ']');
  }
  add(", dtype=np.float64)");
}

// Hexadecimal, with the lowest byte of a number first.
void ProgramText::bytes(const Cells& cells) {
  std::size_t width = 1;
  for (std::size_t offset = 0; offset < cells.count; ++offset) width = std::max(width, width_of(cells[offset]));
  add("np.frombuffer(bytes.fromhex(");
  std::size_t digits = 0;
  for (std::size_t offset = 0; offset < cells.count; ++offset) {
    std::uint64_t bits = bits_of(cells[offset], width);
    for (std::size_t byte = 0; byte < width; ++byte, bits >>= 8) {
      if (digits % kLine == 0) add(digits == 0 ? "\n    \"" : "\"\n    \"");
      text_ += kDigits[(bits >> 4) & 15];
      text_ += kDigits[bits & 15];
      digits += 2;
    }
  }
  add("\"\n), \"").add(width == 1 ? "u1" : width == 4 ? "<f4" : "<f8").add("\").astype(np.float64).reshape(");
  shape(*cells.shape).add(")");
}

}  // namespace attn
