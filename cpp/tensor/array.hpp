// Arrays: numbers with a shape. This is the only file that includes xtensor.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>

#include <xtensor/containers/xarray.hpp>

#include "tensor/shape.hpp"

namespace attn {

// The total number of bytes held by all live arrays.
inline std::atomic<std::size_t> live_bytes{0};

// std::allocator that also updates live_bytes.
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

// A row-major array that owns its memory. xtensor stores every tensor of the core: the shape, the memory and its
// release, copies and comparison. The computations are not written with xtensor but in cpp/kernels, over data():
//
// - Every engine and build gives the same float64 bits, and `explain` quotes the additions of a cell in the order in
//   which they were made. The order of xtensor's reducers and assignments depends on the processor they are compiled
//   for.
// - A second replay of a graph allocates nothing; an xtensor expression that is evaluated by itself makes a temporary.
// - SIMD, relaxed or not, is named in one folder, and the download of a page contains only the loops that it runs.
//
// The tests compare those loops with xtensor's views, reducers and broadcasting: tests/cpp/xtensor_test.cpp.
template <typename T>
using Array = xt::xarray<T, xt::layout_type::row_major, CountingAllocator<T>>;

// An array of `shape` with `fill` in every cell.
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

// The same numbers in another precision.
template <typename To, typename From>
Array<To> converted(const Array<From>& value) {
  Array<To> numbers = full<To>(shape_of(value), 0);
  std::transform(value.begin(), value.end(), numbers.begin(), [](From cell) { return static_cast<To>(cell); });
  return numbers;
}

}  // namespace attn
