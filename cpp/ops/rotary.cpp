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
  std::uint64_t flops(std::span<const Shape>, const Shape& output) const override { return 3 * cell_count(output); }

  Shape shape(std::span<const Shape> inputs) const override {
    const Shape& x = inputs[0];
    if (x.size() < 2 || x.back() % 2 != 0) refuse_shape("rotary", "x", x, "(..., L, d) with an even d");
    if (inputs[1] != Shape{x.end()[-2]})
      refuse_shape("rotary", "positions", inputs[1], to_string({x.end()[-2]}) + " to match x " + to_string(x));
    return x;
  }

  void forward(Inputs<T> inputs, Array<T>& output, Scratch<T>) const override {
    const T* x = inputs[0]->data();
    each_pair(inputs, [&](std::size_t, const Rotation& rotation, std::size_t first, std::size_t second) {
      output.data()[first] = x[first] * rotation.cos - x[second] * rotation.sin;
      output.data()[second] = x[first] * rotation.sin + x[second] * rotation.cos;
    });
  }

  void backward(Inputs<T> inputs, const Array<T>& output, const Array<T>& output_gradient, Gradients<T> input_gradients,
                Scratch<T>) const override {
    const T* upstream = output_gradient.data();
    each_pair(inputs, [&](std::size_t row, const Rotation& rotation, std::size_t first, std::size_t second) {
      if (input_gradients[0]) {  // the inverse rotation
        input_gradients[0]->data()[first] += upstream[first] * rotation.cos + upstream[second] * rotation.sin;
        input_gradients[0]->data()[second] += upstream[second] * rotation.cos - upstream[first] * rotation.sin;
      }
      if (input_gradients[1])  // d(first)/d(angle) = -second, d(second)/d(angle) = first
        input_gradients[1]->data()[row] += static_cast<T>(
            (upstream[second] * output.data()[first] - upstream[first] * output.data()[second]) / rotation.wavelength);
    });
  }

  Explanation explain(CellViews inputs, const CellView& output, const Index& index) const override {
    Explanation explanation;
    const std::size_t dim = inputs[0].shape().back();
    const Pair pair = pair_of(index.back(), dim);
    Index first = index;
    Index second = index;
    first.back() = pair.first;
    second.back() = pair.second;
    const Index row = {index.end()[-2]};
    explanation.source(0, first);
    explanation.source(0, second);
    explanation.source(1, row);

    const double length = wavelength(options_.base, pair.i, dim);
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
        .term(output.rounded(a.value * (pair.is_first ? cos : sin)))
        .term(output.rounded(b.value * (pair.is_first ? -sin : cos)))
        .gives(output[index]);
    return explanation;
  }

  void differentiate(CellViews inputs, const CellView& output, std::size_t input, const Index& index,
                     Contributions& contributions) const override {
    const std::size_t dim = inputs[0].shape().back();
    if (input == 1) {  // d(first)/d(angle) = -second, d(second)/d(angle) = first
      Shape rows = inputs[0].shape();
      rows.end()[-2] = 1;
      for (std::size_t i = 0; i < size_of(rows); ++i) {
        Index cell = index_at(rows, i);
        cell.end()[-2] = index[0];
        const Pair pair = pair_of(cell.back(), dim);
        Index other = cell;
        other.back() = pair.is_first ? pair.second : pair.first;
        const double length = wavelength(options_.base, pair.i, dim);
        contributions.add(cell, (pair.is_first ? -output[other] : output[other]) / length);
      }
      return;
    }
    const Pair pair = pair_of(index.back(), dim);
    const double angle = inputs[1][{index.end()[-2]}] / wavelength(options_.base, pair.i, dim);
    const double cos = output.rounded(std::cos(angle));
    const double sin = output.rounded(std::sin(angle));
    Index cell = index;
    cell.back() = pair.first;
    contributions.add(cell, pair.is_first ? cos : -sin);
    cell.back() = pair.second;
    contributions.add(cell, pair.is_first ? sin : cos);
  }

 private:
  // The columns of a pair, and which of the two contains the requested cell.
  struct Pair {
    std::size_t i, first, second;
    bool is_first;
  };

  Pair pair_of(std::size_t column, std::size_t dim) const {
    const std::size_t i = half_ ? column % (dim / 2) : column / 2;
    const std::size_t first = half_ ? i : 2 * i;
    return {i, first, half_ ? i + dim / 2 : 2 * i + 1, column == first};
  }

  struct Rotation {
    double wavelength;
    T cos, sin;
  };

  Rotation rotation(Inputs<T> inputs, std::size_t row, std::size_t i, std::size_t dim) const {
    const double length = wavelength(options_.base, i, dim);
    const double angle = inputs[1]->data()[row] / length;
    return {length, static_cast<T>(std::cos(angle)), static_cast<T>(std::sin(angle))};
  }

  // Calls visit(row, rotation, offset of the first, offset of the second) for every pair; each rotation is computed
  // once.
  template <typename Visit>
  void each_pair(Inputs<T> inputs, Visit visit) const {
    const std::size_t dim = inputs[0]->shape().back();
    const std::size_t rows = inputs[1]->size();
    const std::size_t plane = rows * dim;
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t i = 0; i < dim / 2; ++i) {
        const Rotation rotation = this->rotation(inputs, row, i, dim);
        for (std::size_t start = row * dim; start < inputs[0]->size(); start += plane)
          visit(row, rotation, start + (half_ ? i : 2 * i), start + (half_ ? i + dim / 2 : 2 * i + 1));
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
