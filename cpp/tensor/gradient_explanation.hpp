// How the gradient of one cell was made: over every cell it moved, upstream times local derivative.
#pragma once

#include "tensor/cell_view.hpp"
#include "tensor/explanation.hpp"

namespace attn {

// What reaches a cell of an input through one op, one cell of the output after another.
class Contributions {
 public:
  explicit Contributions(const CellView& output_gradient) : output_gradient_(output_gradient) {}

  // d(output[cell]) / d(the cell asked for): a cell of an input, or a number that stands in no tensor.
  void add(const Index& cell, Operand local);
  void add(const Index& cell, double local) { add(cell, Operand{kNowhere, {}, local}); }

  // "upstream": cells of the output's gradient; "local": the derivatives; "contributions": their products -> sum.
  // Its sources are the cells that stand in these rows.
  Explanation explanation();

 private:
  const CellView& output_gradient_;
  TermList upstream_, local_, products_;
  std::vector<Operand> cells_;  // those that stand in a tensor
  double sum_ = 0;
};

}  // namespace attn
