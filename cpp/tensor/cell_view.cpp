// Read access to the numbers of tensors for explanations.
#include "tensor/cell_view.hpp"

#include "kernels/elementwise.hpp"

namespace attn {

double CellView::operator[](const Index& index) const { return at(offset_of(shape_, index)); }

namespace {

double value(kernels::Function function, double x, bool single) {
  return single ? kernels::value(function, static_cast<float>(x)) : kernels::value(function, x);
}

template <typename T>
double dot(const void* a, std::size_t a_offset, const void* b, std::size_t b_offset, std::size_t count) {
  const T* x = static_cast<const T*>(a) + a_offset;
  const T* y = static_cast<const T*>(b) + b_offset;
  T sum = 0;
  for (std::size_t k = 0; k < count; ++k) sum += x[k] * y[k];
  return sum;
}

}  // namespace

double CellView::dot(std::size_t offset, const CellView& other, std::size_t other_offset, std::size_t count) const {
  return single_ ? attn::dot<float>(data_, offset, other.data_, other_offset, count)
                 : attn::dot<double>(data_, offset, other.data_, other_offset, count);
}

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

void ProductTerms::add(int left_input, const Index& left_index, double left, int right_input, const Index& right_index,
                       double right) {
  left_.add(left_input, left_index, left);
  right_.add(right_input, right_index, right);
  products_.add(precision_.rounded(left * right));
}

}  // namespace attn
