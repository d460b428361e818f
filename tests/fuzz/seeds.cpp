// Seed files: files from our own writers, every type of number that these do not write, and sizes that were once misread.
#include "seeds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include "files/npz.hpp"
#include "files/safetensors.hpp"
#include "tensor/random.hpp"

namespace fuzz {
namespace {

using attn::Bytes;
using attn::NamedArray;
using attn::Precision;

constexpr std::size_t kCentralSize = 46;
constexpr std::size_t kLocalSize = 30;

void put(std::uint8_t* place, std::uint64_t number, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) place[i] = static_cast<std::uint8_t>(number >> (8 * i));
}

Bytes joined(std::string_view text, const Bytes& more) {
  Bytes file(text.begin(), text.end());
  file.insert(file.end(), more.begin(), more.end());
  return file;
}

// Six numbers of (2, 3), of `size` bytes each.
Bytes six(std::size_t size) {
  Bytes bytes;
  for (std::uint64_t i = 0; i < 6; ++i) attn::append_little_endian(bytes, i * 37 % 128, size);
  return bytes;
}

Bytes npy(const std::string& type, const Bytes& numbers, bool fortran, std::uint8_t version,
          const std::string& shape = "(2, 3)") {
  const std::string text =
      "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }\n";
  Bytes length;
  attn::append_little_endian(length, text.size(), version == 1 ? 2 : 4);
  Bytes file = joined("\x93NUMPY", {version, 0});
  file.insert(file.end(), length.begin(), length.end());
  return joined(std::string(file.begin(), file.end()) + text, numbers);
}

Bytes safetensors(const std::string& type, std::size_t size, const std::string& shape = "[2,3]") {
  const std::string header = "{\"__metadata__\":{\"format\":\"pt\"},\"a\\u00e9\":{\"dtype\":\"" + type +
                             "\",\"shape\":" + shape + ",\"data_offsets\":[0," + std::to_string(6 * size) + "]}} ";
  Bytes length;
  attn::append_little_endian(length, header.size(), 8);
  return joined(std::string(length.begin(), length.end()) + header, six(size));
}

std::vector<NamedArray> some_arrays() {
  attn::RandomState random(1);
  std::vector<NamedArray> arrays;
  for (const auto& [name, shape] : std::vector<std::pair<std::string, attn::Shape>>{
           {"weight", {2, 3}}, {"bias", {4}}, {"scalar", {}}, {"empty", {0, 2}}, {"词", {1, 1, 2}}}) {
    attn::Array<double> value = attn::full<double>(shape, 0);
    for (double& cell : value) cell = random.randn();
    arrays.push_back({name, value});
  }
  return arrays;
}

}  // namespace

