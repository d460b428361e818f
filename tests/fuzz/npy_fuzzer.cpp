// Reads any bytes as a .npy file.
#include "files/npy.hpp"

#include "reading.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return attn::read_or_refuse([&] { return attn::read_npy({data, size}); },
                              [](const attn::Array<double>& array) { return attn::read_npy(attn::write_npy(array)); });
}
