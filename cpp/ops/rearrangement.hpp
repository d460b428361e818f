// Ops that only rearrange numbers: every cell of the output is one cell of the input, and every cell of the input is
// used once.
#pragma once

#include "tensor/op.hpp"

namespace attn {

// A traversal of the input that visits its cells in the order of the output.
struct Walk {
  Shape sizes;    // the output's shape, with axes split where needed
  Shape strides;  // in the input
};

// output cell = input cell, in the order of walk(). The gradient of an input cell is that of its output cell.
template <typename T>
class Rearrangement : public Op<T> {
 public:
  bool copies_cells() const override { return true; }
  std::uint64_t flops(std::span<const Shape>, const Shape&) const override { return 0; }
  void prepare(std::span<const Shape> inputs, const Shape& output) override;
  void forward(Inputs<T> inputs, Array<T>& output, Scratch<T>) const override;
  void backward(Inputs<T> inputs, const Array<T>& output, const Array<T>& output_gradient, Gradients<T> input_gradients,
                Scratch<T>) const override;

  // The rows are "from", the cell of the input, and "index", the numbers of index_numbers().
  Explanation explain(CellViews inputs, const CellView& output, const Index& index) const override;
  void differentiate(CellViews inputs, const CellView& output, std::size_t input, const Index& index,
                     Contributions& contributions) const override;

 protected:
  virtual Walk walk(const Shape& input) const = 0;

  // The numbers in the row "index" of an explanation, from which a reader computes one index from the other. `from` is
  // the index in the input, `along` the index in walk().sizes.
  virtual std::vector<std::size_t> index_numbers(const Shape& input, const Index& from, const Index& along) const = 0;

 private:
  Walk order_;
};

extern template class Rearrangement<float>;
extern template class Rearrangement<double>;

}  // namespace attn
