// Rotary position embedding.
#include "ops/rotary.hpp"

#include <cmath>

#include "ops/wavelength.hpp"

namespace attn {
namespace {

template <typename T>
class Rotary final : public Op<T> {
 public:
  explicit Rotary(RotaryOptions options) : options_(std::move(options)), half_(options_.layout == "half") {}

  std::string_view name() const override { return "rotary"; }
  Attributes attributes() const override { return {{"base", options_.base}, {"layout", options_.layout}}; }

  Shape shape(std::span<const Shape> inputs) const override {
    const Shape& x = inputs[0];
    if (x.size() < 2 || x.back() % 2 != 0) refuse_shape("rotary", "x", x, "(..., L, d) with an even d");
    if (inputs[1] != Shape{x.end()[-2]})
      refuse_shape("rotary", "positions", inputs[1], to_string({x.end()[-2]}) + " to match x " + to_string(x));
    return x;
  }

  void forward(Inputs<T> inputs, Array<T>& output) const override {
    const T* x = inputs[0]->data();
    each_pair(inputs, [&](std::size_t, const Turn& turn, std::size_t first, std::size_t second) {
      output.data()[first] = x[first] * turn.cos - x[second] * turn.sin;
      output.data()[second] = x[first] * turn.sin + x[second] * turn.cos;
    });
  }

  void backward(Inputs<T> inputs, const Array<T>& output, const Array<T>& output_gradient,
                Gradients<T> input_gradients) const override {
    const T* upstream = output_gradient.data();
    each_pair(inputs, [&](std::size_t row, const Turn& turn, std::size_t first, std::size_t second) {
      if (input_gradients[0]) {  // the turn backward
        input_gradients[0]->data()[first] += upstream[first] * turn.cos + upstream[second] * turn.sin;
        input_gradients[0]->data()[second] += upstream[second] * turn.cos - upstream[first] * turn.sin;
      }
      if (input_gradients[1])  // d(first)/d(angle) = -second, d(second)/d(angle) = first
        input_gradients[1]->data()[row] += static_cast<T>(
            (upstream[second] * output.data()[first] - upstream[first] * output.data()[second]) / turn.wavelength);
    });
  }

  Explanation explain(CellViews inputs, const CellView& output, const Index& index) const override {
    Explanation explanation;
    const std::size_t dim = inputs[0].shape().back();
    const std::size_t column = index.back();
    const std::size_t i = half_ ? column % (dim / 2) : column / 2;
    const bool is_first = half_ ? column < dim / 2 : column % 2 == 0;
    Index first = index;
    Index second = index;
    first.back() = half_ ? i : 2 * i;
    second.back() = half_ ? i + dim / 2 : 2 * i + 1;
    const Index row = {index.end()[-2]};
    explanation.source(0, first);
    explanation.source(0, second);
    explanation.source(1, row);

    const double length = wavelength(options_.base, i, dim);
    const Operand position = operand_at(inputs, 1, row);
    const double angle = position.value / length;
    explanation.row("angle").term(position).term(length).gives(angle);
    const Operand a = operand_at(inputs, 0, first);
    const Operand b = operand_at(inputs, 0, second);
    explanation.row("pair").term(a).term(b);
    const double cos = output.rounded(std::cos(angle));
    const double sin = output.rounded(std::sin(angle));
    explanation.row("cos_sin").term(cos).term(sin);
    explanation.row("products")
        .term(output.rounded(a.value * (is_first ? cos : sin)))
        .term(output.rounded(b.value * (is_first ? -sin : cos)))
        .gives(output[index]);
    return explanation;
  }

 private:
  struct Turn {
    double wavelength;
    T cos, sin;
  };

  Turn turn(Inputs<T> inputs, std::size_t row, std::size_t i, std::size_t dim) const {
    const double length = wavelength(options_.base, i, dim);
    const double angle = inputs[1]->data()[row] / length;
    return {length, static_cast<T>(std::cos(angle)), static_cast<T>(std::sin(angle))};
  }

  // Calls visit(row, turn, place of the first, place of the second) for every pair; a turn is computed once.
  template <typename Visit>
  void each_pair(Inputs<T> inputs, Visit visit) const {
    const std::size_t dim = inputs[0]->shape().back();
    const std::size_t rows = inputs[1]->size();
    const std::size_t plane = rows * dim;
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t i = 0; i < dim / 2; ++i) {
        const Turn turn = this->turn(inputs, row, i, dim);
        for (std::size_t start = row * dim; start < inputs[0]->size(); start += plane)
          visit(row, turn, start + (half_ ? i : 2 * i), start + (half_ ? i + dim / 2 : 2 * i + 1));
      }
    }
  }

  RotaryOptions options_;
  bool half_;
};

}  // namespace

template <typename T>
Tensor<T> rotary(const Tensor<T>& x, const Tensor<T>& positions, const RotaryOptions& options, std::string name) {
  if (options.layout != "interleaved" && options.layout != "half")
    refuse_option("rotary", "layout", "\"" + options.layout + "\"", "\"interleaved\" or \"half\"");
  check_base(options.base, "rotary");
  return x.graph->apply(std::make_unique<Rotary<T>>(options), {x, positions}, std::move(name));
}

template Tensor<float> rotary(const Tensor<float>&, const Tensor<float>&, const RotaryOptions&, std::string);
template Tensor<double> rotary(const Tensor<double>&, const Tensor<double>&, const RotaryOptions&, std::string);

}  // namespace attn
