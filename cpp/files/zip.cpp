// ZIP archives, the container of .npz files: names, bytes and checksums (PKWARE's APPNOTE, without zip64 and
// encryption).
#include "files/zip.hpp"

#include <algorithm>

#include "tensor/random.hpp"

namespace attn {
namespace {

constexpr std::string_view kName = "zip";
constexpr std::uint64_t kLocal = 0x04034b50;
constexpr std::uint64_t kCentral = 0x02014b50;
constexpr std::uint64_t kEnd = 0x06054b50;
constexpr std::size_t kLocalSize = 30;
constexpr std::size_t kCentralSize = 46;
constexpr std::size_t kEndSize = 22;
constexpr std::size_t kLongestComment = 0xffff;
constexpr std::uint64_t kUtf8 = 0x0800;
constexpr std::uint64_t kFirstDay = 0x0021;  // 1980-01-01
constexpr std::uint64_t kVersion = 20;

std::uint32_t sum_of(BytesView bytes) {
  return crc32(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

// The bytes of the archive, read with bounds checks.
struct Archive {
  BytesView file;
  const std::string& argument;

  [[noreturn]] void refuse(const std::string& actual, const std::string& expected) const {
    refuse_option(kName, argument, actual, expected);
  }

  BytesView at(std::uint64_t offset, std::uint64_t size, const char* what) const {
    if (offset > file.size() || size > file.size() - offset) refuse("cut off or damaged", what);
    return file.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
  }

  std::string text(std::uint64_t offset, std::uint64_t size) const {
    const BytesView bytes = at(offset, size, "the name of an entry");
    return std::string(bytes.begin(), bytes.end());
  }

  // The position of the end-of-directory record: the last one that is consistent with the size of the file.
  std::size_t end() const {
    if (file.size() >= kEndSize) {
      const std::size_t last = file.size() - kEndSize;
      const std::size_t first = last > kLongestComment ? last - kLongestComment : 0;
      for (std::size_t offset = last + 1; offset-- > first;) {
        if (little_endian(file.subspan(offset, 4)) == kEnd &&
            little_endian(file.subspan(offset + 20, 2)) == file.size() - offset - kEndSize) {
          return offset;
        }
      }
    }
    refuse("not an archive, or cut off", "an archive with a directory at its end");
  }
};

std::uint64_t field(BytesView record, std::size_t offset, std::size_t size) {
  return little_endian(record.subspan(offset, size));
}

// The bytes of an entry, which follow its local header.
BytesView stored_bytes(const Archive& archive, const std::string& name, std::uint64_t offset, std::uint64_t size) {
  const BytesView local = archive.at(offset, kLocalSize, "the header of an entry");
  const std::uint64_t name_size = field(local, 26, 2);
  if (field(local, 0, 4) != kLocal || archive.text(offset + kLocalSize, name_size) != name) {
    archive.refuse("damaged", "entry \"" + name + "\" where its directory says");
  }
  return archive.at(offset + kLocalSize + name_size + field(local, 28, 2), size, "the bytes of an entry");
}

}  // namespace

std::vector<ZipEntry> read_zip(BytesView file, const std::string& argument) {
  const Archive archive{file, argument};
  const BytesView end = file.subspan(archive.end(), kEndSize);
  const std::uint64_t count = field(end, 10, 2);
  std::uint64_t offset = field(end, 16, 4);
  if (count == 0xffff || offset == 0xffffffff) archive.refuse("an archive in zip64 form", "one below 4 GB");
  if (field(end, 4, 2) != 0 || field(end, 6, 2) != 0 || field(end, 8, 2) != count) {
    archive.refuse("a part of an archive", "all of it in one file");
  }
  std::vector<ZipEntry> entries;
  for (std::uint64_t i = 0; i < count; ++i) {
    const BytesView record = archive.at(offset, kCentralSize, "an entry of its directory");
    if (field(record, 0, 4) != kCentral) archive.refuse("damaged", "an entry of its directory");
    const std::uint64_t name_size = field(record, 28, 2);
    ZipEntry entry;
    entry.name = archive.text(offset + kCentralSize, name_size);
    entry.crc = static_cast<std::uint32_t>(field(record, 16, 4));
    entry.size = field(record, 24, 4);
    const std::uint64_t method = field(record, 10, 2);
    const std::string what = "entry \"" + entry.name + "\"";
    if (field(record, 8, 2) & 1) archive.refuse("encrypted in " + what, "no password");
    if (method != 0 && method != 8) {
      archive.refuse("compressed by method " + std::to_string(method) + " in " + what, "stored or deflated entries");
    }
    if (entry.size == 0xffffffff || field(record, 20, 4) == 0xffffffff || field(record, 42, 4) == 0xffffffff) {
      archive.refuse("in zip64 form in " + what, "entries below 4 GB");
    }
    entry.deflated = method == 8;
    entry.stored = stored_bytes(archive, entry.name, field(record, 42, 4), field(record, 20, 4));
    entries.push_back(std::move(entry));
    offset += kCentralSize + name_size + field(record, 30, 2) + field(record, 32, 2);
  }
  return entries;
}

Bytes entry_bytes(const ZipEntry& entry, const Inflate& inflate) {
  const std::string argument = "\"" + entry.name + "\"";
  if (entry.deflated && !inflate)
    refuse_option(kName, argument, "deflated", "a stored entry, or a function that inflates it");
  Bytes bytes = entry.deflated ? inflate(entry.stored, entry.size) : Bytes(entry.stored.begin(), entry.stored.end());
  if (bytes.size() != entry.size) {
    refuse_option(kName, argument, std::to_string(bytes.size()) + " bytes long",
                  std::to_string(entry.size) + ", as the directory says");
  }
  if (sum_of(bytes) != entry.crc) refuse_option(kName, argument, "damaged", "bytes that match their checksum");
  return bytes;
}

Bytes write_zip(std::span<const ZipFile> files) {
  Bytes archive;
  Bytes directory;
  const auto append = [](Bytes& to, std::initializer_list<std::pair<std::uint64_t, std::size_t>> fields) {
    for (const auto& [number, size] : fields) append_little_endian(to, number, size);
  };
  for (const ZipFile& file : files) {
    const std::uint64_t offset = archive.size();
    const std::uint64_t size = file.bytes.size();
    if (offset + size + kLocalSize + file.name.size() >= 0xffffffff || file.name.size() > 0xffff) {
      refuse_option(kName, "\"" + file.name + "\"", std::to_string(size) + " bytes long", "an archive below 4 GB");
    }
    const std::uint32_t crc = sum_of(file.bytes);
    const std::uint64_t name_size = file.name.size();
    append(archive, {{kLocal, 4},
                     {kVersion, 2},
                     {kUtf8, 2},
                     {0, 2},
                     {0, 2},
                     {kFirstDay, 2},
                     {crc, 4},
                     {size, 4},
                     {size, 4},
                     {name_size, 2},
                     {0, 2}});
    archive.insert(archive.end(), file.name.begin(), file.name.end());
    archive.insert(archive.end(), file.bytes.begin(), file.bytes.end());
    append(directory, {{kCentral, 4},
                       {kVersion, 2},
                       {kVersion, 2},
                       {kUtf8, 2},
                       {0, 2},
                       {0, 2},
                       {kFirstDay, 2},
                       {crc, 4},
                       {size, 4},
                       {size, 4},
                       {name_size, 2},
                       {0, 2},
                       {0, 2},
                       {0, 2},
                       {0, 2},
                       {0, 4},
                       {offset, 4}});
    directory.insert(directory.end(), file.name.begin(), file.name.end());
  }
  if (files.size() >= 0xffff) refuse_option(kName, "files", std::to_string(files.size()), "fewer than 65535");
  const std::uint64_t start = archive.size();
  archive.insert(archive.end(), directory.begin(), directory.end());
  append(archive,
         {{kEnd, 4}, {0, 2}, {0, 2}, {files.size(), 2}, {files.size(), 2}, {directory.size(), 4}, {start, 4}, {0, 2}});
  return archive;
}

}  // namespace attn