std::vector<Seed> seeds() {
  std::vector<Seed> files;
  const auto add = [&](const std::string& format, const std::string& name, const Bytes& bytes) {
    files.push_back({format, name, bytes});
  };
  const std::vector<NamedArray> arrays = some_arrays();
  for (const auto& [name, precision] : {std::pair("f4", Precision::float32), std::pair("f8", Precision::float64)}) {
    for (const NamedArray& array : arrays) add("npy", array.name + "-" + name, attn::write_npy(array.value, precision));
    add("npz", std::string("written-") + name, attn::write_npz(arrays, precision));
    add("npz", std::string("one-") + name, attn::write_npz(std::span(arrays).first(1), precision));
    add("safetensors", std::string("written-") + name, attn::write_safetensors(arrays, precision));
  }
  std::uint8_t version = 0;
  for (const std::string type : {"|b1", "|i1", "|u1", "<i2", ">u2", ">i4", "<u4", "<i8", ">u8", "<f2", ">f4", "=f8"}) {
    version = static_cast<std::uint8_t>(version % 3 + 1);
    const auto size = static_cast<std::size_t>(type.back() - '0');
    const Bytes file = npy(type, six(size), version == 2, version);
    add("npy", "type-" + type.substr(1) + "-" + std::to_string(version), file);
    add("npz", "type-" + type.substr(1), attn::write_zip(std::vector<attn::ZipFile>{{"a.npy", file}}));
  }
  const std::map<std::size_t, std::vector<std::string>> types = {
      {1, {"BOOL", "U8", "I8"}},
      {2, {"U16", "I16", "F16", "BF16"}},
      {4, {"U32", "I32", "F32"}},
      {8, {"U64", "I64", "F64"}},
  };
  for (const auto& [size, names] : types) {
    for (const std::string& type : names) add("safetensors", "type-" + type, safetensors(type, size));
  }
  // Sizes that wrap around modulo 2^32 or 2^64, and products of them.
  for (const std::string shape :
       {"(4294967296,)", "(4294967297,)", "(4294967298, 2)", "(18446744073709551616,)", "(18446744073709551617,)",
        "(99999999999999999999999999,)", "(4294967295, 4294967295)", "(65536, 65536)", "(0, 65536, 65536)",
        "(0, 4294967295, 1048576)", "(2147483648, 2)"}) {
    add("npy", "shape-" + shape, npy("|u1", Bytes(4, 1), false, 1, shape));
    add("npy", "fortran-" + shape, npy("<f8", Bytes(8, 1), true, 2, shape));
  }
  for (const std::string shape : {"[4294967296]", "[4294967297]", "[4294967298,2]", "[18446744073709551617]",
                                  "[9007199254740992]", "[9007199254740993]", "[65536,65536]", "[0,65536,65536]"})
    add("safetensors", "shape-" + shape, safetensors("U8", 1, shape));
  // The same archive, marked as deflated.
  Bytes archive = attn::write_npz(std::span(arrays).first(2));
  const std::string text(archive.begin(), archive.end());
  for (std::size_t place = text.find("PK\x01\x02"); place != std::string::npos;
       place = text.find("PK\x01\x02", place + 1))
    archive[place + 10] = 8;
  add("npz", "deflated", archive);
  return files;
}

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

std::string verdict(const std::string& format, attn::BytesView file) {
  const auto of_arrays = [](const std::vector<NamedArray>& arrays) {
    std::string text = "read";
    for (const NamedArray& array : arrays) {
      attn::Array<double> numbers = array.value;
      for (double& number : numbers)
        if (std::isnan(number))
          number = std::numeric_limits<double>::quiet_NaN();  // different engines may write NaN differently
      const auto* bytes = reinterpret_cast<const char*>(numbers.data());
      text += " \"" + array.name + "\" " + attn::to_string(attn::shape_of(array.value)) + " " +
              std::to_string(attn::crc32(std::string_view(bytes, numbers.size() * sizeof(double))));
    }
    return text;
  };
  // The core does not inflate: deflated entries are returned unchanged here.
  const auto same = [](attn::BytesView deflated, std::uint64_t) { return Bytes(deflated.begin(), deflated.end()); };
  constexpr std::uint64_t kMost = 1 << 24;
  try {
    if (format == "npy") return of_arrays({{"", attn::read_npy(file)}});
    return of_arrays(format == "npz" ? attn::read_npz(file, same, "file", kMost)
                                     : attn::read_safetensors(file, "file", kMost));
  } catch (const attn::InputError& error) {
    return error.what();
  } catch (const attn::MemoryError& error) {
    return error.what();
  }
}

