// Dropout of numbers by a uniform draw.
#pragma once

#include <cstddef>

namespace attn::kernels {

// y = x / keep where u > p, else 0
template <typename T>
void dropout(T p, T keep, const T* x, const T* u, T* y, std::size_t count);

// dx += dy / keep where u > p
template <typename T>
void dropout_backward_add(T p, T keep, const T* dy, const T* u, T* dx, std::size_t count);

}  // namespace attn::kernels
