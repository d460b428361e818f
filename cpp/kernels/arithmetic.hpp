// Elementwise arithmetic on two tensors, each read through strides, so that axes of size 1 broadcast.
#pragma once

#include <cstddef>
#include <span>

namespace attn::kernels {

// The minimum or maximum of a number and a NaN is NaN, as in NumPy. Two equal numbers each get half of the gradient;
// if one is NaN, both get the whole gradient, as in PyTorch.
enum class Arithmetic { add, subtract, multiply, divide, minimum, maximum };

// The common shape of a and b, and their strides, which are 0 along a broadcast axis. All three have the same length.
struct PairView {
  std::span<const std::size_t> sizes;
  std::span<const std::size_t> a_strides;
  std::span<const std::size_t> b_strides;
};

// out = a (operation) b; out is contiguous.
template <Arithmetic kOperation, typename T>
void arithmetic(const T* a, const T* b, PairView view, T* out);

// Adds d(loss)/d(a) and d(loss)/d(b) given d(loss)/d(out). Either gradient may be null.
template <Arithmetic kOperation, typename T>
void arithmetic_backward(const T* a, const T* b, PairView view, const T* out_gradient, T* a_gradient, T* b_gradient);

// The forward and backward functions of one operation. A program links only the loops of the operations that it names.
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
