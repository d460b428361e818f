// The base of sum and mean.
#include "ops/reduction.hpp"

#include <algorithm>
#include <numeric>

#include "kernels/reduction.hpp"
#include "kernels/strided.hpp"

namespace attn {

std::vector<std::size_t> reduced_axes(const ReductionOptions& options, std::size_t rank, std::string_view operation) {
  std::vector<std::size_t> axes;
  if (!options.axes) {
    axes.resize(rank);
    std::iota(axes.begin(), axes.end(), std::size_t(0));
    return axes;
  }
  for (int axis : *options.axes) axes.push_back(axis_of(axis, rank, operation));
  std::sort(axes.begin(), axes.end());
  const auto duplicate = std::adjacent_find(axes.begin(), axes.end());
  if (duplicate != axes.end())
    refuse_option(operation, "axis", std::to_string(*duplicate) + " again", "each axis once");
  return axes;
}

template <typename T>
Attributes Reduction<T>::attributes() const {
  return {{"axes", std::vector<double>(axes_.begin(), axes_.end())}, {"keepdim", keepdim_}};
}

// The shape of x with 1 along the reduced axes: the shape from which the output broadcasts to x.
template <typename T>
Shape Reduction<T>::keepdim_shape(const Shape& x) const {
  Shape reduced = x;
  for (std::size_t axis : axes_) reduced[axis] = 1;
  return reduced;
}

// The number of cells of x that are reduced to one cell of the output.
template <typename T>
double Reduction<T>::count(const Shape& x) const {
  double product = 1;
  for (std::size_t axis : axes_) product *= static_cast<double>(x[axis]);
  return product;
}

template <typename T>
Shape Reduction<T>::shape(std::span<const Shape> inputs) const {
  Shape output = keepdim_shape(inputs[0]);
  if (keepdim_) return output;
  for (std::size_t i = axes_.size(); i-- > 0;) output.erase(output.begin() + static_cast<std::ptrdiff_t>(axes_[i]));
  return output;
}

template <typename T>
std::uint64_t Reduction<T>::flops(std::span<const Shape> inputs, const Shape& output) const {
  return cell_count(inputs[0]) + (mean_ ? cell_count(output) : 0);
}

// The gradient that every cell of a mean receives.
template <typename T>
std::uint64_t Reduction<T>::scratch_bytes(std::span<const Shape> inputs) const {
  return mean_ ? cell_count(keepdim_shape(inputs[0])) * sizeof(T) : 0;
}

template <typename T>
void Reduction<T>::prepare(std::span<const Shape> inputs, const Shape&) {
  sizes_ = inputs[0];
  strides_ = broadcast_strides(keepdim_shape(sizes_), sizes_);
}

template <typename T>
void Reduction<T>::forward(Inputs<T> inputs, Array<T>& output, Scratch<T>) const {
  std::fill_n(output.data(), output.size(), T(0));
  kernels::sum_add(inputs[0]->data(), {sizes_, strides_}, output.data());
  if (!mean_) return;
  const T divisor = static_cast<T>(count(sizes_));
  for (std::size_t i = 0; i < output.size(); ++i) output.data()[i] /= divisor;
}

template <typename T>
void Reduction<T>::backward(Inputs<T>, const Array<T>&, const Array<T>& output_gradient, Gradients<T> input_gradients,
                            Scratch<T> share) const {
  if (!input_gradients[0]) return;
  const T* shares = output_gradient.data();
  if (mean_) {
    const T divisor = static_cast<T>(count(sizes_));
    for (std::size_t i = 0; i < output_gradient.size(); ++i) share[i] = output_gradient.data()[i] / divisor;
    shares = share.data();
  }
  kernels::gather_add(shares, {sizes_, strides_}, input_gradients[0]->data());
}

template <typename T>
Explanation Reduction<T>::explain(CellViews inputs, const CellView& output, const Index& index) const {
  Explanation explanation;
  const Shape& shape = inputs[0].shape();
  const Shape keepdim = keepdim_shape(shape);
  const Index first = index_at(keepdim, offset_of(output.shape(), index));
  Shape reduced(shape.size(), 1);
  for (std::size_t axis : axes_) reduced[axis] = shape[axis];
  TermList terms;
  double sum = 0;
  Index cell = first;
  for (std::size_t i = 0; i < size_of(reduced); ++i) {
    cell = index_at(reduced, i);
    for (std::size_t axis = 0; axis < cell.size(); ++axis) cell[axis] += first[axis];
    const Operand term = operand_at(inputs, 0, cell);
    sum += term.value;
    terms.add(term);
  }
  if (size_of(reduced) > 0) explanation.source(0, first, cell);
  sum = output.rounded(sum);
  terms.move_into(explanation.row("terms").gives(sum), true);
  if (mean_) {
    explanation.row("count").gives(count(shape));
    explanation.row("quotient").term(sum).term(count(shape)).gives(output[index]);
  }
  return explanation;
}

template <typename T>
void Reduction<T>::differentiate(CellViews inputs, const CellView& output, std::size_t, const Index& index,
                                 Contributions& contributions) const {
  const Shape keepdim = keepdim_shape(inputs[0].shape());
  const std::size_t offset = offset_of(keepdim, broadcast_index(keepdim, index));
  contributions.add(index_at(output.shape(), offset), mean_ ? 1 / count(inputs[0].shape()) : 1);
}

template class Reduction<float>;
template class Reduction<double>;

}  // namespace attn
