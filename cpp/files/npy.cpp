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
        broken("another entry \"" + key + "\"");
      }
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    skip_spaces();
    if (place_ != text_.size()) broken("more after its end");
    if (!descr || !fortran_order || !shape) broken("an entry missing");
  }

  std::optional<std::string> descr;
  std::optional<bool> fortran_order;
  std::optional<Shape> shape;

 private:
  [[noreturn]] void broken(const std::string& what) const {
    refuse(argument_, "a .npy with " + what + " in its header", "descr, fortran_order and shape, once each");
  }

  void skip_spaces() {
    while (place_ < text_.size() && (text_[place_] == ' ' || text_[place_] == '\n' || text_[place_] == '\t')) ++place_;
  }

  bool take(char wanted) {
    skip_spaces();
    if (place_ == text_.size() || text_[place_] != wanted) return false;
    ++place_;
    return true;
  }

  void expect(char wanted) {
    if (!take(wanted)) broken(std::string("no ") + wanted + " at place " + std::to_string(place_));
  }

  std::string string() {
    const char quote = take('\'') ? '\'' : '"';
    if (quote == '"' && !take('"')) broken("no text at place " + std::to_string(place_));
    const std::size_t end = text_.find(quote, place_);
    if (end == std::string_view::npos) broken("text without an end");
    const std::string content(text_.substr(place_, end - place_));
    place_ = end + 1;
    return content;
  }

  bool boolean() {
    skip_spaces();
    for (const std::string_view word : {std::string_view("True"), std::string_view("False")}) {
      if (text_.substr(place_, word.size()) == word) {
        place_ += word.size();
        return word == "True";
      }
    }
    broken("a fortran_order that is neither True nor False");
  }

  std::size_t size() {
    skip_spaces();
    std::uint64_t number = 0;  // not size_t: on 32-bit machines a size above 2^32 would wrap
    const std::size_t start = place_;
    for (; place_ < text_.size() && text_[place_] >= '0' && text_[place_] <= '9'; ++place_) {
      number = number * 10 + static_cast<std::uint64_t>(text_[place_] - '0');
      if (number > 0xffffffff) broken("a size above 4294967295");
    }
    if (place_ == start) broken("no size at place " + std::to_string(place_));
    return static_cast<std::size_t>(number);
  }

  Shape sizes() {
    Shape found;
    expect('(');
    while (!take(')')) {
      found.push_back(size());
      if (found.size() > kMostAxes) broken("more than 32 axes");
      if (!take(',')) {
        expect(')');
        // (3) is a number in parentheses, (3,) a tuple.
        if (found.size() == 1) broken("a shape that is no tuple");
        break;
      }
    }
    return found;
  }

  std::string_view text_;
  const std::string& argument_;
  std::size_t place_ = 0;
};

Element element_of(const std::string& descr, const std::string& argument) {
  const auto refused = [&] {
    refuse(argument, "a .npy of type \"" + descr + "\"",
           "booleans, integers of 8 to 64 bits or floats of 16, 32 or 64");
  };
  if (descr.size() != 3 || std::string_view("<>|=").find(descr[0]) == std::string_view::npos) refused();
  Element element;
  element.big_endian = descr[0] == '>';
  element.size = static_cast<std::size_t>(descr[2] - '0');
  const bool power = descr[2] == '1' || descr[2] == '2' || descr[2] == '4' || descr[2] == '8';
  if (descr[1] == 'b' && element.size == 1) {
    element.kind = Element::Kind::boolean;
  } else if (descr[1] == 'i' && power) {
    element.kind = Element::Kind::integer;
  } else if (descr[1] == 'u' && power) {
    element.kind = Element::Kind::natural;
  } else if (descr[1] == 'f' && power && element.size > 1) {
    element.kind = Element::Kind::floating;
  } else {
    refused();
  }
  return element;
}

// Converts an array in Fortran order to row-major order.
Array<double> from_fortran(const Array<double>& read, const Shape& shape) {
  Array<double> array = full<double>(shape, 0);
  for (std::size_t place = 0; place < array.size(); ++place) {
    const Index index = index_at(shape, place);
    std::size_t offset = 0;
    for (std::size_t axis = shape.size(); axis-- > 0;) offset = offset * shape[axis] + index[axis];
    array.data()[place] = read.data()[offset];
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
