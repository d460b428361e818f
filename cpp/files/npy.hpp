// One array in a file: NumPy's .npy format, versions 1.0, 2.0 and 3.0.
#pragma once

#include <string>

#include "files/element.hpp"

namespace attn {

// Reads booleans, integers of 8 to 64 bits and floats of 16, 32 and 64 bits, in either byte order and in C or Fortran
// order. Throws InputError naming `argument` (the name of the file) for another type, an invalid header, too few or
// too many bytes, and an integer that a double cannot represent; MemoryError when the doubles and the bytes they are
// read from take more than 512 MB.
Array<double> read_npy(BytesView file, const std::string& argument = "file");

// Throws the InputError of read_npy when the first bytes of a file show that it is not a .npy file.
inline constexpr std::size_t kNpyMagicSize = 6;
void check_npy_magic(BytesView file, const std::string& argument = "file");

// Writes version 1.0, little-endian, C order. Throws InputError when the shape has too many axes for the header.
Bytes write_npy(const Array<double>& array, Precision precision = Precision::float64);

}  // namespace attn
