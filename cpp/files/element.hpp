// The numbers of a file: their types, and how bytes become them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tensor/array.hpp"

namespace attn {

using Bytes = std::vector<std::uint8_t>;
using BytesView = std::span<const std::uint8_t>;

// How the numbers of a file are kept when it is written.
enum class Precision { float32, float64 };

// One type of number: what it is, how many bytes it takes, and in which order.
struct Element {
  enum class Kind { boolean, integer, natural, floating, brain };  // brain: the upper half of a float32
  Kind kind = Kind::floating;
  std::size_t size = 8;
  bool big_endian = false;
};

// Bytes from the smallest to the largest as a number of at most 8 bytes.
std::uint64_t little_endian(BytesView bytes);
void append_little_endian(Bytes& bytes, std::uint64_t number, std::size_t size);

// An array of `shape` from exactly its bytes, in row-major order, each number as double. Throws InputError naming
// `operation` and `argument` when there are more or fewer bytes, and for an integer that no double holds; MemoryError
// when the doubles and `bytes` take more than 512 MB.
Array<double> read_elements(BytesView bytes, const Shape& shape, const Element& element, std::string_view operation,
                            std::string_view argument);

// Little-endian floats of either precision, in row-major order.
void append_elements(Bytes& bytes, const Array<double>& array, Precision precision);

}  // namespace attn
