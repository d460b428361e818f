// Explanations of gradients: how the gradient of one cell was computed.
#include "tensor/gradient_explanation.hpp"

#include <algorithm>
#include <utility>

namespace attn {
namespace {

void add_cells(std::vector<Index>& cells, const TermList& terms, int input) {
  for (const Operand& operand : terms.stored())
    if (operand.input == input) cells.push_back(operand.index);
}

}  // namespace

void CellBox::add(const Index& cell) {
  if (count_++ == 0) {
    from_ = to_ = last_ = cell;
    return;
  }
  is_ascending_ = is_ascending_ && last_ < cell;
  last_ = cell;
  for (std::size_t axis = 0; axis < cell.size(); ++axis) {
    from_[axis] = std::min(from_[axis], cell[axis]);
    to_[axis] = std::max(to_[axis], cell[axis]);
  }
}

bool CellBox::is_filled() const {
  std::size_t volume = 1;
  for (std::size_t axis = 0; axis < from_.size(); ++axis) volume *= to_[axis] - from_[axis] + 1;
  return is_ascending_ && volume == count_;
}

void GradientTerms::add(const Index& cell, const Operand& local) {
  const double upstream = output_gradient_[cell];
  const double product = output_gradient_.rounded(upstream * local.value);
  sum_ += product;
  boxes_[kOutputGradient].add(cell);
  if (local.input != kNoTensor) boxes_[local.input].add(local.index);
  upstream_.add(kOutputGradient, cell, upstream);
  local_.add(local.input, local.index, local.value);
  products_.add(product);
}

// One region per tensor where its cells fill a box, else one region per cell.
void GradientTerms::add_sources(Explanation& explanation) const {
  for (const auto& [input, box] : boxes_) {
    if (box.is_filled()) {
      explanation.source(input, box.from(), box.to());
      continue;
    }
    std::vector<Index> cells;
    add_cells(cells, upstream_, input);
    add_cells(cells, local_, input);
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    CellBox stored_box;
    for (const Index& cell : cells) stored_box.add(cell);
    if (stored_box.is_filled()) {
      explanation.source(input, stored_box.from(), stored_box.to());
    } else {
      for (const Index& cell : cells) explanation.source(input, cell);
    }
  }
}

Explanation GradientTerms::explanation() {
  Explanation explanation;
  add_sources(explanation);
  upstream_.move_into(explanation.row("upstream"), false);
  local_.move_into(explanation.row("local"), false);
  products_.move_into(explanation.row("contributions").gives(output_gradient_.rounded(sum_)), true);
  return explanation;
}

}  // namespace attn
