// Files to start from: what our own writers write, and every type of number that they do not. `write_seeds FOLDER`.
#include <filesystem>
#include <fstream>
#include <map>

#include "files/npz.hpp"
#include "files/safetensors.hpp"
#include "tensor/random.hpp"

namespace {

using attn::Bytes;
using attn::NamedArray;
using attn::Precision;

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

Bytes npy(const std::string& type, std::size_t size, bool fortran, std::uint8_t version) {
  const std::string text =
      "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': (2, 3), }\n";
  Bytes length;
  attn::append_little_endian(length, text.size(), version == 1 ? 2 : 4);
  Bytes file = joined("\x93NUMPY", {version, 0});
  file.insert(file.end(), length.begin(), length.end());
  return joined(std::string(file.begin(), file.end()) + text, six(size));
}

Bytes safetensors(const std::string& type, std::size_t size) {
  const std::string header = "{\"__metadata__\":{\"format\":\"pt\"},\"a\\u00e9\":{\"dtype\":\"" + type +
                             "\",\"shape\":[2,3],\"data_offsets\":[0," + std::to_string(6 * size) + "]}} ";
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

int main(int count, char** arguments) {
  if (count != 2) return 1;
  const std::filesystem::path root = arguments[1];
  const auto write = [&](const std::string& format, const std::string& name, const Bytes& bytes) {
    std::filesystem::create_directories(root / format);
    std::ofstream file(root / format / (name + "." + format), std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!file) std::exit(1);
  };
  const std::vector<NamedArray> arrays = some_arrays();
  for (const auto& [name, precision] : {std::pair("f4", Precision::float32), std::pair("f8", Precision::float64)}) {
    for (const NamedArray& array : arrays)
      write("npy", array.name + "-" + name, attn::write_npy(array.value, precision));
    write("npz", std::string("written-") + name, attn::write_npz(arrays, precision));
    write("npz", std::string("one-") + name, attn::write_npz(std::span(arrays).first(1), precision));
    write("safetensors", std::string("written-") + name, attn::write_safetensors(arrays, precision));
  }
  std::uint8_t version = 0;
  for (const std::string type : {"|b1", "|i1", "|u1", "<i2", ">u2", ">i4", "<u4", "<i8", ">u8", "<f2", ">f4", "=f8"}) {
    version = static_cast<std::uint8_t>(version % 3 + 1);
    const auto size = static_cast<std::size_t>(type.back() - '0');
    const Bytes file = npy(type, size, version == 2, version);
    write("npy", "type-" + type.substr(1) + "-" + std::to_string(version), file);
    write("npz", "type-" + type.substr(1), attn::write_zip(std::vector<attn::ZipFile>{{"a.npy", file}}));
  }
  const std::map<std::size_t, std::vector<std::string>> types = {
      {1, {"BOOL", "U8", "I8"}},
      {2, {"U16", "I16", "F16", "BF16"}},
      {4, {"U32", "I32", "F32"}},
      {8, {"U64", "I64", "F64"}},
  };
  for (const auto& [size, names] : types) {
    for (const std::string& type : names) write("safetensors", "type-" + type, safetensors(type, size));
  }
  // The same archive, said to be deflated.
  Bytes archive = attn::write_npz(std::span(arrays).first(2));
  const std::string text(archive.begin(), archive.end());
  for (std::size_t place = text.find("PK\x01\x02"); place != std::string::npos;
       place = text.find("PK\x01\x02", place + 1))
    archive[place + 10] = 8;
  write("npz", "deflated", archive);
}
