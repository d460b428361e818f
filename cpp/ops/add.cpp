// Sum of two tensors with NumPy's broadcasting.
#include "ops/add.hpp"

#include "kernels/strided.hpp"

namespace attn {
namespace {

template <typename T>
class Add final : public Op<T> {
 public:
  std::string_view name() const override { return "add"; }

  Shape shape(std::span<const Shape> inputs) const override { return broadcast(inputs[0], inputs[1], "add", "b"); }

  void forward(Inputs<T> inputs, Array<T>& output) const override {
    const Shape shape = shape_of(output);
    const Shape a = broadcast_strides(shape_of(*inputs[0]), shape);
    const Shape b = broadcast_strides(shape_of(*inputs[1]), shape);
    kernels::gather(inputs[0]->data(), {shape, a}, output.data());
    kernels::gather_add(inputs[1]->data(), {shape, b}, output.data());
  }

  void backward(Inputs<T> inputs, const Array<T>&, const Array<T>& output_gradient,
                Gradients<T> input_gradients) const override {
    const Shape shape = shape_of(output_gradient);
    for (std::size_t input = 0; input < 2; ++input) {
      if (!input_gradients[input]) continue;
      const Shape strides = broadcast_strides(shape_of(*inputs[input]), shape);
      kernels::scatter_add(output_gradient.data(), input_gradients[input]->data(), {shape, strides});
    }
  }

  Explanation explain(CellViews inputs, const CellView& output, const Index& index) const override {
    Explanation explanation;
    for (int input = 0; input < 2; ++input)
      add_cell(explanation, "term", inputs, input,
               broadcast_index(inputs[static_cast<std::size_t>(input)].shape(), index));
    explanation.row("sum").gives(output[index]);
    return explanation;
  }
};

}  // namespace

template <typename T>
Tensor<T> add(const Tensor<T>& a, const Tensor<T>& b, std::string name) {
  return a.graph->apply(std::make_unique<Add<T>>(), {a, b}, std::move(name));
}

template Tensor<float> add(const Tensor<float>&, const Tensor<float>&, std::string);
template Tensor<double> add(const Tensor<double>&, const Tensor<double>&, std::string);

}  // namespace attn
