// Matrix product, batched as numpy.matmul.
#include "ops/matmul.hpp"

#include <algorithm>

#include "kernels/matmul.hpp"

namespace attn {
namespace {

// The sizes of one product, and the shape of the batch.
struct Sizes {
  Sizes(const Shape& a_shape, const Shape& b_shape)
      : a(leading_axes(a_shape)),
        b(leading_axes(b_shape)),
        batch(broadcast(a, b, "matmul", "batch of b")),
        n(a_shape.end()[-2]),
        m(a_shape.back()),
        p(b_shape.back()) {}

  Shape a, b, batch;
  std::size_t n, m, p;
};

// The products to compute: where one matrix b serves the whole batch, the rows of all matrices a form one product.
struct Products {
  Products() = default;
  explicit Products(const Sizes& sizes) : count(size_of(sizes.batch)), n(sizes.n), m(sizes.m), p(sizes.p) {
    if (size_of(sizes.b) == 1) {
      n *= count;
      count = 1;
      return;
    }
    a = BatchOffsets(sizes.a, sizes.batch, n * m);
    b = BatchOffsets(sizes.b, sizes.batch, m * p);
  }

  std::size_t count = 0, n = 0, m = 0, p = 0;
  BatchOffsets a, b;
};

template <typename T>
class Matmul final : public Op<T> {
 public:
  std::string_view name() const override { return "matmul"; }
  std::uint64_t flops(std::span<const Shape> inputs, const Shape& output) const override {
    return 2 * cell_count(output) * inputs[0].back();
  }

  Shape shape(std::span<const Shape> inputs) const override {
    const Shape& a = inputs[0];
    const Shape& b = inputs[1];
    if (a.size() < 2) refuse_shape("matmul", "a", a, "at least two axes");
    if (b.size() < 2) refuse_shape("matmul", "b", b, "at least two axes");
    if (b.end()[-2] != a.back())
      refuse_shape("matmul", "b", b, std::to_string(a.back()) + " rows to match a " + to_string(a));
    const Sizes sizes(a, b);
    Shape output = sizes.batch;
    output.insert(output.end(), {sizes.n, sizes.p});
    return output;
  }

  void prepare(std::span<const Shape> inputs, const Shape&) override {
    products_ = Products(Sizes(inputs[0], inputs[1]));
  }

  void forward(Inputs<T> inputs, Array<T>& output, Scratch<T>) const override {
    const auto& [count, n, m, p, in_a, in_b] = products_;
    std::fill_n(output.data(), output.size(), T(0));
    for (std::size_t item = 0; item < count; ++item)
      kernels::matmul_add<T>({inputs[0]->data() + in_a[item], m}, {inputs[1]->data() + in_b[item], p},
                             output.data() + item * n * p, p, n, m, p);
  }

  void backward(Inputs<T> inputs, const Array<T>&, const Array<T>& output_gradient, Gradients<T> input_gradients,
                Scratch<T>) const override {
    const auto& [count, n, m, p, in_a, in_b] = products_;
    for (std::size_t item = 0; item < count; ++item) {
      const kernels::Strided<T> a{inputs[0]->data() + in_a[item], m};
      const kernels::Strided<T> b{inputs[1]->data() + in_b[item], p};
      const kernels::Strided<T> upstream{output_gradient.data() + item * n * p, p};
      if (input_gradients[0])  // da = doutput b^T
        kernels::matmul_add(upstream, b.transposed(), input_gradients[0]->data() + in_a[item], m, n, p, m);
      if (input_gradients[1])  // db = a^T doutput
        kernels::matmul_add(a.transposed(), upstream, input_gradients[1]->data() + in_b[item], p, m, n, p);
    }
  }

  Explanation explain(CellViews inputs, const CellView& output, const Index& index) const override {
    Explanation explanation;
    const Sizes sizes(inputs[0].shape(), inputs[1].shape());
    const Index item(index.begin(), index.end() - 2);
    Index in_a = broadcast_index(sizes.a, item);
    Index in_b = broadcast_index(sizes.b, item);
    in_a.insert(in_a.end(), {index.end()[-2], 0});
    in_b.insert(in_b.end(), {0, index.back()});
    const Index first_of_row = in_a;
    const Index first_of_column = in_b;
    ProductTerms terms(output);
    for (std::size_t k = 0; k < sizes.m; ++k) {
      in_a.back() = in_b.end()[-2] = k;
      terms.add(0, in_a, inputs[0][in_a], 1, in_b, inputs[1][in_b]);
    }
    if (sizes.m > 0) {
      explanation.source(0, first_of_row, in_a);
      explanation.source(1, first_of_column, in_b);
    }
    terms.move_left_into(explanation.row("row"));
    terms.move_right_into(explanation.row("column"));
    terms.move_products_into(explanation.row("products").gives(output[index]));
    return explanation;
  }

  void differentiate(CellViews inputs, const CellView&, std::size_t input, const Index& index,
                     Contributions& contributions) const override {
    const Sizes sizes(inputs[0].shape(), inputs[1].shape());
    const bool in_a = input == 0;
    // d(output[i, j]) / d(a[i, k]) = b[k, j], d(output[i, j]) / d(b[k, j]) = a[i, k]
    const Index own(index.begin(), index.end() - 2);
    for (const Index& item : BroadcastReaders(in_a ? sizes.a : sizes.b, own, sizes.batch)) {
      Index other = broadcast_index(in_a ? sizes.b : sizes.a, item);
      Index cell = item;
      other.insert(other.end(), {index.back(), index.end()[-2]});
      cell.insert(cell.end(), {index.end()[-2], index.back()});
      for (std::size_t along = 0; along < (in_a ? sizes.p : sizes.n); ++along) {
        (in_a ? cell.back() : cell.end()[-2]) = (in_a ? other.back() : other.end()[-2]) = along;
        contributions.add(cell, operand_at(inputs, in_a ? 1 : 0, other));
      }
    }
  }

 private:
  Products products_;
};

}  // namespace

template <typename T>
Tensor<T> matmul(const Tensor<T>& a, const Tensor<T>& b, std::string name) {
  return a.graph->apply(std::make_unique<Matmul<T>>(), {a, b}, std::move(name));
}

template Tensor<float> matmul(const Tensor<float>&, const Tensor<float>&, std::string);
template Tensor<double> matmul(const Tensor<double>&, const Tensor<double>&, std::string);

}  // namespace attn
