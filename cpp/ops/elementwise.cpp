// Ops that apply one function to every cell.
#include "ops/elementwise.hpp"

namespace attn {

template <typename T>
void Elementwise<T>::forward(Inputs<T> inputs, Array<T>& output, Scratch<T>) const {
  kernels::apply(function_, inputs[0]->data(), output.data(), output.size());
}

template <typename T>
void Elementwise<T>::backward(Inputs<T> inputs, const Array<T>& output, const Array<T>& output_gradient,
                              Gradients<T> input_gradients, Scratch<T>) const {
  if (!input_gradients[0]) return;
  kernels::apply_backward(function_, inputs[0]->data(), output.data(), output_gradient.data(),
                          input_gradients[0]->data(), output.size());
}

template <typename T>
Explanation Elementwise<T>::explain(CellViews inputs, const CellView& output, const Index& index) const {
  Explanation explanation;
  add_cell(explanation, "value", inputs, 0, index);
  explanation.row("result").gives(output[index]);
  return explanation;
}

template <typename T>
void Elementwise<T>::differentiate(CellViews inputs, const CellView& output, std::size_t, const Index& index,
                                   Contributions& contributions) const {
  contributions.add(index, output.rounded(kernels::slope(function_, inputs[0][index], output[index])));
}

template class Elementwise<float>;
template class Elementwise<double>;

}  // namespace attn
