// Replacement of the cells a mask does not keep.
#include "ops/mask.hpp"

#include "kernels/strided.hpp"

namespace attn {
namespace {

template <typename T>
class Mask final : public Op<T> {
 public:
  explicit Mask(double fill) : fill_(fill) {}

  std::string_view name() const override { return "mask"; }
  Attributes attributes() const override { return {{"fill", fill_}}; }
  bool differentiable(std::size_t input) const override { return input == 0; }

  Shape shape(std::span<const Shape> inputs) const override {
    if (!broadcasts_to(inputs[1], inputs[0]))
      refuse_shape("mask", "keep", inputs[1], "one that broadcasts to x " + to_string(inputs[0]));
    return inputs[0];
  }

  void forward(Inputs<T> inputs, Array<T>& output) const override {
    const Shape shape = shape_of(output);
    const Shape strides = broadcast_strides(shape_of(*inputs[1]), shape);
    kernels::select(inputs[1]->data(), {shape, strides}, inputs[0]->data(), static_cast<T>(fill_), output.data());
  }

  void backward(Inputs<T> inputs, const Array<T>&, const Array<T>& output_gradient,
                Gradients<T> input_gradients) const override {
    if (!input_gradients[0]) return;
    const Shape shape = shape_of(output_gradient);
    const Shape strides = broadcast_strides(shape_of(*inputs[1]), shape);
    kernels::select_add(inputs[1]->data(), {shape, strides}, output_gradient.data(), input_gradients[0]->data());
  }

  Explanation explain(CellViews inputs, const CellView& output, const Index& index) const override {
    Explanation explanation;
    add_cell(explanation, "value", inputs, 0, index);
    add_cell(explanation, "mask", inputs, 1, broadcast_index(inputs[1].shape(), index));
    explanation.row("result").gives(output[index]);
    return explanation;
  }

  void differentiate(CellViews inputs, const CellView&, std::size_t, const Index& index,
                     Contributions& contributions) const override {
    contributions.add(index, inputs[1][broadcast_index(inputs[1].shape(), index)] != 0 ? 1 : 0);
  }

 private:
  double fill_;
};

}  // namespace

template <typename T>
Tensor<T> mask(const Tensor<T>& x, const Tensor<T>& keep, double fill, std::string name) {
  return x.graph->apply(std::make_unique<Mask<T>>(fill), {x, keep}, std::move(name));
}

template Tensor<float> mask(const Tensor<float>&, const Tensor<float>&, double, std::string);
template Tensor<double> mask(const Tensor<double>&, const Tensor<double>&, double, std::string);

}  // namespace attn
