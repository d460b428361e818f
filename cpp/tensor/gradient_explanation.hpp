// How the gradient of one cell was made: over every cell it moved, upstream times local derivative.
#pragma once

#include <map>

#include "tensor/cell_view.hpp"
#include "tensor/contributions.hpp"
#include "tensor/explanation.hpp"

namespace attn {

// The box around cells of one tensor, and whether they fill it: known without keeping them where each comes after the one
// before in row-major order, so that none comes twice.
class CellBox {
 public:
  void add(const Index& cell);
  bool filled() const;
  const Index& from() const { return from_; }
  const Index& to() const { return to_; }

 private:
  Index from_, to_, last_;
  std::size_t count_ = 0;
  bool rising_ = true;
};

// The gradient that reaches a cell of an input through one op, one cell of the output after another. However many there are,
// it keeps those alone that its rows can show.
class GradientTerms final : public Contributions {
 public:
  explicit GradientTerms(const CellView& output_gradient) : output_gradient_(output_gradient) {}

  void add(const Index& cell, const Operand& local) override;

  // "upstream": cells of the output's gradient; "local": the derivatives; "contributions": their products -> sum.
  // Its sources are the cells that stand in these rows: a box where they fill one, else every cell that the rows keep.
  Explanation explanation();

 private:
  const CellView& output_gradient_;
  void add_sources(Explanation& explanation) const;

  TermList upstream_, local_, products_;
  std::map<int, CellBox> boxes_;  // around the cells that stand in a tensor, by input
  double sum_ = 0;
};

}  // namespace attn
