// Sinusoidal positional encoding.
#include "ops/sinusoidal.hpp"

#include <cmath>
#include <vector>

#include "kernels/sinusoidal.hpp"
#include "ops/wavelength.hpp"

namespace attn {
namespace {

template <typename T>
class Sinusoidal final : public Op<T> {
 public:
  Sinusoidal(std::size_t dim, double base) : dim_(dim), base_(base) {}

  std::string_view name() const override { return "sinusoidal"; }
  Attributes attributes() const override { return {{"dim", static_cast<double>(dim_)}, {"base", base_}}; }
  std::uint64_t flops(std::span<const Shape>, const Shape& output) const override { return 3 * cell_count(output); }

  Shape shape(std::span<const Shape> inputs) const override {
    if (inputs[0].size() != 1) refuse_shape("sinusoidal", "positions", inputs[0], "one axis");
    return {inputs[0][0], dim_};
  }

  std::uint64_t prepared_bytes(std::span<const Shape> inputs) const override {
    return std::uint64_t{pairs(inputs)} * sizeof(double);
  }

  void prepare(std::span<const Shape> inputs, const Shape&) override {
    wavelengths_.resize(pairs(inputs));
    for (std::size_t i = 0; i < wavelengths_.size(); ++i) wavelengths_[i] = wavelength(base_, i, dim_);
  }

  void forward(Inputs<T> inputs, Array<T>& output, Scratch<T>) const override {
    kernels::sinusoidal<T>({inputs[0]->data(), inputs[0]->size()}, wavelengths_, dim_, output.data());
  }

  void backward(Inputs<T> inputs, const Array<T>&, const Array<T>& output_gradient, Gradients<T> input_gradients,
                Scratch<T>) const override {
    if (!input_gradients[0] || wavelengths_.empty()) return;
    for (std::size_t n = 0; n < inputs[0]->size(); ++n) {
      double sum = input_gradients[0]->data()[n];
      for (std::size_t j = 0; j < dim_; ++j) {
        const double divisor = wavelengths_[j / 2];
        const double angle = inputs[0]->data()[n] / divisor;
        const double slope = (j % 2 == 0 ? std::cos(angle) : -std::sin(angle)) / divisor;
        sum += output_gradient.data()[n * dim_ + j] * slope;
      }
      input_gradients[0]->data()[n] = static_cast<T>(sum);
    }
  }

  Explanation explain(CellViews inputs, const CellView& output, const Index& index) const override {
    Explanation explanation;
    const double position = add_cell(explanation, "position", inputs, 0, {index[0]});
    const double divisor = add_wavelength(explanation, base_, index[1] / 2, dim_);
    const double angle = position / divisor;
    explanation.row("angle").term(operand_at(inputs, 0, {index[0]})).term(divisor).gives(angle);
    explanation.row(index[1] % 2 == 0 ? "sin" : "cos").term(angle).gives(output[index]);
    return explanation;
  }

  void differentiate(CellViews inputs, const CellView&, std::size_t, const Index& index,
                     Contributions& contributions) const override {
    for (std::size_t j = 0; j < dim_; ++j) {
      const double divisor = wavelengths_[j / 2];
      const double angle = inputs[0][index] / divisor;
      contributions.add({index[0], j}, (j % 2 == 0 ? std::cos(angle) : -std::sin(angle)) / divisor);
    }
  }

 private:
  // The number of pairs of columns to compute; for an odd dim the last pair has only a sine.
  std::size_t pairs(std::span<const Shape> inputs) const { return inputs[0][0] == 0 ? 0 : dim_ / 2 + dim_ % 2; }

  std::size_t dim_;
  double base_;
  std::vector<double> wavelengths_;  // one per pair of columns; empty where there are no positions
};

}  // namespace

template <typename T>
Tensor<T> sinusoidal(const Tensor<T>& positions, std::size_t dim, double base, std::string name) {
  if (dim == 0) refuse_option("sinusoidal", "dim", "0", "at least 1");
  check_base(base, "sinusoidal");
  return positions.graph->apply(std::make_unique<Sinusoidal<T>>(dim, base), {positions}, std::move(name));
}

template Tensor<float> sinusoidal(const Tensor<float>&, std::size_t, double, std::string);
template Tensor<double> sinusoidal(const Tensor<double>&, std::size_t, double, std::string);

}  // namespace attn
