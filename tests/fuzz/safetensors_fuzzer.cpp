// Reads any bytes as a .safetensors file.
#include "files/safetensors.hpp"

#include "reading.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return attn::read_or_refuse([&] { return attn::read_safetensors({data, size}); },
                              [](const std::vector<attn::NamedArray>& arrays) {
                                return attn::read_safetensors(attn::write_safetensors(arrays));
                              });
}
