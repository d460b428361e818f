// The first rows of the explanations of softmax and log_softmax.
#include "ops/softmax_rows.hpp"

#include <algorithm>

namespace attn {

SoftmaxRows::SoftmaxRows(kernels::Exponentials slice_exponentials, const CellView& view, std::size_t slice_axis,
                         const Index& index)
    : exponentials(slice_exponentials),
      cells(view),
      first(index),
      axis(slice_axis),
      count(view.shape()[slice_axis]),
      stride(strides_of(view.shape())[slice_axis]) {
  first[axis] = 0;
  start = offset_of(view.shape(), first);
  const kernels::Slice slice{count, stride};
  max = cells.from(start, [&](const auto* x) -> double { return kernels::largest(x, slice); });
  sum = cells.from(start, [&](const auto* x) -> double { return kernels::exponential_sum(exponentials, x, slice); });
  if (count <= kTermsInFull) return;
  const auto is_chosen = [&](std::size_t i) { return std::find(chosen.begin(), chosen.end(), i) != chosen.end(); };
  while (chosen.size() < kLargestShown) {
    std::size_t next = count;
    for (std::size_t i = 0; i < count; ++i)
      if (!is_chosen(i) && (next == count || x(i) > x(next))) next = i;
    chosen.push_back(next);
  }
  if (!is_chosen(index[axis])) chosen.push_back(index[axis]);
  std::sort(chosen.begin(), chosen.end());
}

double SoftmaxRows::x(std::size_t place) const { return cells.at(start + place * stride); }

double SoftmaxRows::exponential(std::size_t place) const {
  return cells.from(start, [&]<typename T>(const T*) -> double {
    return kernels::exponential(exponentials, static_cast<T>(difference(place)));
  });
}

double SoftmaxRows::unshifted_exponential(std::size_t place) const {
  return cells.from(start, [&]<typename T>(const T*) -> double {
    return kernels::exponential(exponentials, static_cast<T>(x(place)));
  });
}

void SoftmaxRows::add_source(Explanation& explanation) const {
  Index last = first;
  last[axis] = count - 1;
  explanation.source(0, first, last);
}

void SoftmaxRows::add_value(Explanation& explanation) const {
  add(explanation, "value", 0, false, [&](std::size_t i) { return x(i); });
}

void SoftmaxRows::add_exponentials(Explanation& explanation) const {
  add(explanation, "minus_max", kNoTensor, false, [&](std::size_t i) { return difference(i); }).gives(max);
  add(explanation, "exp", kNoTensor, true, [&](std::size_t i) { return exponential(i); }).gives(sum);
}

Slices::Slices(std::span<const std::size_t> shape, std::size_t axis) {
  for (std::size_t i = 0; i < axis; ++i) outer *= shape[i];
  for (std::size_t i = axis + 1; i < shape.size(); ++i) inner *= shape[i];
  along = {shape[axis], inner};
}

}  // namespace attn
