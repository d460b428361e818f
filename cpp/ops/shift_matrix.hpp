// The rotation matrix that shifts a sinusoidal encoding by an offset: "Attention Is All You Need", section 3.5.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

// PE(p + offset) = M PE(p) for every p. M is block diagonal; block i is [[cos t, sin t], [-sin t, cos t]],
// t = offset base^(-2i / dim)
//
//   offset  ()
//   ->      (dim, dim)     dim even
//
// Throws InputError when offset is not a scalar, dim is 0 or odd, or base is not positive.
template <typename T>
Tensor<T> shift_matrix(const Tensor<T>& offset, std::size_t dim, double base = 10000, std::string name = {});

}  // namespace attn
