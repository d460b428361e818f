// Cell-by-cell ops on two tensors with NumPy's broadcasting.
#pragma once

#include <array>

#include "kernels/arithmetic.hpp"
#include "tensor/op.hpp"

namespace attn {

// The roles of the rows that explain a cell: of a, of b and of the result.
using ArithmeticRoles = std::array<const char*, 3>;

// output = a op b, cell by cell. Throws InputError when the shapes do not broadcast.
template <typename T>
class BroadcastArithmetic : public Op<T> {
 public:
  Shape shape(std::span<const Shape> inputs) const override;
  void prepare(std::span<const Shape> inputs, const Shape& output) override;
  void forward(Inputs<T> inputs, Array<T>& output, Scratch<T>) const override;
  void backward(Inputs<T> inputs, const Array<T>& output, const Array<T>& output_gradient, Gradients<T> input_gradients,
                Scratch<T>) const override;
  Explanation explain(CellViews inputs, const CellView& output, const Index& index) const override;
  void differentiate(CellViews inputs, const CellView& output, std::size_t input, const Index& index,
                     Contributions& contributions) const override;

 protected:
  BroadcastArithmetic(const kernels::ArithmeticKernels<T>& kernels, ArithmeticRoles roles)
      : kernels_(kernels), roles_(roles) {}

 private:
  kernels::PairView view() const { return {sizes_, a_strides_, b_strides_}; }

  kernels::ArithmeticKernels<T> kernels_;
  ArithmeticRoles roles_;
  Shape sizes_, a_strides_, b_strides_;
};

extern template class BroadcastArithmetic<float>;
extern template class BroadcastArithmetic<double>;

}  // namespace attn
