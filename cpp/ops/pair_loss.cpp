// Losses that compare two tensors cell by cell.
#include "ops/pair_loss.hpp"

namespace attn {

template <typename T>
Shape PairLoss<T>::shape(std::span<const Shape> inputs) const {
  if (inputs[1] != inputs[0])
    refuse_shape(this->name(), "target", inputs[1], to_string(inputs[0]) + ", the shape of input");
  if (reduction_ == LossReduction::batchmean && inputs[0].empty())
    refuse_shape(this->name(), "input", inputs[0], "at least one axis for \"batchmean\"");
  return reduction_ == LossReduction::none ? inputs[0] : Shape{};
}

template <typename T>
double PairLoss<T>::divisor(std::span<const std::size_t> shape) const {
  double cells = 1;
  for (const std::size_t size : shape) cells *= static_cast<double>(size);
  if (reduction_ == LossReduction::mean) return cells;
  return reduction_ == LossReduction::batchmean ? static_cast<double>(shape[0]) : 1;
}

template <typename T>
void PairLoss<T>::forward(Inputs<T> inputs, Array<T>& output, Scratch<T>) const {
  const T* input = inputs[0]->data();
  const T* target = inputs[1]->data();
  const std::size_t count = inputs[0]->size();
  if (reduction_ == LossReduction::none) {
    for (std::size_t i = 0; i < count; ++i) output.data()[i] = loss(input[i], target[i]);
    return;
  }
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += loss(input[i], target[i]);
  output.data()[0] = static_cast<T>(sum / divisor(inputs[0]->shape()));
}

template <typename T>
void PairLoss<T>::backward(Inputs<T> inputs, const Array<T>&, const Array<T>& output_gradient,
                           Gradients<T> input_gradients, Scratch<T>) const {
  const T* input = inputs[0]->data();
  const T* target = inputs[1]->data();
  const bool reduced = reduction_ != LossReduction::none;
  const T denominator = static_cast<T>(divisor(inputs[0]->shape()));
  for (std::size_t side = 0; side < 2; ++side) {  // the input, then the target
    if (!input_gradients[side]) continue;
    for (std::size_t i = 0; i < inputs[0]->size(); ++i)
      input_gradients[side]->data()[i] +=
          output_gradient.data()[reduced ? 0 : i] * slope(input[i], target[i], side == 1) / denominator;
  }
}

template <typename T>
Explanation PairLoss<T>::explain(CellViews inputs, const CellView& output, const Index& index) const {
  Explanation explanation;
  if (reduction_ == LossReduction::none) {
    const double input = add_cell(explanation, "input", inputs, 0, index);
    const double target = add_cell(explanation, "target", inputs, 1, index);
    explain_loss(explanation, input, target, output);
    explanation.row("result").gives(output[index]);
    return explanation;
  }
  const Shape& shape = inputs[0].shape();
  LossTerms terms(output);
  Index cell;
  for (std::size_t i = 0; i < size_of(shape); ++i) {
    cell = index_at(shape, i);
    terms.add(cell, loss(static_cast<T>(inputs[0][cell]), static_cast<T>(inputs[1][cell])));
  }
  terms.move_into(explanation, reduction_, divisor(shape));
  for (int input = 0; input < 2 && size_of(shape) > 0; ++input) explanation.source(input, Index(shape.size(), 0), cell);
  return explanation;
}

template <typename T>
void PairLoss<T>::differentiate(CellViews inputs, const CellView&, std::size_t input, const Index& index,
                                Contributions& contributions) const {
  const double local = slope(static_cast<T>(inputs[0][index]), static_cast<T>(inputs[1][index]), input == 1);
  const bool reduced = reduction_ != LossReduction::none;
  contributions.add(reduced ? Index{} : index, local / divisor(inputs[0].shape()));
}

template class PairLoss<float>;
template class PairLoss<double>;

}  // namespace attn
