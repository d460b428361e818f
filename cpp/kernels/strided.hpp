// Copies and sums through strides: permuted axes, and broadcast axes of size 1.
#pragma once

#include <cstddef>
#include <span>

namespace attn::kernels {

// A strided view of memory: the size of each axis and its stride, which is 0 along a broadcast axis. Both spans have
// the same length.
struct View {
  std::span<const std::size_t> sizes;
  std::span<const std::size_t> strides;
};

// out = in (through the view); out is contiguous.
template <typename T>
void gather(const T* in, View view, T* out);

// out += in (through the view); out is contiguous.
template <typename T>
void gather_add(const T* in, View view, T* out);

// out (through the view) += in; in is contiguous. A cell that a broadcast repeats gets the sum of all its numbers.
template <typename T>
void scatter_add(const T* in, T* out, View view);

// out = where(keep (through the view), x, fill); x and out are contiguous.
template <typename T>
void select(const T* keep, View view, const T* x, T fill, T* out);

// out += where(keep (through the view), in, 0); in and out are contiguous.
template <typename T>
void select_add(const T* keep, View view, const T* in, T* out);

}  // namespace attn::kernels
