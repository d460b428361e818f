// The number types of files, and conversion from bytes to numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tensor/array.hpp"

namespace attn {

// The contents of a file or of a part of it.
using Bytes = std::vector<std::uint8_t>;
using BytesView = std::span<const std::uint8_t>;

// The precision in which numbers are written to a file.
enum class Precision { float32, float64 };

// One number type: its kind, its size in bytes, and its byte order.
struct Element {
  enum class Kind {
    boolean,
    integer,
    unsigned_integer,
    floating,
    bfloat16  // the upper half of a float32
  };
  Kind kind = Kind::floating;
  std::size_t size = 8;
  bool big_endian = false;
};

// At most 8 little-endian bytes as an unsigned integer.
std::uint64_t little_endian(BytesView bytes);

// Appends the lowest `size` bytes of `number`, the lowest first.
void append_little_endian(Bytes& bytes, std::uint64_t number, std::size_t size);

// An array of `shape` from exactly its bytes, in row-major order, with each number converted to double. Throws
// InputError naming `operation` and `argument` when there are more or fewer bytes, and for an integer that a double
// cannot represent; MemoryError when the doubles and `bytes` take more than 512 MB.
Array<double> read_elements(BytesView bytes, const Shape& shape, const Element& element, std::string_view operation,
                            std::string_view argument);

// Little-endian floats of either precision, in row-major order.
void append_elements(Bytes& bytes, const Array<double>& array, Precision precision);

}  // namespace attn
