// Softmax along one axis, with the maximum subtracted first.
#include "ops/softmax.hpp"

#include <limits>

#include "ops/softmax_rows.hpp"

namespace attn {
namespace {

template <typename T>
class Softmax final : public Op<T> {
 public:
  Softmax(std::size_t axis, bool empty_is_zero) : axis_(axis), empty_is_zero_(empty_is_zero) {}

  std::string_view name() const override { return "softmax"; }
  std::uint64_t flops(std::span<const Shape>, const Shape& output) const override { return 5 * cell_count(output); }
  Attributes attributes() const override {
    return {{"axis", static_cast<double>(axis_)}, {"empty_is_zero", empty_is_zero_}};
  }

  Shape shape(std::span<const Shape> inputs) const override { return inputs[0]; }

  void forward(Inputs<T> inputs, Array<T>& output, Scratch<T>) const override {
    const Slices slices(output.shape(), axis_);
    for (std::size_t i = 0; i < slices.number(); ++i)
      kernels::softmax(inputs[0]->data() + slices.start(i), output.data() + slices.start(i), slices.along,
                       empty_is_zero_);
  }

  void backward(Inputs<T>, const Array<T>& output, const Array<T>& output_gradient, Gradients<T> input_gradients,
                Scratch<T>) const override {
    if (!input_gradients[0]) return;
    const Slices slices(output.shape(), axis_);
    for (std::size_t i = 0; i < slices.number(); ++i) {
      const std::size_t start = slices.start(i);
      kernels::softmax_backward(output.data() + start, output_gradient.data() + start,
                                input_gradients[0]->data() + start, slices.along);
    }
  }

  Explanation explain(CellViews inputs, const CellView& output, const Index& index) const override {
    Explanation explanation;
    const SoftmaxRows slice(kernels::Exponentials::softmax, inputs[0], axis_, index);
    bool empty = true;
    for (std::size_t i = 0; i < slice.count; ++i)
      empty = empty && slice.x(i) == -std::numeric_limits<double>::infinity();
    slice.add_source(explanation);
    slice.add_value(explanation);
    if (empty_is_zero_ && empty) {
      explanation.row("empty").gives(output[index]);
      return explanation;
    }
    slice.add_exponentials(explanation);
    const auto quotient = [&](std::size_t i) { return output.at(slice.start + i * slice.stride); };
    Row& shares = slice.add(explanation, "quotient", kNoTensor, true, quotient).gives(output[index]);
    // The result is one quotient, not a sum of the terms: a small one is not a rounding error of the others.
    shares.rounding_units = 0;
    explanation.slips["max"] = slice.unshifted_exponential(index[axis_]);
    return explanation;
  }

  void differentiate(CellViews, const CellView& output, std::size_t, const Index& index,
                     Contributions& contributions) const override {
    // d(output[i]) / d(x[j]) = output[i] ((i = j) - output[j])
    const double own = output[index];
    Index cell = index;
    for (cell[axis_] = 0; cell[axis_] < output.shape()[axis_]; ++cell[axis_])
      contributions.add(cell, output[cell] * ((cell[axis_] == index[axis_] ? 1 : 0) - own));
  }

 private:
  std::size_t axis_;
  bool empty_is_zero_;
};

}  // namespace

template <typename T>
Tensor<T> softmax(const Tensor<T>& x, const SoftmaxOptions& options, std::string name) {
  const std::size_t axis = axis_of(options.axis, x.shape().size(), "softmax");
  return x.graph->apply(std::make_unique<Softmax<T>>(axis, options.empty_is_zero), {x}, std::move(name));
}

void softmax(std::span<double> x) { kernels::softmax(x.data(), x.data(), {x.size(), 1}, false); }

template Tensor<float> softmax(const Tensor<float>&, const SoftmaxOptions&, std::string);
template Tensor<double> softmax(const Tensor<double>&, const SoftmaxOptions&, std::string);

}  // namespace attn