namespace {

// Interesting values for a size or a length.
constexpr std::array kNumbers = {"0",
                                 "1",
                                 "2",
                                 "3",
                                 "65535",
                                 "65536",
                                 "2147483647",
                                 "2147483648",
                                 "4294967295",
                                 "4294967296",
                                 "4294967297",
                                 "4294967298",
                                 "8589934592",
                                 "1099511627776",
                                 "9007199254740993",
                                 "18446744073709551615",
                                 "18446744073709551616",
                                 "18446744073709551617"};

std::size_t below(attn::RandomState& random, std::size_t count) {
  return static_cast<std::size_t>(random.randint(0, static_cast<std::int64_t>(count)));
}

bool is_digit(std::uint8_t byte) { return byte >= '0' && byte <= '9'; }

// Mutates the bytes from `first` on: one, several, or a number in text. Returns by how much the file grew.
std::ptrdiff_t change(Bytes& file, std::size_t first, attn::RandomState& random) {
  const std::size_t before = file.size();
  if (before <= first) return 0;
  const std::size_t at = first + below(random, before - first);
  const auto place = file.begin() + static_cast<std::ptrdiff_t>(at);
  switch (below(random, 5)) {
    case 0:
      *place = static_cast<std::uint8_t>(random.randint(0, 256));
      break;
    case 1:
      *place = static_cast<std::uint8_t>(*place ^ 1 << below(random, 8));
      break;
    case 2:
      file.insert(place, static_cast<std::uint8_t>(random.randint(32, 127)));
      break;
    case 3:
      file.erase(place, place + static_cast<std::ptrdiff_t>(std::min<std::size_t>(below(random, 4), before - at)));
      break;
    default: {  // the next number in the text
      std::size_t start = at;
      while (start < before && !is_digit(file[start])) ++start;
      std::size_t end = start;
      while (end < before && is_digit(file[end])) ++end;
      const std::string_view number = kNumbers[below(random, kNumbers.size())];
      const auto from = file.begin() + static_cast<std::ptrdiff_t>(start);
      file.erase(from, file.begin() + static_cast<std::ptrdiff_t>(end));
      file.insert(file.begin() + static_cast<std::ptrdiff_t>(start), number.begin(), number.end());
    }
  }
  return static_cast<std::ptrdiff_t>(file.size()) - static_cast<std::ptrdiff_t>(before);
}

// Mutates a file that has its header's length at `place`, in `size` bytes; mostly the length is corrected afterwards.
void change_with_header(Bytes& file, std::size_t place, std::size_t size, attn::RandomState& random) {
  for (std::size_t changes = 1 + below(random, 4); changes-- > 0;) {
    const std::ptrdiff_t grown = change(file, place + size, random);
    if (file.size() < place + size) return;
    const std::uint64_t length = attn::little_endian(attn::BytesView(file).subspan(place, size));
    if (below(random, 8) != 0) put(file.data() + place, length + static_cast<std::uint64_t>(grown), size);
  }
}

void change_npy(Bytes& file, attn::RandomState& random) {
  change_with_header(file, 8, file.size() > 6 && file[6] == 1 ? 2 : 4, random);
}

}  // namespace

Seed mutated(const std::vector<Seed>& files, std::uint32_t seed, std::uint32_t number) {
  attn::RandomState random(std::array<std::uint32_t, 2>{seed, number});
  Seed file = files[below(random, files.size())];
  if (file.format == "npy") {
    change_npy(file.bytes, random);
  } else if (file.format == "safetensors") {
    change_with_header(file.bytes, 0, 8, random);
  } else if (below(random, 2) == 0) {
    // Mutates the arrays, and keeps the archive valid.
    std::vector<attn::ZipFile> entries;
    for (const attn::ZipEntry& entry : attn::read_zip(file.bytes)) {
      Bytes array(entry.stored.begin(), entry.stored.end());
      if (below(random, 2) == 0) change_npy(array, random);
      entries.push_back({entry.name, std::move(array)});
    }
    file.bytes = attn::write_zip(entries);
  } else {
    for (std::size_t changes = 1 + below(random, 4); changes-- > 0;)
      file.bytes[below(random, file.bytes.size())] = static_cast<std::uint8_t>(random.randint(0, 256));
    if (below(random, 4) != 0) agree(file.bytes.data(), file.bytes.size());
  }
  if (below(random, 8) == 0) file.bytes.resize(below(random, file.bytes.size() + 1));
  return file;
}

std::string line(const Verdicts& said) {
  char text[80];
  std::snprintf(text, sizeof text, "digest %08x, %u read, %u refused", said.digest, said.read, said.refused);
  return text;
}

std::string report() {
  const std::vector<Seed> files = seeds();
  std::string text;
  for (const Seed& file : files) text += file.name + "." + file.format + ": " + verdict(file.format, file.bytes) + "\n";
  constexpr std::uint32_t kCount = 5000;
  return text + std::to_string(kCount) + " of them changed: " + line(verdicts(files, 1, 0, kCount)) + "\n";
}

Verdicts verdicts(const std::vector<Seed>& files, std::uint32_t seed, std::uint32_t from, std::uint32_t count) {
  Verdicts all;
  for (std::uint32_t number = from; number < from + count; ++number) {
    const Seed file = mutated(files, seed, number);
    const std::string said = verdict(file.format, file.bytes);
    all.digest = attn::crc32(std::to_string(all.digest) + said);
    ++(said.starts_with("read") ? all.read : all.refused);
  }
  return all;
}

}  // namespace fuzz
