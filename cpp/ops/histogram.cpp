// The number of cells between given edges, as numpy.histogram.
#include "ops/histogram.hpp"

#include <algorithm>
#include <optional>

#include "tensor/scratch_counts.hpp"

namespace attn {
namespace {

template <typename T>
class Histogram final : public Op<T> {
 public:
  std::string_view name() const override { return "histogram"; }
  bool differentiable(std::size_t input) const override { return input == 0; }
  std::uint64_t flops(std::span<const Shape> inputs, const Shape&) const override { return cell_count(inputs[0]); }

  Shape shape(std::span<const Shape> inputs) const override {
    const Shape& edges = inputs[1];
    if (edges.size() != 1 || edges[0] < 2) refuse_shape("histogram", "edges", edges, "one axis, (E), of at least 2");
    return {edges[0] - 1};
  }

  void check(Inputs<T> inputs) const override {
    const T* edges = inputs[1]->data();
    for (std::size_t i = 0; i < inputs[1]->size(); ++i)
      if (!(edges[i] >= (i == 0 ? edges[0] : edges[i - 1])))
        refuse_option("histogram", "edge at " + to_string({i}), format_number(edges[i]), "one that does not fall");
  }

  std::uint64_t scratch_bytes(std::span<const Shape> inputs) const override {
    return ScratchCounts::bytes(inputs[1][0] - 1);
  }

  // Counted with integers, because adding 1 to a float of 2^24 does not change it.
  void forward(Inputs<T> inputs, Array<T>& output, Scratch<T> scratch) const override {
    ScratchCounts counts(scratch);
    for (std::size_t bin = 0; bin < output.size(); ++bin) counts.set(bin, 0);
    const std::span<const T> edges(inputs[1]->data(), inputs[1]->size());
    for (std::size_t i = 0; i < inputs[0]->size(); ++i)
      if (const auto bin = bin_of(edges, inputs[0]->data()[i])) counts.set(*bin, counts[*bin] + 1);
    for (std::size_t bin = 0; bin < output.size(); ++bin) output.data()[bin] = static_cast<T>(counts[bin]);
  }

  // The counts do not depend on a small change of x.
  void backward(Inputs<T>, const Array<T>&, const Array<T>&, Gradients<T>, Scratch<T>) const override {}

  Explanation explain(CellViews inputs, const CellView& output, const Index& index) const override {
    Explanation explanation;
    const Shape& shape = inputs[0].shape();
    std::vector<double> edges;
    for (std::size_t i = 0; i < inputs[1].shape()[0]; ++i) edges.push_back(inputs[1][{i}]);
    add_cell(explanation, "from", inputs, 1, index);
    add_cell(explanation, "to", inputs, 1, {index[0] + 1});
    TermList counted;
    Index cell;
    for (std::size_t i = 0; i < size_of(shape); ++i) {
      cell = index_at(shape, i);
      if (bin_of(std::span<const double>(edges), inputs[0][cell]) == index[0]) counted.add(operand_at(inputs, 0, cell));
    }
    if (size_of(shape) > 0) explanation.source(0, Index(shape.size(), 0), cell);
    counted.move_into(explanation.row("counted").gives(output[index]), false);
    return explanation;
  }

  void differentiate(CellViews, const CellView&, std::size_t, const Index&, Contributions&) const override {}

  // A number may be counted in any bin; an edge bounds one or two bins.
  void add_uses(CellViews, const CellView& output, std::size_t input, const Index& index,
                UsedCells& used) const override {
    const std::size_t bins = output.shape()[0];
    const std::size_t first = input == 0 || index[0] == 0 ? 0 : index[0] - 1;
    const std::size_t last = input == 0 ? bins : std::min(index[0] + 1, bins);
    for (std::size_t bin = first; bin < last; ++bin) used.add(bin);
  }

 private:
  template <typename Number>
  static std::optional<std::size_t> bin_of(std::span<const Number> edges, Number x) {
    if (!(x >= edges.front() && x <= edges.back())) return std::nullopt;
    // The first edge above x ends its bin; in the last bin, x may equal that edge.
    const auto above = std::upper_bound(edges.begin(), edges.end(), x);
    return static_cast<std::size_t>(above - edges.begin()) - (above == edges.end() ? 2 : 1);
  }
};

}  // namespace

template <typename T>
Tensor<T> histogram(const Tensor<T>& x, const Tensor<T>& edges, std::string name) {
  return x.graph->apply(std::make_unique<Histogram<T>>(), {x, edges}, std::move(name));
}

template Tensor<float> histogram(const Tensor<float>&, const Tensor<float>&, std::string);
template Tensor<double> histogram(const Tensor<double>&, const Tensor<double>&, std::string);

}  // namespace attn
