// The first rows of the explanations of softmax and log_softmax.
#pragma once

#include <vector>

#include "kernels/softmax.hpp"
#include "tensor/cell_view.hpp"

namespace attn {

// The slice of x along `axis` through cell `index`, computed with `exponentials`. Nothing is stored per cell, since a
// slice may be long.
struct SoftmaxRows {
  SoftmaxRows(kernels::Exponentials exponentials, const CellView& x, std::size_t axis, const Index& index);

  double x(std::size_t place) const;
  double difference(std::size_t place) const { return cells.rounded(x(place) - max); }
  double exponential(std::size_t place) const;
  double unshifted_exponential(std::size_t place) const;  // of x itself, without subtracting the maximum

  void add_source(Explanation& explanation) const;
  void add_value(Explanation& explanation) const;         // adds "value"
  void add_exponentials(Explanation& explanation) const;  // adds "minus_max" -> max and "exp" -> sum

  // A row of number(position) for each position of the slice: cells of `input`, or kNoTensor.
  template <typename Number>
  Row& add(Explanation& explanation, const char* role, int input, bool summed, Number number) const {
    TermList terms(chosen);
    Index place = first;
    for (std::size_t i = 0; i < count; ++i, ++place[axis]) terms.add(input, place, number(i));
    Row& row = explanation.row(role);
    terms.move_into(row, summed);
    return row;
  }

  kernels::Exponentials exponentials;
  const CellView& cells;
  Index first;  // of the slice
  std::size_t axis = 0;
  std::size_t count = 0;
  std::size_t start = 0;  // offset of the first cell, and step to the next
  std::size_t stride = 0;
  double max = 0;
  double sum = 0;                   // of exp(x - max)
  std::vector<std::size_t> chosen;  // for a long slice: the positions of the three largest and of the cell itself
};

// The slices of `shape` along `axis`: they start at outer * count * inner + (0 ... inner - 1).
struct Slices {
  Slices(std::span<const std::size_t> shape, std::size_t axis);

  std::size_t number() const { return outer * inner; }
  std::size_t start(std::size_t slice) const { return slice / inner * along.count * inner + slice % inner; }

  std::size_t outer = 1;
  std::size_t inner = 1;
  kernels::Slice along;
};

}  // namespace attn
