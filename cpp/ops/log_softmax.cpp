// Logarithm of the softmax along one axis, without computing the softmax.
#include "ops/log_softmax.hpp"

#include "ops/softmax_rows.hpp"

namespace attn {
namespace {

template <typename T>
class LogSoftmax final : public Op<T> {
 public:
  explicit LogSoftmax(std::size_t axis) : axis_(axis) {}

  std::string_view name() const override { return "log_softmax"; }
  Attributes attributes() const override { return {{"axis", static_cast<double>(axis_)}}; }
  std::uint64_t flops(std::span<const Shape>, const Shape& output) const override { return 5 * cell_count(output); }

  Shape shape(std::span<const Shape> inputs) const override { return inputs[0]; }

  void forward(Inputs<T> inputs, Array<T>& output, Scratch<T>) const override {
    const Slices slices(output.shape(), axis_);
    for (std::size_t i = 0; i < slices.number(); ++i)
      kernels::log_softmax(inputs[0]->data() + slices.start(i), output.data() + slices.start(i), slices.along);
  }

  void backward(Inputs<T>, const Array<T>& output, const Array<T>& output_gradient, Gradients<T> input_gradients,
                Scratch<T>) const override {
    if (!input_gradients[0]) return;
    const Slices slices(output.shape(), axis_);
    for (std::size_t i = 0; i < slices.number(); ++i) {
      const std::size_t start = slices.start(i);
      kernels::log_softmax_backward(output.data() + start, output_gradient.data() + start,
                                    input_gradients[0]->data() + start, slices.along);
    }
  }

  Explanation explain(CellViews inputs, const CellView& output, const Index& index) const override {
    Explanation explanation;
    const SoftmaxRows slice(kernels::Exponentials::log_softmax, inputs[0], axis_, index);
    slice.add_source(explanation);
    slice.add_value(explanation);
    slice.add_exponentials(explanation);
    const double log_sum = output.log(slice.sum);
    explanation.row("log_sum").term(slice.sum).gives(log_sum);
    explanation.row("difference").term(slice.difference(index[axis_])).term(log_sum).gives(output[index]);
    return explanation;
  }

  void differentiate(CellViews, const CellView& output, std::size_t, const Index& index,
                     Contributions& contributions) const override {
    // d(output[i]) / d(x[j]) = (i = j) - softmax(x)[j]
    const double weight = output.exp(output[index]);
    Index cell = index;
    for (cell[axis_] = 0; cell[axis_] < output.shape()[axis_]; ++cell[axis_])
      contributions.add(cell, (cell[axis_] == index[axis_] ? 1 : 0) - weight);
  }

 private:
  std::size_t axis_;
};

}  // namespace

template <typename T>
Tensor<T> log_softmax(const Tensor<T>& x, int axis, std::string name) {
  return x.graph->apply(std::make_unique<LogSoftmax<T>>(axis_of(axis, x.shape().size(), "log_softmax")), {x},
                        std::move(name));
}

template Tensor<float> log_softmax(const Tensor<float>&, int, std::string);
template Tensor<double> log_softmax(const Tensor<double>&, int, std::string);

}  // namespace attn
