// The rotation matrix that shifts a sinusoidal encoding by an offset.
#include "ops/shift_matrix.hpp"

#include <algorithm>
#include <cmath>

#include "ops/wavelength.hpp"

namespace attn {
namespace {

template <typename T>
class ShiftMatrix final : public Op<T> {
 public:
  ShiftMatrix(std::size_t dim, double base) : dim_(dim), base_(base) {}

  std::string_view name() const override { return "shift_matrix"; }
  Attributes attributes() const override { return {{"dim", static_cast<double>(dim_)}, {"base", base_}}; }

  // Each row of the matrix has two numbers that are not 0.
  std::uint64_t flops(std::span<const Shape>, const Shape&) const override { return 6 * std::uint64_t{dim_}; }

  Shape shape(std::span<const Shape> inputs) const override {
    if (!inputs[0].empty()) refuse_shape("shift_matrix", "offset", inputs[0], "(), a single number");
    return {dim_, dim_};
  }

  void forward(Inputs<T> inputs, Array<T>& output, Scratch<T>) const override {
    std::fill_n(output.data(), output.size(), T(0));
    for (std::size_t i = 0; i < dim_ / 2; ++i) {
      const double angle = inputs[0]->data()[0] / wavelength(base_, i, dim_);
      T* block = output.data() + 2 * i * dim_ + 2 * i;
      block[0] = block[dim_ + 1] = static_cast<T>(std::cos(angle));
      block[1] = static_cast<T>(std::sin(angle));
      block[dim_] = -block[1];
    }
  }

  void backward(Inputs<T> inputs, const Array<T>&, const Array<T>& output_gradient, Gradients<T> input_gradients,
                Scratch<T>) const override {
    if (!input_gradients[0]) return;
    double sum = input_gradients[0]->data()[0];
    for (std::size_t i = 0; i < dim_ / 2; ++i) {
      const double length = wavelength(base_, i, dim_);
      const double angle = inputs[0]->data()[0] / length;
      const T* block = output_gradient.data() + 2 * i * dim_ + 2 * i;
      sum += ((block[1] - block[dim_]) * std::cos(angle) - (block[0] + block[dim_ + 1]) * std::sin(angle)) / length;
    }
    input_gradients[0]->data()[0] = static_cast<T>(sum);
  }

  Explanation explain(CellViews inputs, const CellView& output, const Index& index) const override {
    Explanation explanation;
    if (index[0] / 2 == index[1] / 2) {
      const double offset = add_cell(explanation, "offset", inputs, 0, {});
      const double divisor = add_wavelength(explanation, base_, index[0] / 2, dim_);
      const double angle = offset / divisor;
      explanation.row("angle").term(operand_at(inputs, 0, {})).term(divisor).gives(angle);
      const bool diagonal = index[0] == index[1];
      explanation.row(diagonal ? "cos" : "sin")
          .term(angle)
          .gives(output.rounded(diagonal ? std::cos(angle) : std::sin(angle)));
    }
    explanation.row("result").gives(output[index]);
    return explanation;
  }

  void differentiate(CellViews inputs, const CellView&, std::size_t, const Index& index,
                     Contributions& contributions) const override {
    for (std::size_t row = 0; row < dim_; ++row) {
      const std::size_t first = row - row % 2;
      const double length = wavelength(base_, row / 2, dim_);
      const double angle = inputs[0][index] / length;
      for (std::size_t column = first; column < first + 2; ++column) {
        const double slope = row == column ? -std::sin(angle) : row < column ? std::cos(angle) : -std::cos(angle);
        contributions.add({row, column}, slope / length);
      }
    }
  }

 private:
  std::size_t dim_;
  double base_;
};

}  // namespace

template <typename T>
Tensor<T> shift_matrix(const Tensor<T>& offset, std::size_t dim, double base, std::string name) {
  if (dim == 0 || dim % 2 != 0)
    refuse_option("shift_matrix", "dim", std::to_string(dim), "an even number of at least 2");
  check_base(base, "shift_matrix");
  return offset.graph->apply(std::make_unique<ShiftMatrix<T>>(dim, base), {offset}, std::move(name));
}

template Tensor<float> shift_matrix(const Tensor<float>&, std::size_t, double, std::string);
template Tensor<double> shift_matrix(const Tensor<double>&, std::size_t, double, std::string);

}  // namespace attn
