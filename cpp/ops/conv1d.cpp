// Convolution along a sequence, as torch.nn.functional.conv1d.
#include "ops/conv1d.hpp"

#include <algorithm>
#include <limits>

#include "kernels/conv1d.hpp"
#include "kernels/reduction.hpp"

namespace attn {
namespace {

template <typename T>
class Conv1d final : public Op<T> {
 public:
  explicit Conv1d(Conv1dOptions options) : options_(options) {}

  std::string_view name() const override { return "conv1d"; }
  Attributes attributes() const override {
    return {{"stride", static_cast<double>(options_.stride)}, {"padding", static_cast<double>(options_.padding)}};
  }
  std::uint64_t flops(std::span<const Shape> inputs, const Shape& output) const override {
    return cell_count(output) * (2 * inputs[1][1] * inputs[1][2] + (inputs.size() - 2));
  }

  Shape shape(std::span<const Shape> inputs) const override {
    const Shape& x = inputs[0];
    const Shape& weight = inputs[1];
    if (x.size() != 2 && x.size() != 3) refuse_shape("conv1d", "x", x, "(C, L) or (B, C, L)");
    if (weight.size() != 3) refuse_shape("conv1d", "weight", weight, "three axes, (out, C, k)");
    if (weight[1] != x.end()[-2])
      refuse_shape("conv1d", "weight", weight, std::to_string(x.end()[-2]) + " channels to match x " + to_string(x));
    if (inputs.size() > 2 && inputs[2] != Shape{weight[0]})
      refuse_shape("conv1d", "bias", inputs[2], to_string({weight[0]}) + " to match weight " + to_string(weight));
    if (options_.padding > (std::numeric_limits<std::size_t>::max() - x.back()) / 2)
      refuse_option("conv1d", "padding", std::to_string(options_.padding), "a smaller number");
    const std::size_t padded = x.back() + 2 * options_.padding;
    if (weight[2] == 0 || weight[2] > padded)
      refuse_shape("conv1d", "weight", weight,
                   "a kernel of 1 to " + std::to_string(padded) + " for x " + to_string(x) + " with padding " +
                       std::to_string(options_.padding));
    Shape output = x;
    output.end()[-2] = weight[0];
    output.back() = (padded - weight[2]) / options_.stride + 1;
    return output;
  }

  void forward(Inputs<T> inputs, Array<T>& output, Scratch<T>) const override {
    const kernels::Conv1dSizes sizes = sizes_of(inputs[0]->shape(), inputs[1]->shape(), output.shape());
    std::fill_n(output.data(), output.size(), T(0));
    for (std::size_t item = 0; item < items(output.shape()); ++item)
      kernels::conv1d_add(inputs[0]->data() + item * sizes.channels * sizes.length, inputs[1]->data(),
                          output.data() + item * sizes.out * sizes.steps, sizes);
    if (inputs.size() > 2)
      for (std::size_t i = 0; i < output.size(); ++i)
        output.data()[i] += inputs[2]->data()[i / sizes.steps % sizes.out];
  }

  void backward(Inputs<T> inputs, const Array<T>&, const Array<T>& output_gradient, Gradients<T> input_gradients,
                Scratch<T>) const override {
    const Sizes output = output_gradient.shape();
    const kernels::Conv1dSizes sizes = sizes_of(inputs[0]->shape(), inputs[1]->shape(), output);
    for (std::size_t item = 0; item < items(output); ++item) {
      const std::size_t in_x = item * sizes.channels * sizes.length;
      kernels::conv1d_backward(inputs[0]->data() + in_x, inputs[1]->data(),
                               output_gradient.data() + item * sizes.out * sizes.steps,
                               input_gradients[0] ? input_gradients[0]->data() + in_x : nullptr,
                               input_gradients[1] ? input_gradients[1]->data() : nullptr, sizes);
    }
    if (inputs.size() > 2 && input_gradients[2]) {  // dbias = doutput, summed over items and steps
      const std::size_t cells[] = {items(output), sizes.out, sizes.steps}, into[] = {0, 1, 0};
      kernels::sum_add(output_gradient.data(), {cells, into}, input_gradients[2]->data());
    }
  }

