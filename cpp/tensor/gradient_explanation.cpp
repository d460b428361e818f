// How the gradient of one cell was made.
#include "tensor/gradient_explanation.hpp"

#include <algorithm>
#include <utility>

namespace attn {
namespace {

// The box around the cells of one tensor, and whether they fill it.
struct Box {
  Index from, to;
  std::size_t count = 0;

  void add(const Index& cell) {
    if (count++ == 0) from = to = cell;
    for (std::size_t axis = 0; axis < cell.size(); ++axis) {
      from[axis] = std::min(from[axis], cell[axis]);
      to[axis] = std::max(to[axis], cell[axis]);
    }
  }

  bool filled() const {
    std::size_t volume = 1;
    for (std::size_t axis = 0; axis < from.size(); ++axis) volume *= to[axis] - from[axis] + 1;
    return volume == count;
  }
};

// One region where the cells fill a box, else every cell by itself.
void add_sources(Explanation& explanation, const std::vector<Operand>& cells) {
  int last = kOutputGradient;
  for (const Operand& cell : cells) last = std::max(last, cell.input);
  for (int input = kOutputGradient; input <= last; ++input) {
    std::vector<Index> places;
    for (const Operand& cell : cells)
      if (cell.input == input) places.push_back(cell.index);
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    Box box;
    for (const Index& place : places) box.add(place);
    if (box.count > 0 && box.filled()) {
      explanation.source(input, box.from, box.to);
    } else {
      for (const Index& place : places) explanation.source(input, place);
    }
  }
}

}  // namespace

void Contributions::add(const Index& cell, Operand local) {
  const Operand upstream{kOutputGradient, cell, output_gradient_[cell]};
  const double product = output_gradient_.rounded(upstream.value * local.value);
  sum_ = output_gradient_.rounded(sum_ + product);
  cells_.push_back(upstream);
  if (local.input != kNowhere) cells_.push_back(local);
  upstream_.add(upstream);
  local_.add(std::move(local));
  products_.add({kNowhere, {}, product});
}

Explanation Contributions::explanation() {
  Explanation explanation;
  upstream_.give_to(explanation.row("upstream"), false);
  local_.give_to(explanation.row("local"), false);
  products_.give_to(explanation.row("contributions").gives(sum_), true);
  add_sources(explanation, cells_);
  return explanation;
}

}  // namespace attn
