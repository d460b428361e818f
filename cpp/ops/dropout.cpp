// Inverted dropout with a given uniform draw.
#include "ops/dropout.hpp"

#include "kernels/dropout.hpp"

namespace attn {
namespace {

template <typename T>
class Dropout final : public Op<T> {
 public:
  explicit Dropout(double p) : p_(p) {}

  std::string_view name() const override { return "dropout"; }
  Attributes attributes() const override { return {{"p", p_}}; }
  bool differentiable(std::size_t input) const override { return input == 0; }
  std::uint64_t flops(std::span<const Shape>, const Shape& output) const override { return 2 * cell_count(output); }

  Shape shape(std::span<const Shape> inputs) const override {
    if (inputs[1] != inputs[0]) refuse_shape("dropout", "u", inputs[1], to_string(inputs[0]) + ", the shape of x");
    return inputs[0];
  }

  void forward(Inputs<T> inputs, Array<T>& output, Scratch<T>) const override {
    kernels::dropout(static_cast<T>(p_), static_cast<T>(1 - p_), inputs[0]->data(), inputs[1]->data(), output.data(),
                     output.size());
  }

  void backward(Inputs<T> inputs, const Array<T>&, const Array<T>& output_gradient, Gradients<T> input_gradients,
                Scratch<T>) const override {
    if (!input_gradients[0]) return;
    kernels::dropout_backward_add(static_cast<T>(p_), static_cast<T>(1 - p_), output_gradient.data(), inputs[1]->data(),
                                  input_gradients[0]->data(), output_gradient.size());
  }

  Explanation explain(CellViews inputs, const CellView& output, const Index& index) const override {
    Explanation explanation;
    add_cell(explanation, "value", inputs, 0, index);
    const double draw = add_cell(explanation, "draw", inputs, 1, index);
    explanation.row("keep").term(draw).term(p_).gives(keeps(inputs, output, index) ? 1 : 0);
    const double keep_probability = output.rounded(1 - p_);
    explanation.row("divisor").term(1).term(p_).gives(keep_probability);
    explanation.row("result").gives(output[index]);
    return explanation;
  }

  void differentiate(CellViews inputs, const CellView& output, std::size_t, const Index& index,
                     Contributions& contributions) const override {
    contributions.add(index, keeps(inputs, output, index) ? 1 / output.rounded(1 - p_) : 0);
  }

 private:
  bool keeps(CellViews inputs, const CellView& output, const Index& index) const {
    return inputs[1][index] > output.rounded(p_);
  }

  double p_;
};

}  // namespace

template <typename T>
Tensor<T> dropout(const Tensor<T>& x, const Tensor<T>& u, double p, std::string name) {
  if (!(p >= 0 && p < 1)) refuse_option("dropout", "p", format_number(p), "0 <= p < 1");
  return x.graph->apply(std::make_unique<Dropout<T>>(p), {x, u}, std::move(name));
}

template Tensor<float> dropout(const Tensor<float>&, const Tensor<float>&, double, std::string);
template Tensor<double> dropout(const Tensor<double>&, const Tensor<double>&, double, std::string);

}  // namespace attn