  Explanation explain(CellViews inputs, const CellView& output, const Index& index) const override {
    Explanation explanation;
    const Shape& weight = inputs[1].shape();
    const std::size_t o = index.end()[-2];
    Index in_x = index;
    std::optional<Index> first_of_window;
    Index last_of_window, in_kernel;
    const Index no_index;
    ProductTerms terms(output);
    for (std::size_t c = 0; c < weight[1]; ++c) {
      for (std::size_t t = 0; t < weight[2]; ++t) {
        const std::optional<std::size_t> position = position_in_x(index.back(), t, inputs[0].shape().back());
        in_x.end()[-2] = c;
        in_x.back() = position.value_or(0);
        in_kernel = {o, c, t};
        // A factor of 0 from the padding is in no tensor.
        terms.add(position ? 0 : kNoTensor, position ? in_x : no_index, position ? inputs[0][in_x] : 0, 1, in_kernel,
                  inputs[1][in_kernel]);
        if (!position) continue;
        if (!first_of_window) first_of_window = in_x;
        last_of_window = in_x;
      }
    }
    if (first_of_window) explanation.source(0, *first_of_window, last_of_window);
    if (!in_kernel.empty()) explanation.source(1, {o, 0, 0}, in_kernel);
    terms.move_left_into(explanation.row("window"));
    terms.move_right_into(explanation.row("kernel"));
    if (inputs.size() > 2) add_cell(explanation, "bias", inputs, 2, {o});
    terms.move_products_into(explanation.row("products").gives(output[index]));
    return explanation;
  }

  void differentiate(CellViews inputs, const CellView& output, std::size_t input, const Index& index,
                     Contributions& contributions) const override {
    const std::size_t length = inputs[0].shape().back();
    const Shape& shape = output.shape();
    const Shape& weight = inputs[1].shape();
    if (input == 0) {  // d(output[b, o, l]) / d(x[b, c, i]) = weight[o, c, i + padding - l stride]
      Index cell = index;
      for (std::size_t o = 0; o < shape.end()[-2]; ++o) {
        for (std::size_t l = 0; l < shape.back(); ++l) {
          const std::size_t from_first = index.back() + options_.padding;
          if (from_first < l * options_.stride || from_first - l * options_.stride >= weight[2]) continue;
          cell.end()[-2] = o;
          cell.back() = l;
          contributions.add(cell, operand_at(inputs, 1, {o, index.end()[-2], from_first - l * options_.stride}));
        }
      }
      return;
    }
    Shape readers = shape;  // every step of every item, in the output channel of the cell
    readers.end()[-2] = 1;
    for (std::size_t i = 0; i < size_of(readers); ++i) {
      Index cell = index_at(readers, i);
      cell.end()[-2] = index[0];
      if (input == 2) {
        contributions.add(cell, 1);
        continue;
      }
      const std::optional<std::size_t> position = position_in_x(cell.back(), index[2], length);
      Index in_x = cell;
      in_x.end()[-2] = index[1];
      in_x.back() = position.value_or(0);
      if (position) contributions.add(cell, operand_at(inputs, 0, in_x));
    }
  }

 private:
  using Sizes = std::span<const std::size_t>;

  static std::size_t items(Sizes shape) { return shape.size() == 3 ? shape[0] : 1; }

  kernels::Conv1dSizes sizes_of(Sizes x, Sizes weight, Sizes output) const {
    return {x.end()[-2], x.back(), weight[0], weight[2], output.back(), options_.stride, options_.padding};
  }

  // The position in a row of x of tap t at step l, or nothing in the padding.
  std::optional<std::size_t> position_in_x(std::size_t l, std::size_t t, std::size_t length) const {
    const std::size_t padded = l * options_.stride + t;
    if (padded < options_.padding || padded - options_.padding >= length) return std::nullopt;
    return padded - options_.padding;
  }

  Conv1dOptions options_;
};

}  // namespace

template <typename T>
Tensor<T> conv1d(const Tensor<T>& x, const Tensor<T>& weight, const OptionalTensor<T>& bias,
                 const Conv1dOptions& options, std::string name) {
  if (options.stride == 0) refuse_option("conv1d", "stride", "0", "at least 1");
  std::vector<Tensor<T>> inputs = {x, weight};
  if (bias) inputs.push_back(*bias);
  return x.graph->apply(std::make_unique<Conv1d<T>>(options), inputs, std::move(name));
}

template Tensor<float> conv1d(const Tensor<float>&, const Tensor<float>&, const OptionalTensor<float>&,
                              const Conv1dOptions&, std::string);
template Tensor<double> conv1d(const Tensor<double>&, const Tensor<double>&, const OptionalTensor<double>&,
                               const Conv1dOptions&, std::string);

}  // namespace attn
