// The memory limit: estimates are checked before memory is allocated.
#include "tensor/memory.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "tensor/shape.hpp"

namespace attn {
namespace {

// Bytes as MB to one decimal, or as bytes where the limit is small; `up` rounds up, so that a refused figure exceeds
// its limit.
std::string amount(std::uint64_t bytes, std::uint64_t limit, bool up) {
  constexpr std::uint64_t kMegabyte = 1024 * 1024;
  if (limit < kMegabyte) return std::to_string(bytes) + " bytes";
  const std::uint64_t tenths = bytes / kMegabyte * 10 + (bytes % kMegabyte * 10 + (up ? kMegabyte - 1 : 0)) / kMegabyte;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " MB";
}

std::string needs(std::string_view operation, std::uint64_t bytes, std::uint64_t limit) {
  return std::string(operation) + ": needs " + amount(bytes, limit, true);
}

std::string limited(std::uint64_t limit) { return "; the limit is " + amount(limit, limit, false); }

}  // namespace

void check_limit(std::string_view operation, std::uint64_t max_bytes) {
  constexpr std::uint64_t kAddressable = std::numeric_limits<std::size_t>::max();
  if (std::min(max_bytes, kAddressable) == max_bytes) return;
  refuse_option(operation, "max_bytes", std::to_string(max_bytes),
                "at most " + std::to_string(kAddressable) + ", which is all that can be addressed");
}

void check_memory(std::string_view operation, std::uint64_t more, std::uint64_t used, std::uint64_t limit) {
  if (more <= limit && used <= limit - more) return;
  const std::uint64_t all =
      more > std::numeric_limits<std::uint64_t>::max() - used ? std::numeric_limits<std::uint64_t>::max() : used + more;
  const std::string in_use = used > 0 ? ", of which " + amount(used, limit, false) + " are in use" : "";
  throw MemoryError(needs(operation, all, limit) + in_use + limited(limit));
}

void refuse_memory(std::string_view operation, std::uint64_t bytes, std::uint64_t limit) {
  throw MemoryError(needs(operation, bytes, limit) + ", which could not be allocated" + limited(limit));
}

}  // namespace attn
