// Copies and sums through strides: axes in another order, axes of size 1 broadcast.
#pragma once

#include <cstddef>
#include <span>

namespace attn::kernels {

// A view of memory with the shape `sizes` and a stride along each axis (0 repeats). Both have the same length.
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

// out (through the view) += in, where in is contiguous. A cell that the view repeats gets the sum of all its numbers.
template <typename T>
void scatter_add(const T* in, T* out, View view);

// out = where(keep (through the view), x, fill); x and out are contiguous.
template <typename T>
void select(const T* keep, View view, const T* x, T fill, T* out);

// out += in where keep (through the view) is not 0; in and out are contiguous.
template <typename T>
void select_add(const T* keep, View view, const T* in, T* out);

}  // namespace attn::kernels
