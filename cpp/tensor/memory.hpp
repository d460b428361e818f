// The memory limit: estimates are checked before memory is allocated.
#pragma once

#include <cstdint>
#include <string_view>

namespace attn {

// The default limit: 512 MB.
inline constexpr std::uint64_t kMaxBytes = 512 * 1024 * 1024;

// Throws the InputError "graph: max_bytes is 8589934592, expected at most 4294967295 ..." for a limit that exceeds
// the address space of this machine: it could grant amounts that do not fit in a size_t.
void check_limit(std::string_view operation, std::uint64_t max_bytes);

// Throws the MemoryError "operation: needs 600.0 MB, of which 100.0 MB are in use; the limit is 512.0 MB" unless `more`
// bytes fit beside the `used` ones.
void check_memory(std::string_view operation, std::uint64_t more, std::uint64_t used, std::uint64_t limit);

// Throws the MemoryError for `bytes` that are within the limit but that the machine could not allocate.
[[noreturn]] void refuse_memory(std::string_view operation, std::uint64_t bytes, std::uint64_t limit);

}  // namespace attn
