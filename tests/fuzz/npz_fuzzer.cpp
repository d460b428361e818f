// Any bytes as a .npz.
#include "files/npz.hpp"

#include "reading.hpp"
#include "tensor/random.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

constexpr std::size_t kCentralSize = 46;
constexpr std::size_t kLocalSize = 30;

void put(std::uint8_t* place, std::uint64_t number, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) place[i] = static_cast<std::uint8_t>(number >> (8 * i));
}

// Writes into every entry of the directory the size and the sum of the bytes that it names.
void agree(std::uint8_t* data, std::size_t size) {
  const attn::BytesView file(data, size);
  const auto field = [&](std::size_t place, std::size_t count) {
    return attn::little_endian(file.subspan(place, count));
  };
  for (std::size_t record = 0; record + kCentralSize <= size; ++record) {
    if (std::memcmp(data + record, "PK\x01\x02", 4) != 0) continue;
    const std::uint64_t local = field(record + 42, 4);
    const std::uint64_t stored = field(record + 20, 4);
    if (local + kLocalSize > size) continue;
    const auto header = static_cast<std::size_t>(local);
    const std::uint64_t start = local + kLocalSize + field(header + 26, 2) + field(header + 28, 2);
    if (start + stored > size) continue;
    const auto* bytes = reinterpret_cast<const char*>(data) + start;
    put(data + record + 16, attn::crc32(std::string_view(bytes, static_cast<std::size_t>(stored))), 4);
    put(data + record + 24, stored, 4);
  }
}

}  // namespace

// Changed as any bytes are; then the sums are made to agree, for else nothing behind them would be reached. One time in
// four they stay as they are.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed) {
  const std::size_t changed = LLVMFuzzerMutate(data, size, max_size);
  if (seed % 4 != 0) agree(data, changed);
  return changed;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // The core has no inflate of its own: what is deflated comes out as it went in.
  const auto same = [](attn::BytesView deflated, std::uint64_t) {
    return attn::Bytes(deflated.begin(), deflated.end());
  };
  return attn::read_or_refuse(
      [&] { return attn::read_npz({data, size}, same, "file", 1 << 24); },
      [](const std::vector<attn::NamedArray>& arrays) { return attn::read_npz(attn::write_npz(arrays)); });
}
