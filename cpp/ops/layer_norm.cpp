// Layer normalisation over the last axis.
#include "ops/layer_norm.hpp"

#include <cmath>
#include <type_traits>

#include "kernels/gradient_sums.hpp"
#include "kernels/layer_norm.hpp"

namespace attn {
namespace {

template <typename T>
class LayerNorm final : public Op<T> {
 public:
  LayerNorm(bool has_weight, bool has_bias, LayerNormOptions options)
      : has_weight_(has_weight), has_bias_(has_bias), options_(options) {}

  std::string_view name() const override { return "layer_norm"; }
  std::uint64_t flops(std::span<const Shape> inputs, const Shape& output) const override {
    return cell_count(output) * (5 + (inputs.size() - 1));
  }
  Attributes attributes() const override {
    return {
        {"has_weight", has_weight_}, {"has_bias", has_bias_}, {"eps", options_.eps}, {"unbiased", options_.unbiased}};
  }

  Shape shape(std::span<const Shape> inputs) const override {
    const Shape& x = inputs[0];
    if (x.empty()) refuse_shape("layer_norm", "x", x, "at least one axis");
    for (std::size_t i = 1; i < inputs.size(); ++i)
      if (inputs[i] != Shape{x.back()})
        refuse_shape("layer_norm", i == weight_input() ? "weight" : "bias", inputs[i],
                     to_string({x.back()}) + " to match x " + to_string(x));
    return x;
  }

  void forward(Inputs<T> inputs, Array<T>& output, Scratch<T>) const override {
    const std::size_t n = inputs[0]->shape().back();
    for (std::size_t start = 0; start < output.size(); start += n)
      kernels::layer_norm(inputs[0]->data() + start, has_weight_ ? inputs[weight_input()]->data() : nullptr,
                          has_bias_ ? inputs[bias_input()]->data() : nullptr, output.data() + start, n, options_.eps,
                          options_.unbiased);
  }

  std::uint64_t scratch_bytes(std::span<const Shape> inputs) const override {
    if (std::is_same_v<T, double>) return 0;
    return (has_weight_ + has_bias_) * std::uint64_t{kernels::floats_of_sums(inputs[0].back())} * sizeof(T);
  }

  void backward(Inputs<T> inputs, const Array<T>&, const Array<T>& output_gradient, Gradients<T> input_gradients,
                Scratch<T> scratch) const override {
    const std::size_t n = inputs[0]->shape().back();
    T* x_gradient = input_gradients[0] ? input_gradients[0]->data() : nullptr;
    // The accumulators of the gradient of weight or bias.
    T* memory = scratch.data();
    const auto begin = [&](bool has, std::size_t input) -> T* {
      if (!has || !input_gradients[input]) return nullptr;
      if constexpr (std::is_same_v<T, double>) {
        return input_gradients[input]->data();
      } else {
        T* sums = memory;
        memory += kernels::floats_of_sums(n);
        kernels::begin_sums(input_gradients[input]->data(), n, sums);
        return sums;
      }
    };
    T* weight_sums = begin(has_weight_, weight_input());
    T* bias_sums = begin(has_bias_, bias_input());
    for (std::size_t start = 0; start < output_gradient.size(); start += n)
      kernels::layer_norm_backward(inputs[0]->data() + start, has_weight_ ? inputs[weight_input()]->data() : nullptr,
                                   output_gradient.data() + start, x_gradient ? x_gradient + start : nullptr,
                                   weight_sums, bias_sums, n, options_.eps, options_.unbiased);
    if constexpr (std::is_same_v<T, float>) {
      if (weight_sums) kernels::end_sums(weight_sums, n, input_gradients[weight_input()]->data());
      if (bias_sums) kernels::end_sums(bias_sums, n, input_gradients[bias_input()]->data());
    }
  }

