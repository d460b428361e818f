// Numbers with a shape: the only place that includes xtensor.
#pragma once

#include <xtensor/containers/xarray.hpp>
#include <xtensor/containers/xadapt.hpp>

#include "tensor/shape.hpp"

namespace attn {

// Row-major numbers that own their memory.
template <typename T>
using Array = xt::xarray<T, xt::layout_type::row_major>;

// An array of `shape`, every cell `fill`.
template <typename T>
Array<T> full(const Shape& shape, T fill) {
  return Array<T>(typename Array<T>::shape_type(shape.begin(), shape.end()), fill);
}

// The shape of `array` as a Shape.
template <typename T>
Shape shape_of(const Array<T>& array) {
  return Shape(array.shape().begin(), array.shape().end());
}

}  // namespace attn
