// The number types of files, and conversion from bytes to numbers.
#include "files/element.hpp"

#include <bit>
#include <cmath>

#include "tensor/memory.hpp"

namespace attn {
namespace {

// IEEE 754 binary16: 1 bit of sign, 5 of exponent, 10 of fraction.
double half(std::uint64_t bits) {
  const auto exponent = static_cast<int>(bits >> 10 & 0x1f);
  const auto fraction = static_cast<double>(bits & 0x3ff);
  double size = 0;
  if (exponent == 0x1f) {
    size = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    size = std::ldexp(fraction, -24);
  } else {
    size = std::ldexp(1024 + fraction, exponent - 25);
  }
  return bits & 0x8000 ? -size : size;
}

double floating(std::uint64_t bits, std::size_t size) {
  if (size == 2) return half(bits);
  if (size == 4) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  return std::bit_cast<double>(bits);
}

// Whether at most 53 bits lie between the first and the last 1 of an integer, so that a double represents it.
bool fits_double(std::uint64_t magnitude) {
  return magnitude == 0 || std::bit_width(magnitude) - std::countr_zero(magnitude) <= 53;
}

std::uint64_t bits_at(BytesView bytes, bool big_endian) {
  if (!big_endian) return little_endian(bytes);
  std::uint64_t number = 0;
  for (const std::uint8_t byte : bytes) number = number << 8 | byte;
  return number;
}

}  // namespace

std::uint64_t little_endian(BytesView bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) number = number << 8 | bytes[i];
  return number;
}

void append_little_endian(Bytes& bytes, std::uint64_t number, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<std::uint8_t>(number >> (8 * i)));
}

Array<double> read_elements(BytesView bytes, const Shape& shape, const Element& element, std::string_view operation,
                            std::string_view argument) {
  const std::uint64_t count = cell_count(shape);
  const std::uint64_t needed = count * sizeof(double) + bytes.size();
  if (needed > kMaxBytes) {
    throw MemoryError(std::string(operation) + ": " + std::string(argument) + " of shape " + to_string(shape) +
                      " needs " + std::to_string(needed) + " bytes; the limit is " + std::to_string(kMaxBytes));
  }
  if (bytes.size() != count * element.size) {
    refuse_option(operation, argument, std::to_string(bytes.size()) + " bytes long after its header",
                  std::to_string(count * element.size) + " for shape " + to_string(shape));
  }
  Array<double> array = full<double>(shape, 0);
  for (std::size_t i = 0; i < array.size(); ++i) {
    const std::uint64_t bits = bits_at(bytes.subspan(i * element.size, element.size), element.big_endian);
    double& cell = array.data()[i];
    const bool is_signed = element.kind == Element::Kind::integer;
    const bool negative = is_signed && (bits >> (8 * element.size - 1) & 1) != 0;
    // Two's complement: for a negative number the bits above those read are ones.
    const std::uint64_t wide = negative && element.size < 8 ? bits | ~std::uint64_t{0} << (8 * element.size) : bits;
    const std::uint64_t magnitude = negative ? ~wide + 1 : wide;
    switch (element.kind) {
      case Element::Kind::boolean:
        cell = bits != 0 ? 1 : 0;
        break;
      case Element::Kind::floating:
        cell = floating(bits, element.size);
        break;
      case Element::Kind::bfloat16:
        cell = std::bit_cast<float>(static_cast<std::uint32_t>(bits << 16));
        break;
      case Element::Kind::integer:
      case Element::Kind::unsigned_integer:
        if (!fits_double(magnitude)) {
          refuse_option(operation, argument,
                        (negative ? "-" : "") + std::to_string(magnitude) + " at position " + std::to_string(i),
                        "integers of at most 53 bits");
        }
        cell = negative ? -static_cast<double>(magnitude) : static_cast<double>(magnitude);
        break;
    }
  }
  return array;
}

void append_elements(Bytes& bytes, const Array<double>& array, Precision precision) {
  bytes.reserve(bytes.size() + array.size() * (precision == Precision::float32 ? 4 : 8));
  for (const double cell : array) {
    if (precision == Precision::float32) {
      append_little_endian(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(cell)), 4);
    } else {
      append_little_endian(bytes, std::bit_cast<std::uint64_t>(cell), 8);
    }
  }
}

}  // namespace attn
