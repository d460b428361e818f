// The rows that the explanations of softmax and log_softmax begin with.
#pragma once

#include <vector>

#include "kernels/softmax.hpp"
#include "tensor/op.hpp"

namespace attn {

// The slice of x along `axis` through cell `index`, with its arithmetic in T.
template <typename T>
struct SoftmaxRows {
  SoftmaxRows(Inputs<T> inputs, std::size_t axis, const Index& index);

  // "value", "minus_max" -> max, "exp" -> sum.
  std::vector<Row> rows() const;

  // A row of the numbers that `of` gives at the shown places of the slice, and in `rest` the sum of the others.
  Row row(std::string role, const std::vector<double>& of, bool summed) const;

  Index first;                       // of the slice
  std::size_t axis = 0;
  std::vector<double> x;             // the slice
  std::vector<double> differences;   // x - max
  std::vector<double> exponentials;  // exp(x - max)
  double max = 0;
  double sum = 0;
  std::vector<bool> shown;           // all of a short slice; of a long one the largest three and the cell itself
};

// The whole slice, as the source of a cell.
template <typename T>
Region slice_source(const SoftmaxRows<T>& slice);

// How `shape` falls into slices along `axis`: one starts at each of outer * count * inner + (0 ... inner - 1).
struct Slices {
  Slices(const Shape& shape, std::size_t axis);

  std::size_t number() const { return outer * inner; }
  std::size_t start(std::size_t slice) const { return slice / inner * along.count * inner + slice % inner; }

  std::size_t outer = 1;
  std::size_t inner = 1;
  kernels::Slice along;
};

}  // namespace attn
