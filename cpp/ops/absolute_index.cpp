// The naive positional encoding: every feature of a row is the position of the row.
#include "ops/absolute_index.hpp"

#include <algorithm>
#include <numeric>

namespace attn {
namespace {

template <typename T>
class AbsoluteIndex final : public Op<T> {
 public:
  explicit AbsoluteIndex(std::size_t dim) : dim_(dim) {}

  std::string_view name() const override { return "absolute_index"; }
  Attributes attributes() const override { return {{"dim", static_cast<double>(dim_)}}; }
  std::uint64_t flops(std::span<const Shape>, const Shape&) const override { return 0; }

  Shape shape(std::span<const Shape> inputs) const override {
    if (inputs[0].size() != 1) refuse_shape("absolute_index", "positions", inputs[0], "one axis");
    return {inputs[0][0], dim_};
  }

  void forward(Inputs<T> inputs, Array<T>& output, Scratch<T>) const override {
    for (std::size_t n = 0; n < inputs[0]->size(); ++n)
      std::fill_n(output.data() + n * dim_, dim_, inputs[0]->data()[n]);
  }

  void backward(Inputs<T> inputs, const Array<T>&, const Array<T>& output_gradient, Gradients<T> input_gradients,
                Scratch<T>) const override {
    if (!input_gradients[0]) return;
    const T* upstream = output_gradient.data();
    for (std::size_t n = 0; n < inputs[0]->size(); ++n, upstream += dim_)
      input_gradients[0]->data()[n] =
          static_cast<T>(std::accumulate(upstream, upstream + dim_, double{input_gradients[0]->data()[n]}));
  }

  Explanation explain(CellViews inputs, const CellView& output, const Index& index) const override {
    Explanation explanation;
    add_cell(explanation, "position", inputs, 0, {index[0]});
    explanation.row("result").gives(output[index]);
    return explanation;
  }

  void differentiate(CellViews, const CellView&, std::size_t, const Index& index,
                     Contributions& contributions) const override {
    for (std::size_t j = 0; j < dim_; ++j) contributions.add({index[0], j}, 1);
  }

 private:
  std::size_t dim_;
};

}  // namespace

template <typename T>
Tensor<T> absolute_index(const Tensor<T>& positions, std::size_t dim, std::string name) {
  if (dim == 0) refuse_option("absolute_index", "dim", "0", "at least 1");
  return positions.graph->apply(std::make_unique<AbsoluteIndex<T>>(dim), {positions}, std::move(name));
}

template Tensor<float> absolute_index(const Tensor<float>&, std::size_t, std::string);
template Tensor<double> absolute_index(const Tensor<double>&, std::size_t, std::string);

}  // namespace attn
