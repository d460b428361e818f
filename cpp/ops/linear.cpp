// The linear layer: x weight^T + bias.
#include "ops/linear.hpp"

#include <type_traits>
#include <vector>

#include "kernels/matmul.hpp"
#include "kernels/reduction.hpp"
#include "kernels/rows.hpp"

namespace attn {
namespace {

template <typename T>
class Linear final : public Op<T> {
 public:
  std::string_view name() const override { return "linear"; }
  std::uint64_t flops(std::span<const Shape> inputs, const Shape& output) const override {
    return cell_count(output) * (2 * inputs[0].back() + (inputs.size() - 2));
  }

  Shape shape(std::span<const Shape> inputs) const override {
    const Shape& x = inputs[0];
    const Shape& weight = inputs[1];
    if (x.empty()) refuse_shape("linear", "x", x, "at least one axis");
    if (weight.size() != 2) refuse_shape("linear", "weight", weight, "two axes, (out, in)");
    if (weight[1] != x.back())
      refuse_shape("linear", "weight", weight, std::to_string(x.back()) + " columns to match x " + to_string(x));
    if (inputs.size() > 2 && inputs[2] != Shape{weight[0]})
      refuse_shape("linear", "bias", inputs[2], to_string({weight[0]}) + " to match weight " + to_string(weight));
    Shape output = x;
    output.back() = weight[0];
    return output;
  }

  void forward(Inputs<T> inputs, Array<T>& output, Scratch<T>) const override {
    const Sizes sizes(inputs);
    const kernels::Strided<T> x{inputs[0]->data(), sizes.in};
    const kernels::Strided<T> weight{inputs[1]->data(), sizes.in};
    kernels::repeat_row(inputs.size() > 2 ? inputs[2]->data() : nullptr, sizes.out, sizes.rows, output.data());
    if constexpr (kPacksWeights) {
      if (!weight_.empty())
        return kernels::matmul_add_packed<T>(x, {weight_.data(), sizes.in}, output.data(), sizes.out, sizes.rows,
                                             sizes.in, sizes.out);
    }
    kernels::matmul_add(x, weight.transposed(), output.data(), sizes.out, sizes.rows, sizes.in, sizes.out);
  }

  std::uint64_t constant_bytes(Inputs<T> inputs, std::size_t input) const override {
    const Sizes sizes(inputs);
    if (!kPacksWeights || input != 1 || sizes.rows < kRowsFrom || sizes.rows > kRowsTo) return 0;
    return sizes.in * kernels::packed_columns<T>(std::uint64_t{sizes.out}) * sizeof(T);
  }

  void store_constant(std::size_t, const Array<T>& weight) override {
    if constexpr (kPacksWeights) {
      const std::size_t out = weight.shape()[0], in = weight.shape()[1];
      weight_.resize(in * kernels::packed_columns<T>(out));
      kernels::pack(kernels::Strided<T>{weight.data(), in}.transposed(), in, out, weight_.data());
    }
  }

  void discard_constants() override { std::vector<T, CountingAllocator<T>>().swap(weight_); }

  void backward(Inputs<T> inputs, const Array<T>&, const Array<T>& output_gradient, Gradients<T> input_gradients,
                Scratch<T>) const override {
    const Sizes sizes(inputs);
    const kernels::Strided<T> upstream{output_gradient.data(), sizes.out};
    const kernels::Strided<T> x{inputs[0]->data(), sizes.in};
    const kernels::Strided<T> weight{inputs[1]->data(), sizes.in};
    if (input_gradients[0])  // dx = doutput weight
      kernels::matmul_add(upstream, weight, input_gradients[0]->data(), sizes.in, sizes.rows, sizes.out, sizes.in);
    if (input_gradients[1])  // dweight = doutput^T x
      kernels::matmul_add(upstream.transposed(), x, input_gradients[1]->data(), sizes.in, sizes.out, sizes.rows,
                          sizes.in);
    if (inputs.size() > 2 && input_gradients[2]) {  // dbias = the sum of the rows of doutput
      const std::size_t rows[] = {sizes.rows, sizes.out}, into[] = {0, 1};
      kernels::sum_add(output_gradient.data(), {rows, into}, input_gradients[2]->data());
    }
  }

  Explanation explain(CellViews inputs, const CellView& output, const Index& index) const override {
    Explanation explanation;
    Index in_x = index;
    Index in_weight = {index.back(), 0};
    in_x.back() = 0;
    const Index first_of_row = in_x;
    const Index first_of_column = in_weight;
    const std::size_t width = inputs[1].shape()[1];
    ProductTerms terms(output);
    for (std::size_t k = 0; k < width; ++k) {
      in_x.back() = in_weight.back() = k;
      terms.add(0, in_x, inputs[0][in_x], 1, in_weight, inputs[1][in_weight]);
    }
    if (width > 0) {
      explanation.source(0, first_of_row, in_x);
      explanation.source(1, first_of_column, in_weight);
    }
    terms.move_left_into(explanation.row("row"));
    terms.move_right_into(explanation.row("column"));
    if (inputs.size() > 2) add_cell(explanation, "bias", inputs, 2, {index.back()});
    terms.move_products_into(explanation.row("products").gives(output[index]));
    return explanation;
  }

  void differentiate(CellViews inputs, const CellView&, std::size_t input, const Index& index,
                     Contributions& contributions) const override {
    if (input == 0) {  // d(x weight^T)[..., o] / d(x[..., k]) = weight[o, k]
      Index cell = index;
      for (std::size_t o = 0; o < inputs[1].shape()[0]; ++o) {
        cell.back() = o;
        contributions.add(cell, operand_at(inputs, 1, {o, index.back()}));
      }
      return;
    }
    Shape rows = inputs[0].shape();
    rows.back() = 1;
    for (std::size_t row = 0; row < size_of(rows); ++row) {
      Index in_x = index_at(rows, row);
      Index cell = in_x;
      cell.back() = index[0];
      if (input == 1) {
        in_x.back() = index[1];
        contributions.add(cell, operand_at(inputs, 0, in_x));
      } else {
        contributions.add(cell, 1);
      }
    }
  }

 private:
  struct Sizes {
    explicit Sizes(Inputs<T> inputs) : in(inputs[1]->shape()[1]), out(inputs[1]->shape()[0]) {
      for (std::size_t axis = 0; axis + 1 < inputs[0]->dimension(); ++axis) rows *= inputs[0]->shape()[axis];
    }
    std::size_t in, out, rows = 1;
  };

  // The numbers of rows of x for which a constant weight is kept packed. Fewer rows are multiplied without packing,
  // and for more rows packing takes too small a part of the time to be worth its memory.
  static constexpr bool kPacksWeights = std::is_same_v<T, float>;
  static constexpr std::size_t kRowsFrom = 12, kRowsTo = 512;
  std::vector<T, CountingAllocator<T>> weight_;  // packed while it is constant
};

}  // namespace

template <typename T>
Tensor<T> linear(const Tensor<T>& x, const Tensor<T>& weight, const OptionalTensor<T>& bias, std::string name) {
  std::vector<Tensor<T>> inputs = {x, weight};
  if (bias) inputs.push_back(*bias);
  return x.graph->apply(std::make_unique<Linear<T>>(), inputs, std::move(name));
}

template Tensor<float> linear(const Tensor<float>&, const Tensor<float>&, const OptionalTensor<float>&, std::string);
template Tensor<double> linear(const Tensor<double>&, const Tensor<double>&, const OptionalTensor<double>&,
                               std::string);

}  // namespace attn
