// Reads any bytes as a .npz file.
#include "files/npz.hpp"

#include "reading.hpp"
#include "seeds.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

// Mutates the bytes, then corrects the checksums, because otherwise nothing behind them would be reached. One time in
// four the checksums stay wrong.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed) {
  const std::size_t changed = LLVMFuzzerMutate(data, size, max_size);
  if (seed % 4 != 0) fuzz::agree(data, changed);
  return changed;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // The core does not inflate: deflated entries are returned unchanged here.
  const auto same = [](attn::BytesView deflated, std::uint64_t) {
    return attn::Bytes(deflated.begin(), deflated.end());
  };
  return attn::read_or_refuse(
      [&] { return attn::read_npz({data, size}, same, "file", 1 << 24); },
      [](const std::vector<attn::NamedArray>& arrays) { return attn::read_npz(attn::write_npz(arrays)); });
}
