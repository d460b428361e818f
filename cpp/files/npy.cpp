// One array in a file: NumPy's .npy format, versions 1.0, 2.0 and 3.0.
#include "files/npy.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace attn {
namespace {

constexpr std::string_view kName = "npy";
constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMostAxes = 32;

[[noreturn]] void refuse(const std::string& argument, const std::string& actual, const std::string& expected) {
  refuse_option(kName, argument, actual, expected);
}

// The header: a Python dictionary of three entries, written as a literal.
class Header {
 public:
  Header(std::string_view text, const std::string& argument) : text_(text), argument_(argument) {
    expect('{');
    while (!take('}')) {
      const std::string key = string();
      expect(':');
      if (key == "descr" && !descr) {
        descr = string();
      } else if (key == "fortran_order" && !fortran_order) {
        fortran_order = boolean();
      } else if (key == "shape" && !shape) {
        shape = sizes();
      } else {
        refuse_header("another entry \"" + key + "\"");
      }
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    skip_spaces();
    if (position_ != text_.size()) refuse_header("text after its end");
    if (!descr || !fortran_order || !shape) refuse_header("an entry missing");
  }

  std::optional<std::string> descr;
  std::optional<bool> fortran_order;
  std::optional<Shape> shape;

 private:
  [[noreturn]] void refuse_header(const std::string& problem) const {
    refuse(argument_, "a .npy with " + problem + " in its header", "descr, fortran_order and shape, once each");
  }

  void skip_spaces() {
    while (position_ < text_.size() &&
           (text_[position_] == ' ' || text_[position_] == '\n' || text_[position_] == '\t'))
      ++position_;
  }

  bool take(char expected) {
    skip_spaces();
    if (position_ == text_.size() || text_[position_] != expected) return false;
    ++position_;
    return true;
  }

  void expect(char expected) {
    if (!take(expected)) refuse_header(std::string("no ") + expected + " at position " + std::to_string(position_));
  }

  std::string string() {
    const char quote = take('\'') ? '\'' : '"';
    if (quote == '"' && !take('"')) refuse_header("no string at position " + std::to_string(position_));
    const std::size_t end = text_.find(quote, position_);
    if (end == std::string_view::npos) refuse_header("an unterminated string");
    const std::string content(text_.substr(position_, end - position_));
    position_ = end + 1;
    return content;
  }

  bool boolean() {
    skip_spaces();
    for (const std::string_view word : {std::string_view("True"), std::string_view("False")}) {
      if (text_.substr(position_, word.size()) == word) {
        position_ += word.size();
        return word == "True";
      }
    }
    refuse_header("a fortran_order that is neither True nor False");
  }

  std::size_t size() {
    skip_spaces();
    std::uint64_t number = 0;  // not size_t: on 32-bit machines a size above 2^32 would wrap
    const std::size_t start = position_;
    for (; position_ < text_.size() && text_[position_] >= '0' && text_[position_] <= '9'; ++position_) {
      number = number * 10 + static_cast<std::uint64_t>(text_[position_] - '0');
      if (number > 0xffffffff) refuse_header("a size above 4294967295");
    }
    if (position_ == start) refuse_header("no size at position " + std::to_string(position_));
    return static_cast<std::size_t>(number);
  }

  Shape sizes() {
    Shape sizes;
    expect('(');
    while (!take(')')) {
      sizes.push_back(size());
      if (sizes.size() > kMostAxes) refuse_header("more than 32 axes");
      if (!take(',')) {
        expect(')');
        // (3) is a number in parentheses, (3,) a tuple.
        if (sizes.size() == 1) refuse_header("a shape that is not a tuple");
        break;
      }
    }
    return sizes;
  }

  std::string_view text_;
  const std::string& argument_;
  std::size_t position_ = 0;
};

Element element_of(const std::string& descr, const std::string& argument) {
  const auto refuse_type = [&] {
    refuse(argument, "a .npy of type \"" + descr + "\"",
           "booleans, integers of 8 to 64 bits or floats of 16, 32 or 64");
  };
  if (descr.size() != 3 || std::string_view("<>|=").find(descr[0]) == std::string_view::npos) refuse_type();
  Element element;
  element.big_endian = descr[0] == '>';
  element.size = static_cast<std::size_t>(descr[2] - '0');
  const bool power = descr[2] == '1' || descr[2] == '2' || descr[2] == '4' || descr[2] == '8';
  if (descr[1] == 'b' && element.size == 1) {
    element.kind = Element::Kind::boolean;
  } else if (descr[1] == 'i' && power) {
    element.kind = Element::Kind::integer;
  } else if (descr[1] == 'u' && power) {
    element.kind = Element::Kind::unsigned_integer;
  } else if (descr[1] == 'f' && power && element.size > 1) {
    element.kind = Element::Kind::floating;
  } else {
    refuse_type();
  }
  return element;
}

// Converts an array in Fortran order to row-major order.
Array<double> from_fortran(const Array<double>& read, const Shape& shape) {
  Array<double> array = full<double>(shape, 0);
  for (std::size_t position = 0; position < array.size(); ++position) {
    const Index index = index_at(shape, position);
    std::size_t offset = 0;
    for (std::size_t axis = shape.size(); axis-- > 0;) offset = offset * shape[axis] + index[axis];
    array.data()[position] = read.data()[offset];
  }
  return array;
}

}  // namespace

void check_npy_magic(BytesView file, const std::string& argument) {
  static_assert(kMagic.size() == kNpyMagicSize);
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  if (!text.starts_with(kMagic)) refuse(argument, "no .npy", "one that begins with \\x93NUMPY");
}

Array<double> read_npy(BytesView file, const std::string& argument) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  check_npy_magic(file, argument);
  if (text.size() < kMagic.size() + 2) refuse(argument, "cut off", "a version");
  const std::uint8_t version = file[kMagic.size()];
  if (version < 1 || version > 3 || file[kMagic.size() + 1] != 0) {
    refuse(argument, "a .npy of version " + std::to_string(version) + "." + std::to_string(file[kMagic.size() + 1]),
           "1.0, 2.0 or 3.0");
  }
  const std::size_t width = version == 1 ? 2 : 4;
  const std::size_t start = kMagic.size() + 2 + width;
  if (file.size() < start) refuse(argument, "cut off", "the length of its header");
  const std::uint64_t length = little_endian(file.subspan(start - width, width));
  if (length > file.size() - start) refuse(argument, "cut off", std::to_string(length) + " bytes of header");
  const Header header(text.substr(start, static_cast<std::size_t>(length)), argument);
  const Element element = element_of(*header.descr, argument);
  const BytesView numbers = file.subspan(start + static_cast<std::size_t>(length));
  Array<double> array = read_elements(numbers, *header.shape, element, kName, argument);
  return *header.fortran_order && header.shape->size() > 1 ? from_fortran(array, *header.shape) : array;
}

Bytes write_npy(const Array<double>& array, Precision precision) {
  const char* descr = precision == Precision::float32 ? "<f4" : "<f8";
  std::string header =
      std::string("{'descr': '") + descr + "', 'fortran_order': False, 'shape': " + to_string(shape_of(array)) + ", }";
  const std::size_t before = kMagic.size() + 4;
  // The header ends with a line break, and the numbers begin at a multiple of 64 bytes.
  header.append((64 - (before + header.size() + 1) % 64) % 64, ' ');
  header += '\n';
  if (header.size() > 0xffff) refuse_shape(kName, "array", shape_of(array), "fewer axes");
  Bytes file(kMagic.begin(), kMagic.end());
  file.push_back(1);
  file.push_back(0);
  append_little_endian(file, header.size(), 2);
  file.insert(file.end(), header.begin(), header.end());
  append_elements(file, array, precision);
  return file;
}

}  // namespace attn
