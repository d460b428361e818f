// The rows that the explanations of softmax and log_softmax begin with.
#include "ops/softmax_rows.hpp"

#include <algorithm>
#include <limits>

namespace attn {

SoftmaxRows::SoftmaxRows(const CellView& cells, std::size_t slice_axis, const Index& index)
    : first(index), axis(slice_axis), max(-std::numeric_limits<double>::infinity()) {
  first[axis] = 0;
  Index place = first;
  for (std::size_t count = cells.shape()[axis]; place[axis] < count; ++place[axis]) {
    x.push_back(cells[place]);
    max = std::max(max, x.back());  // passes over NaN
  }
  for (double number : x) {
    differences.push_back(cells.rounded(number - max));
    exponentials.push_back(cells.exp(differences.back()));
    sum += exponentials.back();
  }
  sum = cells.rounded(sum);
  if (x.size() <= kTermsInFull) return;
  std::vector<bool> shown(x.size(), false);
  for (std::size_t count = 0; count < kLargestShown; ++count) {
    std::size_t next = x.size();
    for (std::size_t i = 0; i < x.size(); ++i)
      if (!shown[i] && (next == x.size() || x[i] > x[next])) next = i;
    shown[next] = true;
  }
  shown[index[axis]] = true;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (shown[i]) chosen.push_back(i);
}

Row& SoftmaxRows::add(Explanation& explanation, const char* role, const std::vector<double>& numbers,
                      bool summed) const {
  std::vector<Operand> terms;
  Index place = first;
  for (double number : numbers) {
    terms.push_back({kNowhere, place, number});
    ++place[axis];
  }
  Row& row = explanation.row(role).terms(std::move(terms), summed);
  row.chosen = chosen;
  return row;
}

void SoftmaxRows::add_source(Explanation& explanation) const {
  Index last = first;
  last[axis] = x.size() - 1;
  explanation.source(0, first, last);
}

void SoftmaxRows::add_value(Explanation& explanation) const {
  for (Operand& operand : add(explanation, "value", x, false).operands) operand.input = 0;
}

void SoftmaxRows::add_exponentials(Explanation& explanation) const {
  add(explanation, "minus_max", differences, false).gives(max);
  add(explanation, "exp", exponentials, true).gives(sum);
}

Slices::Slices(std::span<const std::size_t> shape, std::size_t axis) {
  for (std::size_t i = 0; i < axis; ++i) outer *= shape[i];
  for (std::size_t i = axis + 1; i < shape.size(); ++i) inner *= shape[i];
  along = {shape[axis], inner};
}

}  // namespace attn
