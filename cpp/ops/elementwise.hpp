// Ops that apply one function to every cell.
#pragma once

#include "kernels/elementwise.hpp"
#include "tensor/op.hpp"

namespace attn {

// output = function(x) for every cell of x, which may have any shape.
template <typename T>
class Elementwise : public Op<T> {
 public:
  Shape shape(std::span<const Shape> inputs) const override { return inputs[0]; }
  void forward(Inputs<T> inputs, Array<T>& output, Scratch<T>) const override;
  void backward(Inputs<T> inputs, const Array<T>& output, const Array<T>& output_gradient, Gradients<T> input_gradients,
                Scratch<T>) const override;

  // The rows are "value" and "result".
  Explanation explain(CellViews inputs, const CellView& output, const Index& index) const override;
  void differentiate(CellViews inputs, const CellView& output, std::size_t input, const Index& index,
                     Contributions& contributions) const override;

 protected:
  explicit Elementwise(kernels::Function function) : function_(function) {}

 private:
  kernels::Function function_;
};

extern template class Elementwise<float>;
extern template class Elementwise<double>;

}  // namespace attn
