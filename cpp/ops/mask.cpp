// Replacement of the cells that a mask does not keep.
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
  std::uint64_t flops(std::span<const Shape>, const Shape&) const override { return 0; }

  Shape shape(std::span<const Shape> inputs) const override {
    if (!broadcasts_to(inputs[1], inputs[0]))
      refuse_shape("mask", "keep", inputs[1], "one that broadcasts to x " + to_string(inputs[0]));
    return inputs[0];
  }

  void prepare(std::span<const Shape> inputs, const Shape& output) override {
    sizes_ = output;
    strides_ = broadcast_strides(inputs[1], output);
  }

  void forward(Inputs<T> inputs, Array<T>& output, Scratch<T>) const override {
    kernels::select(inputs[1]->data(), {sizes_, strides_}, inputs[0]->data(), static_cast<T>(fill_), output.data());
  }

  void backward(Inputs<T> inputs, const Array<T>&, const Array<T>& output_gradient, Gradients<T> input_gradients,
                Scratch<T>) const override {
    if (!input_gradients[0]) return;
    kernels::select_add(inputs[1]->data(), {sizes_, strides_}, output_gradient.data(), input_gradients[0]->data());
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
  Shape sizes_, strides_;  // of x; strides in keep
};

}  // namespace

template <typename T>
Tensor<T> mask(const Tensor<T>& x, const Tensor<T>& keep, double fill, std::string name) {
  return x.graph->apply(std::make_unique<Mask<T>>(fill), {x, keep}, std::move(name));
}

template Tensor<float> mask(const Tensor<float>&, const Tensor<float>&, double, std::string);
template Tensor<double> mask(const Tensor<double>&, const Tensor<double>&, double, std::string);

}  // namespace attn
