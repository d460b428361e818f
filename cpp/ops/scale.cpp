// Multiplication or division of every cell by one number.
#include "ops/scale.hpp"

#include <cmath>

namespace attn {
namespace {

template <typename T>
class Scale final : public Op<T> {
 public:
  explicit Scale(const ScaleOptions& options)
      : number_(options.factor    ? *options.factor
                : options.divisor ? *options.divisor
                                  : std::sqrt(*options.sqrt_divisor)),
        divide_(!options.factor),
        square_(options.sqrt_divisor) {}

  std::string_view name() const override { return "scale"; }
  Attributes attributes() const override {
    Attributes attributes{{role(), number_}};
    if (square_) attributes.emplace("sqrt_divisor", *square_);
    return attributes;
  }

  Shape shape(std::span<const Shape> inputs) const override { return inputs[0]; }

  void forward(Inputs<T> inputs, Array<T>& output, Scratch<T>) const override {
    const T number = static_cast<T>(number_);
    const T* x = inputs[0]->data();
    for (std::size_t i = 0; i < output.size(); ++i) output.data()[i] = divide_ ? x[i] / number : x[i] * number;
  }

  void backward(Inputs<T>, const Array<T>&, const Array<T>& output_gradient, Gradients<T> input_gradients,
                Scratch<T>) const override {
    if (!input_gradients[0]) return;
    const T number = static_cast<T>(number_);
    T* gradient = input_gradients[0]->data();
    for (std::size_t i = 0; i < output_gradient.size(); ++i) {
      const T upstream = output_gradient.data()[i];
      gradient[i] += divide_ ? upstream / number : upstream * number;
    }
  }

  Explanation explain(CellViews inputs, const CellView& output, const Index& index) const override {
    Explanation explanation;
    add_cell(explanation, "value", inputs, 0, index);
    const double number = output.rounded(number_);
    explanation.row(role()).term({-1, {}, number, square_}).gives(number);
    explanation.row("result").gives(output[index]);
    return explanation;
  }

  void differentiate(CellViews, const CellView& output, std::size_t, const Index& index,
                     Contributions& contributions) const override {
    const double number = output.rounded(number_);
    contributions.add(index, divide_ ? 1 / number : number);
  }

 private:
  const char* role() const { return divide_ ? "divisor" : "factor"; }

  double number_;
  bool divide_;
  std::optional<double> square_;  // of the divisor, when the divisor is a square root
};

}  // namespace

template <typename T>
Tensor<T> scale(const Tensor<T>& x, const ScaleOptions& options, std::string name) {
  const int count = options.factor.has_value() + options.divisor.has_value() + options.sqrt_divisor.has_value();
  if (count != 1)
    throw InputError("scale: " + std::string(count == 0 ? "none" : "more than one") +
                     " of factor, divisor and sqrt_divisor is given, expected one");
  if (options.divisor && static_cast<T>(*options.divisor) == T(0))
    refuse_option("scale", "divisor", "0", "another number");
  if (options.sqrt_divisor && !(*options.sqrt_divisor > 0))
    refuse_option("scale", "sqrt_divisor", format_number(*options.sqrt_divisor), "a number above 0");
  return x.graph->apply(std::make_unique<Scale<T>>(options), {x}, std::move(name));
}

template Tensor<float> scale(const Tensor<float>&, const ScaleOptions&, std::string);
template Tensor<double> scale(const Tensor<double>&, const ScaleOptions&, std::string);

}  // namespace attn
