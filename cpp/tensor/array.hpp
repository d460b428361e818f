// Numbers with a shape: the only place that includes xtensor.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

#include <xtensor/containers/xarray.hpp>

#include "tensor/shape.hpp"

namespace attn {

// Bytes that all arrays alive hold together.
inline std::atomic<std::size_t> live_bytes{0};

// std::allocator, keeping count in live_bytes.
template <typename T>
struct CountingAllocator {
  using value_type = T;

  CountingAllocator() = default;
  template <typename U>
  CountingAllocator(const CountingAllocator<U>&) noexcept {}

  T* allocate(std::size_t count) {
    T* memory = std::allocator<T>().allocate(count);
    live_bytes += count * sizeof(T);
    return memory;
  }

  void deallocate(T* memory, std::size_t count) noexcept {
    live_bytes -= count * sizeof(T);
    std::allocator<T>().deallocate(memory, count);
  }

  friend bool operator==(const CountingAllocator&, const CountingAllocator&) { return true; }
};

// Row-major numbers that own their memory. xtensor holds every tensor of the core: the shape, the memory and its release, copies
// and comparison. What is computed with the numbers is not written with xtensor but in cpp/kernels, over data():
//
// - Every engine and build gives the same float64 bits, and `explain` quotes the additions of a cell in the order in which they
//   were made. Which order xtensor's reducers and assignments take follows from the processor that they are compiled for.
// - Replaying a graph a second time allocates nothing; an expression of xtensor that is evaluated by itself makes a temporary.
// - SIMD, relaxed or not, is named in one room, and what a page downloads has the loops that it runs and no others.
//
// Its views, reducers and broadcasting are what the tests compare those loops with: tests/cpp/xtensor_test.cpp.
template <typename T>
using Array = xt::xarray<T, xt::layout_type::row_major, CountingAllocator<T>>;

// An array of `shape`, every cell `fill`.
template <typename T>
Array<T> full(const Shape& shape, T fill) {
  return Array<T>(typename Array<T>::shape_type(shape.begin(), shape.end()), fill);
}

// (count): 0, 1, 2, ...
template <typename T>
Array<T> arange(std::size_t count) {
  Array<T> array = full<T>({count}, T(0));
  for (std::size_t i = 0; i < count; ++i) array.data()[i] = static_cast<T>(i);
  return array;
}

// The shape of `array` as a Shape.
template <typename T>
Shape shape_of(const Array<T>& array) {
  return Shape(array.shape().begin(), array.shape().end());
}

}  // namespace attn
