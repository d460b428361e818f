// ZIP archives, the container of .npz files: names, bytes and checksums (PKWARE's APPNOTE, without zip64 and
// encryption).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "files/element.hpp"

namespace attn {

// One entry as it is stored in the archive.
struct ZipEntry {
  std::string name;
  bool deflated = false;
  BytesView stored;        // its bytes in the archive, which must outlive this entry
  std::uint64_t size = 0;  // size after inflating
  std::uint32_t crc = 0;   // of the inflated bytes
};

// Inflates raw deflate data to `size` bytes. The core does not contain an inflate algorithm: JavaScript passes that
// of fflate.
using Inflate = std::function<Bytes(BytesView deflated, std::uint64_t size)>;

// The entries in the order of the directory. Throws InputError naming `argument` when the archive is cut off or
// damaged, or an entry is encrypted, in zip64 form or compressed by anything but deflate.
std::vector<ZipEntry> read_zip(BytesView file, const std::string& argument = "file");

// The bytes of an entry, checked against its size and checksum. Throws InputError when they do not match, and when
// the entry is deflated and there is no `inflate`.
Bytes entry_bytes(const ZipEntry& entry, const Inflate& inflate = {});

// An archive of stored entries without timestamps: the same entries give the same bytes.
struct ZipFile {
  std::string name;
  Bytes bytes;
};

// Throws InputError when the archive would exceed 4 GB or has 65535 files or more.
Bytes write_zip(std::span<const ZipFile> files);

}  // namespace attn
