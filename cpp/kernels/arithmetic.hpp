// Two tensors cell by cell, each read through strides so that axes of size 1 are repeated.
#pragma once

#include <cstddef>
#include <span>

namespace attn::kernels {

enum class Arithmetic { add, subtract, multiply, divide };

// The common sizes, and the steps between neighbours along each axis in a and in b (0 repeats). All have one length.
struct PairView {
  std::span<const std::size_t> sizes;
  std::span<const std::size_t> a_strides;
  std::span<const std::size_t> b_strides;
};

// out = a operation b; out is contiguous.
template <typename T>
void arithmetic(Arithmetic operation, const T* a, const T* b, PairView view, T* out);

// Adds d(loss)/d(a) and d(loss)/d(b), either of which may be null, given d(loss)/d(out).
template <typename T>
void arithmetic_backward(Arithmetic operation, const T* a, const T* b, PairView view, const T* out_gradient,
                         T* a_gradient, T* b_gradient);

}  // namespace attn::kernels
