// The rows that the explanations of softmax and log_softmax begin with.
#include "ops/softmax_rows.hpp"

#include <cmath>

namespace attn {

template <typename T>
SoftmaxRows<T>::SoftmaxRows(Inputs<T> inputs, std::size_t slice_axis, const Index& index)
    : first(index), axis(slice_axis) {
  const Shape shape = shape_of(*inputs[0]);
  first[axis] = 0;
  const Slices slices(shape, axis);
  const T* start = inputs[0]->data() + offset_of(shape, first);
  const T largest = kernels::largest(start, slices.along);
  T total = 0;
  for (std::size_t i = 0; i < slices.along.count; ++i) {
    const T number = start[i * slices.along.step];
    const T difference = number - largest;
    const T exponential = std::exp(difference);
    total += exponential;
    x.push_back(number);
    differences.push_back(difference);
    exponentials.push_back(exponential);
  }
  max = largest;
  sum = total;
  shown.assign(x.size(), x.size() <= kTermsInFull);
  if (x.size() <= kTermsInFull) return;
  for (std::size_t count = 0; count < kLargestShown; ++count) {
    std::size_t next = x.size();
    for (std::size_t i = 0; i < x.size(); ++i)
      if (!shown[i] && (next == x.size() || x[i] > x[next])) next = i;
    shown[next] = true;
  }
  shown[index[axis]] = true;
}

template <typename T>
Row SoftmaxRows<T>::row(std::string role, const std::vector<double>& of, bool summed) const {
  Row row{std::move(role), {}, std::nullopt, std::nullopt};
  Rest rest{0, summed ? std::optional<double>(0) : std::nullopt};
  for (std::size_t i = 0; i < of.size(); ++i) {
    if (shown[i]) {
      row.operands.push_back(constant(of[i]));
      row.operands.back().index = first;
      row.operands.back().index[axis] = i;
    } else {
      ++rest.count;
      if (rest.value) *rest.value += of[i];
    }
  }
  if (rest.count > 0) row.rest = rest;
  return row;
}

template <typename T>
std::vector<Row> SoftmaxRows<T>::rows() const {
  std::vector<Row> rows = {row("value", x, false), row("minus_max", differences, false),
                           row("exp", exponentials, true)};
  for (Operand& operand : rows[0].operands) operand.input = 0;
  rows[1].value = max;
  rows[2].value = sum;
  return rows;
}

template <typename T>
Region slice_source(const SoftmaxRows<T>& slice) {
  Region region = cell(0, slice.first);
  region.to[slice.axis] = slice.x.size() - 1;
  return region;
}

Slices::Slices(const Shape& shape, std::size_t axis) {
  for (std::size_t i = 0; i < axis; ++i) outer *= shape[i];
  for (std::size_t i = axis + 1; i < shape.size(); ++i) inner *= shape[i];
  along = {shape[axis], inner};
}

template struct SoftmaxRows<float>;
template struct SoftmaxRows<double>;
template Region slice_source(const SoftmaxRows<float>&);
template Region slice_source(const SoftmaxRows<double>&);

}  // namespace attn