  Explanation explain(CellViews inputs, const CellView& output, const Index& index) const override {
    Explanation explanation;
    const Moments row(inputs[0], index, options_);
    Index cell = index;
    double sum = 0;
    double squares = 0;
    TermList terms, squared;
    for (cell.back() = 0; cell.back() < row.n; ++cell.back()) {
      const double term = inputs[0][cell];
      const double difference = term - row.mean;
      sum += term;
      squares += difference * difference;
      terms.add(0, cell, term);
      squared.add(kNoTensor, cell, difference * difference);
    }
    const double count = static_cast<double>(row.n);
    Index first = index;
    first.back() = 0;
    --cell.back();
    explanation.source(0, first, cell);
    terms.move_into(explanation.row("value").gives(sum), true);
    explanation.row("mean").term(sum).term(count).gives(row.mean);
    squared.move_into(explanation.row("squares").gives(squares), true);
    explanation.row("variance").term(squares).term(count - (options_.unbiased ? 1 : 0)).gives(row.variance);
    explanation.row("deviation").term(row.variance).term(options_.eps).gives(row.deviation);
    const double x = inputs[0][index];
    explanation.row("centred").term(operand_at(inputs, 0, index)).term(row.mean).gives(x - row.mean);
    explanation.row("normalised").term(x - row.mean).term(row.deviation).gives(row.normalised(index.back()));
    if (has_weight_) add_cell(explanation, "weight", inputs, static_cast<int>(weight_input()), {index.back()});
    if (has_bias_) add_cell(explanation, "bias", inputs, static_cast<int>(bias_input()), {index.back()});
    explanation.row("result").gives(output[index]);
    return explanation;
  }

  void differentiate(CellViews inputs, const CellView&, std::size_t input, const Index& index,
                     Contributions& contributions) const override {
    const CellView& x = inputs[0];
    if (input > 0) {  // d(output[..., i]) / d(weight[i]) = normalised[..., i], / d(bias[i]) = 1
      Shape rows = x.shape();
      rows.back() = 1;
      for (std::size_t i = 0; i < size_of(rows); ++i) {
        Index cell = index_at(rows, i);
        cell.back() = index[0];
        contributions.add(cell,
                          has_weight_ && input == weight_input() ? Moments(x, cell, options_).normalised(index[0]) : 1);
      }
      return;
    }
    // d(normalised[i]) / d(x[j]) = ((i = j) - 1/n - normalised[i] normalised[j] / divisor) / deviation
    const Moments row(x, index, options_);
    const double count = static_cast<double>(row.n);
    const double own = row.normalised(index.back());
    Index cell = index;
    for (cell.back() = 0; cell.back() < row.n; ++cell.back()) {
      const double slope = ((cell == index ? 1 : 0) - 1 / count -
                            row.normalised(cell.back()) * own / (count - (options_.unbiased ? 1 : 0))) /
                           row.deviation;
      contributions.add(cell, has_weight_ ? inputs[weight_input()][{cell.back()}] * slope : slope);
    }
  }

 private:
  std::size_t weight_input() const { return has_weight_ ? 1 : 0; }
  std::size_t bias_input() const { return has_weight_ ? 2 : 1; }

  // The moments of the row of x that contains a cell.
  struct Moments : kernels::RowMoments {
    Moments(const CellView& x, const Index& index, const LayerNormOptions& options)
        : n(x.shape().back()), x_(x), start_(offset_of(x.shape(), index) - index.back()), eps_(options.eps) {
      static_cast<kernels::RowMoments&>(*this) =
          x.from(start_, [&](const auto* row) { return kernels::row_moments(row, n, options.unbiased); });
      deviation = std::sqrt(variance + eps_);
    }

    // Normalised number i of the row.
    double normalised(std::size_t i) const {
      return x_.from(start_, [&](const auto* row) -> double { return kernels::normalised(row, n, eps_, *this, i); });
    }

    std::size_t n;
    double deviation;

   private:
    const CellView& x_;
    std::size_t start_;
    double eps_;
  };

  bool has_weight_;
  bool has_bias_;
  LayerNormOptions options_;
};

}  // namespace

template <typename T>
Tensor<T> layer_norm(const Tensor<T>& x, const OptionalTensor<T>& weight, const OptionalTensor<T>& bias,
                     const LayerNormOptions& options, std::string name) {
  if (!(options.eps >= 0 && std::isfinite(options.eps)))
    refuse_option("layer_norm", "eps", format_number(options.eps), "a number of at least 0");
  std::vector<Tensor<T>> inputs = {x};
  if (weight) inputs.push_back(*weight);
  if (bias) inputs.push_back(*bias);
  return x.graph->apply(std::make_unique<LayerNorm<T>>(weight.has_value(), bias.has_value(), options), inputs,
                        std::move(name));
}

template Tensor<float> layer_norm(const Tensor<float>&, const OptionalTensor<float>&, const OptionalTensor<float>&,
                                  const LayerNormOptions&, std::string);
template Tensor<double> layer_norm(const Tensor<double>&, const OptionalTensor<double>&, const OptionalTensor<double>&,
                                   const LayerNormOptions&, std::string);

}  // namespace attn
