// Cell-by-cell ops on two tensors with NumPy's broadcasting.
#include "ops/broadcast_arithmetic.hpp"

#include <cmath>

namespace attn {

using kernels::Arithmetic;

template <typename T>
Shape BroadcastArithmetic<T>::shape(std::span<const Shape> inputs) const {
  return broadcast(inputs[0], inputs[1], this->name(), "b");
}

template <typename T>
void BroadcastArithmetic<T>::prepare(std::span<const Shape> inputs, const Shape& output) {
  sizes_ = output;
  a_strides_ = broadcast_strides(inputs[0], output);
  b_strides_ = broadcast_strides(inputs[1], output);
}

template <typename T>
void BroadcastArithmetic<T>::forward(Inputs<T> inputs, Array<T>& output, Scratch<T>) const {
  kernels_.forward(inputs[0]->data(), inputs[1]->data(), view(), output.data());
}

template <typename T>
void BroadcastArithmetic<T>::backward(Inputs<T> inputs, const Array<T>&, const Array<T>& output_gradient,
                                      Gradients<T> input_gradients, Scratch<T>) const {
  kernels_.backward(inputs[0]->data(), inputs[1]->data(), view(), output_gradient.data(),
                    input_gradients[0] ? input_gradients[0]->data() : nullptr,
                    input_gradients[1] ? input_gradients[1]->data() : nullptr);
}

template <typename T>
Explanation BroadcastArithmetic<T>::explain(CellViews inputs, const CellView& output, const Index& index) const {
  Explanation explanation;
  double sizes = 0;
  for (int input = 0; input < 2; ++input) {
    const std::size_t i = static_cast<std::size_t>(input);
    sizes += std::abs(add_cell(explanation, roles_[i], inputs, input, broadcast_index(inputs[i].shape(), index)));
  }
  Row& result = explanation.row(roles_[2]).gives(output[index]);
  if (kernels_.operation == kernels::Arithmetic::add || kernels_.operation == kernels::Arithmetic::subtract)
    result.rounding_units = 2 * sizes;
  return explanation;
}

template <typename T>
void BroadcastArithmetic<T>::differentiate(CellViews inputs, const CellView& output, std::size_t input,
                                           const Index& index, Contributions& contributions) const {
  const std::size_t other = 1 - input;
  for (const Index& cell : BroadcastReaders(inputs[input].shape(), index, output.shape())) {
    const Operand other_cell =
        operand_at(inputs, static_cast<int>(other), broadcast_index(inputs[other].shape(), cell));
    if (kernels_.operation == Arithmetic::multiply) {
      contributions.add(cell, other_cell);
    } else if (kernels_.operation == Arithmetic::divide) {
      const double slope = input == 0 ? 1 / other_cell.value : -output[cell] / inputs[1][index];
      contributions.add(cell, output.rounded(slope));
    } else if (kernels_.operation == Arithmetic::minimum || kernels_.operation == Arithmetic::maximum) {
      const double own = inputs[input][index];
      const bool selects_other =
          kernels_.operation == Arithmetic::minimum ? own > other_cell.value : own < other_cell.value;
      contributions.add(cell, selects_other ? 0 : (own == other_cell.value ? 0.5 : 1));
    } else {
      contributions.add(cell, kernels_.operation == Arithmetic::subtract && input == 1 ? -1 : 1);
    }
  }
}

template class BroadcastArithmetic<float>;
template class BroadcastArithmetic<double>;

}  // namespace attn
