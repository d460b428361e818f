// The memory of a node: its size in bytes, and its allocation.
#pragma once

#include <cstdint>
#include <new>
#include <string_view>

#include "tensor/array.hpp"
#include "tensor/memory.hpp"
#include "tensor/shape.hpp"

namespace attn {

// The size in bytes of a tensor of this shape.
template <typename T>
std::uint64_t bytes_of(const Shape& shape) {
  return cell_count(shape) * sizeof(T);
}

// An array whose numbers are undefined.
template <typename T>
Array<T> uninitialised(const Shape& shape) {
  return Array<T>::from_shape(typename Array<T>::shape_type(shape.begin(), shape.end()));
}

// Calls `work` and turns a failed allocation into a MemoryError.
template <typename Work>
void within_memory(std::string_view operation, std::uint64_t bytes, std::uint64_t limit, Work work) {
  try {
    work();
  } catch (const std::bad_alloc&) {
    refuse_memory(operation, bytes, limit);
  }
}

}  // namespace attn
