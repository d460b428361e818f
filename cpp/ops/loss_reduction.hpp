// The reduction of losses to one number, with PyTorch's names.
#pragma once

#include <string>
#include <string_view>

#include "tensor/cell_view.hpp"
#include "tensor/explanation.hpp"

namespace attn {

// none: the losses of all cells; sum and mean over the cells; batchmean: the sum divided by the size of the first axis.
enum class LossReduction { none, sum, mean, batchmean };

// Throws InputError naming `operation` for another name; "batchmean" is valid where it is allowed.
LossReduction loss_reduction(std::string_view name, std::string_view operation, bool allow_batchmean = false);

// The name of a reduction, as loss_reduction() reads it.
std::string to_string(LossReduction reduction);

// The losses that are reduced to a scalar, added in double one after another, and their divisor.
class LossTerms {
 public:
  explicit LossTerms(const CellView& output) : output_(output) {}

  void add(const Index& index, double loss);

  // The rows are "losses" -> their sum; "divisor", unless the losses are only added; and "result".
  void move_into(Explanation& explanation, LossReduction reduction, double divisor);

 private:
  const CellView& output_;
  TermList terms_;
  double sum_ = 0;
};

}  // namespace attn
