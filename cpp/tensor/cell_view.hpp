// Read access to the numbers of tensors for explanations: one cell at a time, as double, whatever the stored
// precision.
#pragma once

#include <span>
#include <type_traits>
#include <vector>

#include "tensor/array.hpp"
#include "tensor/explanation.hpp"

namespace attn {

// A view of the cells of one tensor, which must outlive it.
class CellView {
 public:
  template <typename T>
  explicit CellView(const Array<T>& array)
      : shape_(shape_of(array)), data_(array.data()), single_(std::is_same_v<T, float>) {}

  const Shape& shape() const { return shape_; }
  double operator[](const Index& index) const;

  // Returns work(pointer to the cells from `offset` on), where the pointer has the stored precision.
  template <typename Work>
  auto from(std::size_t offset, Work work) const {
    return single_ ? work(static_cast<const float*>(data_) + offset) : work(static_cast<const double*>(data_) + offset);
  }

  // The cell at `offset` in row-major order, which must lie inside the tensor. Meant for loops over many cells.
  double at(std::size_t offset) const {
    return single_ ? static_cast<const float*>(data_)[offset] : static_cast<const double*>(data_)[offset];
  }

  // The dot product of `count` cells from `offset` on with as many cells of `other` from `other_offset` on, all of
  // which must lie inside. The products are added one after another, in the precision of both tensors.
  double dot(std::size_t offset, const CellView& other, std::size_t other_offset, std::size_t count) const;

  // `number` rounded to the tensor's precision. For the sum, difference, product or quotient of two numbers of that
  // precision, this equals the result of computing in that precision.
  double rounded(double number) const { return single_ ? static_cast<float>(number) : number; }

  // Functions computed in the tensor's precision.
  double exp(double x) const;
  double log(double x) const;

 private:
  Shape shape_;
  const void* data_;
  bool single_;
};

using CellViews = std::span<const CellView>;

// Cell `index` of an input as an operand.
Operand operand_at(CellViews inputs, int input, const Index& index);

// Adds a row that holds one cell of an input, and adds the cell to the sources. Returns its number.
double add_cell(Explanation& explanation, const char* role, CellViews inputs, int input, const Index& index);

// The rows of a sum of products: the left factors, the right factors, and left[k] right[k] rounded to `precision`.
class ProductTerms {
 public:
  explicit ProductTerms(const CellView& precision) : precision_(precision) {}

  void add(int left_input, const Index& left_index, double left, int right_input, const Index& right_index,
           double right);

  void move_left_into(Row& row) { left_.move_into(row, false); }
  void move_right_into(Row& row) { right_.move_into(row, false); }
  void move_products_into(Row& row) { products_.move_into(row, true); }

 private:
  const CellView& precision_;
  TermList left_, right_, products_;
};

}  // namespace attn
