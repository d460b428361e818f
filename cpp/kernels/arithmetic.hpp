// Two tensors cell by cell, each read through strides so that axes of size 1 are repeated.
#pragma once

#include <cstddef>
#include <span>

namespace attn::kernels {

// The minimum and the maximum of a number and NaN are NaN, as NumPy's. Of equal numbers each has half of the gradient, and of
// a number and NaN each has all of it, as in PyTorch.
enum class Arithmetic { add, subtract, multiply, divide, minimum, maximum };

// The common sizes, and the steps between neighbours along each axis in a and in b (0 repeats). All have one length.
struct PairView {
  std::span<const std::size_t> sizes;
  std::span<const std::size_t> a_strides;
  std::span<const std::size_t> b_strides;
};

// out = a operation b; out is contiguous.
template <Arithmetic kOperation, typename T>
void arithmetic(const T* a, const T* b, PairView view, T* out);

// Adds d(loss)/d(a) and d(loss)/d(b), either of which may be null, given d(loss)/d(out).
template <Arithmetic kOperation, typename T>
void arithmetic_backward(const T* a, const T* b, PairView view, const T* out_gradient, T* a_gradient, T* b_gradient);

// Both of one operation, so that a program holds the loops of those operations alone that it names.
template <typename T>
struct ArithmeticKernels {
  Arithmetic operation;
  void (*forward)(const T* a, const T* b, PairView view, T* out);
  void (*backward)(const T* a, const T* b, PairView view, const T* out_gradient, T* a_gradient, T* b_gradient);
};

template <Arithmetic kOperation, typename T>
inline constexpr ArithmeticKernels<T> kArithmetic = {kOperation, &arithmetic<kOperation, T>,
                                                     &arithmetic_backward<kOperation, T>};

}  // namespace attn::kernels
