// Integers stored in the scratch memory of an op.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "tensor/op.hpp"

namespace attn {

// They are copied with memcpy, since memory of one type must not be read as another.
class ScratchCounts {
 public:
  // The size of `count` integers, rounded up to a whole number of floats or doubles.
  static std::uint64_t bytes(std::uint64_t count) { return count * sizeof(std::uint64_t); }

  template <typename T>
  explicit ScratchCounts(Scratch<T> scratch) : memory_(std::as_writable_bytes(scratch)) {}

  std::uint64_t operator[](std::size_t i) const {
    std::uint64_t count = 0;
    std::memcpy(&count, memory_.data() + i * sizeof(count), sizeof(count));
    return count;
  }

  void set(std::size_t i, std::uint64_t count) {
    std::memcpy(memory_.data() + i * sizeof(count), &count, sizeof(count));
  }

 private:
  std::span<std::byte> memory_;
};

}  // namespace attn
