// Named arrays in one file: the safetensors format.
#pragma once

#include <map>
#include <string>

#include "files/element.hpp"
#include "tensor/parameters.hpp"

namespace attn {

// The texts in "__metadata__", by name.
using Metadata = std::map<std::string, std::string, std::less<>>;

// The format: eight bytes with the length of a JSON header, the header, the numbers. Reads the types BOOL, U8, I8,
// U16, I16, U32, I32, U64, I64, F16, BF16, F32 and F64; "__metadata__" is read by read_safetensors_metadata. The arrays come in the order of
// the header. Throws InputError naming `argument` for an invalid header, a type that is not listed, offsets that do
// not fit the shape, the file or each other, a name that occurs twice, and an integer that a double cannot represent;
// MemoryError when the file and the arrays, as doubles and with 1 KB for each, take more than `max_bytes`.
std::vector<NamedArray> read_safetensors(BytesView file, const std::string& argument = "file",
                                         std::uint64_t max_bytes = 512 * 1024 * 1024);

// The metadata of a file; empty when it has none. Throws InputError as read_safetensors does.
Metadata read_safetensors_metadata(BytesView file, const std::string& argument = "file");

// Writes little-endian numbers, one array after another, with the header padded by spaces to a multiple of 8 bytes.
// Throws InputError for a name that occurs twice or that the format reserves, and for text that is not UTF-8.
Bytes write_safetensors(std::span<const NamedArray> arrays, Precision precision = Precision::float64,
                        const Metadata& metadata = {});

}  // namespace attn
