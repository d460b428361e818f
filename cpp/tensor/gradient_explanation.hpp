// Explanations of gradients: the gradient of a cell is the sum of upstream times local derivative over every cell
// that depends on it.
#pragma once

#include <map>

#include "tensor/cell_view.hpp"
#include "tensor/contributions.hpp"
#include "tensor/explanation.hpp"

namespace attn {

// The bounding box of cells of one tensor, and whether they fill it. The cells are not stored: it suffices that they
// are added in row-major order, so that none is added twice.
class CellBox {
 public:
  void add(const Index& cell);
  bool is_filled() const;
  const Index& from() const { return from_; }
  const Index& to() const { return to_; }

 private:
  Index from_, to_, last_;
  std::size_t count_ = 0;
  bool is_ascending_ = true;
};

// The part of the gradient of an input's cell that comes through one op, collected one cell of the output after
// another. However many there are, only those that the rows can show are stored.
class GradientTerms final : public Contributions {
 public:
  explicit GradientTerms(const CellView& output_gradient) : output_gradient_(output_gradient) {}

  void add(const Index& cell, const Operand& local) override;

  // The rows are "upstream", the cells of the output's gradient; "local", the derivatives; and "contributions", their
  // products -> sum. The sources are the cells in these rows: a box where they fill one, else every cell that the
  // rows store.
  Explanation explanation();

 private:
  const CellView& output_gradient_;
  void add_sources(Explanation& explanation) const;

  TermList upstream_, local_, products_;
  std::map<int, CellBox> boxes_;  // bounding boxes of the cells that are in a tensor, by input
  double sum_ = 0;
};

}  // namespace attn
