// The archive that an .npz file is: names, bytes and check sums (PKWARE's APPNOTE, without zip64 and encryption).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "files/element.hpp"

namespace attn {

// One entry, as it stands in the archive.
struct ZipEntry {
  std::string name;
  bool deflated = false;
  BytesView stored;        // its bytes in the archive, which must outlive it
  std::uint64_t size = 0;  // when inflated
  std::uint32_t crc = 0;   // of the inflated bytes
};

// Raw deflate to the bytes it was made from, of which there are `size`. The core has no inflate of its own: JavaScript
// hands in fflate's.
using Inflate = std::function<Bytes(BytesView deflated, std::uint64_t size)>;

// The entries in the order of the directory. Throws InputError naming `argument` when the archive is cut off or
// damaged, or an entry is encrypted, in zip64 form or compressed by anything but deflate.
std::vector<ZipEntry> read_zip(BytesView file, const std::string& argument = "file");

// The bytes of an entry, checked against its size and sum. Throws InputError when they do not agree, and when the entry
// is deflated and there is no `inflate`.
Bytes entry_bytes(const ZipEntry& entry, const Inflate& inflate = {});

// An archive of stored entries, without times: the same entries give the same bytes.
struct ZipFile {
  std::string name;
  Bytes bytes;
};
Bytes write_zip(std::span<const ZipFile> files);

}  // namespace attn
