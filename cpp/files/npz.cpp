// Named arrays in one file, in the format of numpy.savez.
#include "files/npz.hpp"

#include <set>
#include <string_view>

namespace attn {
namespace {

constexpr std::string_view kEnding = ".npy";

}  // namespace

std::vector<NamedArray> read_npz(BytesView file, const Inflate& inflate, const std::string& argument,
                                 std::uint64_t max_bytes) {
  const std::vector<ZipEntry> entries = read_zip(file, argument);
  std::set<std::string> names;
  std::uint64_t bytes = file.size();
  const auto check = [&](std::uint64_t more) {
    if (bytes + more > max_bytes) {
      throw MemoryError("npz: " + argument + " needs " + std::to_string(bytes + more) +
                        " bytes or more; the limit is " + std::to_string(max_bytes) + " (maxBytes)");
    }
  };
  const auto count = [&](std::uint64_t more) {
    check(more);
    bytes += more;
  };
  // Checked before anything is inflated: the sizes in the directory are a lower bound on the memory needed.
  for (const ZipEntry& entry : entries) {
    count(entry.size + kOverheadBytes);
    if (entry.name.size() <= kEnding.size() || !entry.name.ends_with(kEnding)) {
      refuse_option("npz", argument, "an archive with \"" + entry.name + "\"", "entries that end in .npy");
    }
    if (!names.insert(entry.name).second) {
      refuse_option("npz", argument, "an archive with \"" + entry.name + "\" twice", "each name once");
    }
  }
  bytes = file.size();
  std::vector<NamedArray> arrays;
  for (const ZipEntry& entry : entries) {
    if (entry.deflated) check(entry.size);
    std::string name = entry.name.substr(0, entry.name.size() - kEnding.size());
    const std::string quoted = "\"" + name + "\"";
    // An entry that is not a .npy file is recognised by its first bytes, without inflating all of it.
    if (entry.deflated && inflate && entry.size >= kNpyMagicSize) {
      const Bytes start = inflate(entry.stored, kNpyMagicSize);
      if (start.size() >= kNpyMagicSize) check_npy_magic(start, quoted);
    }
    Array<double> value = read_npy(entry_bytes(entry, inflate), quoted);
    count(value.size() * sizeof(double) + kOverheadBytes);
    arrays.push_back({std::move(name), std::move(value)});
  }
  return arrays;
}

Bytes write_npz(std::span<const NamedArray> arrays, Precision precision) {
  std::vector<ZipFile> files;
  std::set<std::string_view> names;
  for (const NamedArray& array : arrays) {
    if (array.name.empty()) refuse_option("npz", "name", "empty", "a name");
    if (!names.insert(array.name).second)
      refuse_option("npz", "name", "\"" + array.name + "\" twice", "each name once");
    files.push_back({array.name + std::string(kEnding), write_npy(array.value, precision)});
  }
  return write_zip(files);
}

}  // namespace attn
