// The numbers of tensors as explanations read them.
#include "tensor/cell_view.hpp"

#include "kernels/elementwise.hpp"

namespace attn {

double CellView::operator[](const Index& index) const {
  const std::size_t offset = offset_of(shape_, index);
  return single_ ? static_cast<const float*>(data_)[offset] : static_cast<const double*>(data_)[offset];
}

namespace {

double value(kernels::Function function, double x, bool single) {
  return single ? kernels::value(function, static_cast<float>(x)) : kernels::value(function, x);
}

}  // namespace

double CellView::exp(double x) const { return value(kernels::Function::exp, x, single_); }

double CellView::log(double x) const { return value(kernels::Function::log, x, single_); }

Operand operand_at(CellViews inputs, int input, const Index& index) {
  return {input, index, inputs[static_cast<std::size_t>(input)][index]};
}

double add_cell(Explanation& explanation, const char* role, CellViews inputs, int input, const Index& index) {
  const Operand operand = operand_at(inputs, input, index);
  explanation.row(role).term(operand).gives(operand.value);
  explanation.source(input, index);
  return operand.value;
}

std::vector<Operand> products(const std::vector<Operand>& left, const std::vector<Operand>& right,
                              const CellView& precision) {
  std::vector<Operand> terms(left.size());
  for (std::size_t k = 0; k < terms.size(); ++k) terms[k].value = precision.rounded(left[k].value * right[k].value);
  return terms;
}

}  // namespace attn
