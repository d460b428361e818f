// Losses that compare two tensors cell by cell.
#pragma once

#include "ops/loss_reduction.hpp"
#include "tensor/op.hpp"

namespace attn {

// loss(input, target) for every cell, reduced to a scalar unless the reduction is "none". Throws InputError when the
// shapes differ.
template <typename T>
class PairLoss : public Op<T> {
 public:
  Attributes attributes() const override { return {{"reduction", to_string(reduction_)}}; }
  Shape shape(std::span<const Shape> inputs) const override;
  void forward(Inputs<T> inputs, Array<T>& output, Scratch<T>) const override;
  void backward(Inputs<T> inputs, const Array<T>& output, const Array<T>& output_gradient, Gradients<T> input_gradients,
                Scratch<T>) const override;

  // Without reduction, the rows are "input", "target" and those of explain_loss. For a reduced loss see LossTerms.
  Explanation explain(CellViews inputs, const CellView& output, const Index& index) const override;
  void differentiate(CellViews inputs, const CellView& output, std::size_t input, const Index& index,
                     Contributions& contributions) const override;

 protected:
  explicit PairLoss(LossReduction reduction) : reduction_(reduction) {}

  virtual T loss(T input, T target) const = 0;

  // d(loss) / d(input), or d(loss) / d(target).
  virtual T slope(T input, T target, bool of_target) const = 0;

  // Adds the rows between "target" and "result".
  virtual void explain_loss(Explanation& explanation, double input, double target, const CellView& precision) const = 0;

 private:
  double divisor(std::span<const std::size_t> shape) const;

  LossReduction reduction_;
};

extern template class PairLoss<float>;
extern template class PairLoss<double>;

}  // namespace attn
