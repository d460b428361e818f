// Named arrays in one file, in the format of numpy.savez.
#pragma once

#include "files/npy.hpp"
#include "files/zip.hpp"
#include "tensor/parameters.hpp"

namespace attn {

// The arrays in the order of the archive, without the ending ".npy" of their names. Deflated entries
// (numpy.savez_compressed) need `inflate`. Throws InputError as read_zip, entry_bytes and read_npy do, for an entry
// that is not a .npy file, and for a name that occurs twice; MemoryError when the file and the arrays, inflated or as
// doubles and with 1 KB for each, take more than `max_bytes`.
std::vector<NamedArray> read_npz(BytesView file, const Inflate& inflate = {}, const std::string& argument = "file",
                                 std::uint64_t max_bytes = 512 * 1024 * 1024);

// Writes stored entries, without compression; numpy.load reads them.
Bytes write_npz(std::span<const NamedArray> arrays, Precision precision = Precision::float64);

}  // namespace attn
