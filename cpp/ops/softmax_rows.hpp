// The rows that the explanations of softmax and log_softmax begin with.
#pragma once

#include <vector>

#include "kernels/softmax.hpp"
#include "tensor/cell_view.hpp"

namespace attn {

// The slice of x along `axis` through cell `index`, with its arithmetic.
struct SoftmaxRows {
  SoftmaxRows(const CellView& x, std::size_t axis, const Index& index);

  void add_source(Explanation& explanation) const;
  void add_value(Explanation& explanation) const;         // "value"
  void add_exponentials(Explanation& explanation) const;  // "minus_max" -> max, "exp" -> sum

  // A row of `numbers`, one for each place of the slice.
  Row& add(Explanation& explanation, const char* role, const std::vector<double>& numbers, bool summed) const;

  Index first;  // of the slice
  std::size_t axis = 0;
  std::vector<double> x;
  std::vector<double> differences;   // x - max
  std::vector<double> exponentials;  // exp(x - max)
  double max = 0;
  double sum = 0;
  std::vector<std::size_t> chosen;  // of a long slice: the places of the largest three and of the cell itself
};

// How `shape` falls into slices along `axis`: one starts at each of outer * count * inner + (0 ... inner - 1).
struct Slices {
  Slices(std::span<const std::size_t> shape, std::size_t axis);

  std::size_t number() const { return outer * inner; }
  std::size_t start(std::size_t slice) const { return slice / inner * along.count * inner + slice % inner; }

  std::size_t outer = 1;
  std::size_t inner = 1;
  kernels::Slice along;
};

}  // namespace attn
