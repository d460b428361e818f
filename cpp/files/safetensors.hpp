// Named arrays in one file: the safetensors format.
#pragma once

#include "files/element.hpp"
#include "tensor/parameters.hpp"

namespace attn {

// The format: eight bytes with the length of a JSON header, the header, the numbers. Reads the types BOOL, U8, I8,
// U16, I16, U32, I32, U64, I64, F16, BF16, F32 and F64; "__metadata__" is skipped. The arrays come in the order of
// the header. Throws InputError naming `argument` for an invalid header, a type that is not listed, offsets that do
// not fit the shape, the file or each other, a name that occurs twice, and an integer that a double cannot represent;
// MemoryError when the file and the arrays, as doubles and with 1 KB for each, take more than `max_bytes`.
std::vector<NamedArray> read_safetensors(BytesView file, const std::string& argument = "file",
                                         std::uint64_t max_bytes = 512 * 1024 * 1024);

// Writes little-endian numbers, one array after another, with the header padded by spaces to a multiple of 8 bytes.
Bytes write_safetensors(std::span<const NamedArray> arrays, Precision precision = Precision::float64);

}  // namespace attn
