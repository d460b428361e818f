// Replacement of the cells that a mask does not keep.
#pragma once

#include <limits>

#include "tensor/graph.hpp"

namespace attn {

// output = where(keep, x, fill)
//
//   x     (...)
//   keep  broadcasts to x; 0 replaces, anything else keeps
//
// Throws InputError when keep does not broadcast to the shape of x.
template <typename T>
Tensor<T> mask(const Tensor<T>& x, const Tensor<T>& keep, double fill = -std::numeric_limits<double>::infinity(),
               std::string name = {});

}  // namespace attn
