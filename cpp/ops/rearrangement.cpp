// Ops that only rearrange numbers: every cell of the output is one cell of the input.
#include "ops/rearrangement.hpp"

#include "kernels/strided.hpp"

namespace attn {

template <typename T>
void Rearrangement<T>::prepare(std::span<const Shape> inputs, const Shape&) {
  order_ = walk(inputs[0]);
}

template <typename T>
void Rearrangement<T>::forward(Inputs<T> inputs, Array<T>& output, Scratch<T>) const {
  kernels::gather(inputs[0]->data(), {order_.sizes, order_.strides}, output.data());
}

template <typename T>
void Rearrangement<T>::backward(Inputs<T>, const Array<T>&, const Array<T>& output_gradient,
                                Gradients<T> input_gradients, Scratch<T>) const {
  if (!input_gradients[0]) return;
  kernels::scatter_add(output_gradient.data(), input_gradients[0]->data(), {order_.sizes, order_.strides});
}

template <typename T>
Explanation Rearrangement<T>::explain(CellViews inputs, const CellView& output, const Index& index) const {
  const Shape& shape = inputs[0].shape();
  const Walk order = walk(shape);
  const Index along = index_at(order.sizes, offset_of(output.shape(), index));
  std::size_t offset = 0;
  for (std::size_t axis = 0; axis < along.size(); ++axis) offset += along[axis] * order.strides[axis];
  const Index from = index_at(shape, offset);
  Explanation explanation;
  add_cell(explanation, "from", inputs, 0, from);
  Row& row = explanation.row("index").gives(output[index]);
  for (std::size_t number : index_numbers(shape, from, along)) row.term(static_cast<double>(number));
  return explanation;
}

template <typename T>
void Rearrangement<T>::differentiate(CellViews inputs, const CellView& output, std::size_t, const Index& index,
                                     Contributions& contributions) const {
  const Shape& shape = inputs[0].shape();
  const Walk order = walk(shape);
  // Every cell occurs once, so the strides give the position along each axis.
  const std::size_t offset = offset_of(shape, index);
  Index along;
  for (std::size_t axis = 0; axis < order.sizes.size(); ++axis)
    along.push_back(offset / order.strides[axis] % order.sizes[axis]);
  contributions.add(index_at(output.shape(), offset_of(order.sizes, along)), 1);
}

template class Rearrangement<float>;
template class Rearrangement<double>;

}  // namespace attn
