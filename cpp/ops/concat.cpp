// Concatenation of tensors along one axis.
#include "ops/concat.hpp"

#include <algorithm>
#include <limits>

namespace attn {
namespace {

template <typename T>
class Concat final : public Op<T> {
 public:
  explicit Concat(std::size_t axis) : axis_(axis) {}

  std::string_view name() const override { return "concat"; }
  Attributes attributes() const override { return {{"axis", static_cast<double>(axis_)}}; }
  std::uint64_t flops(std::span<const Shape>, const Shape&) const override { return 0; }
  bool copies_cells() const override { return true; }

  Shape shape(std::span<const Shape> inputs) const override {
    Shape output = inputs[0];
    for (std::size_t part = 1; part < inputs.size(); ++part) {
      Shape alike = inputs[part];
      if (alike.size() == output.size()) alike[axis_] = inputs[0][axis_];
      if (alike != inputs[0])
        refuse_shape("concat", "part " + std::to_string(part), inputs[part],
                     to_string(inputs[0]) + " but for axis " + std::to_string(axis_));
      if (inputs[part][axis_] > std::numeric_limits<std::size_t>::max() - output[axis_])
        refuse_shape("concat", "part " + std::to_string(part), inputs[part], "fewer cells along the axis");
      output[axis_] += inputs[part][axis_];
    }
    return output;
  }

  void forward(Inputs<T> inputs, Array<T>& output, Scratch<T>) const override {
    each_run(inputs, output.shape(), [&](std::size_t part, std::size_t from, std::size_t to, std::size_t length) {
      std::copy_n(inputs[part]->data() + from, length, output.data() + to);
    });
  }

  void backward(Inputs<T> inputs, const Array<T>& output, const Array<T>& output_gradient, Gradients<T> input_gradients,
                Scratch<T>) const override {
    each_run(inputs, output.shape(), [&](std::size_t part, std::size_t from, std::size_t to, std::size_t length) {
      if (!input_gradients[part]) return;
      for (std::size_t i = 0; i < length; ++i)
        input_gradients[part]->data()[from + i] += output_gradient.data()[to + i];
    });
  }

  Explanation explain(CellViews inputs, const CellView& output, const Index& index) const override {
    Explanation explanation;
    std::size_t part = 0;
    std::size_t start = 0;
    while (index[axis_] >= start + inputs[part].shape()[axis_]) start += inputs[part++].shape()[axis_];
    Index from = index;
    from[axis_] -= start;
    add_cell(explanation, "from", inputs, static_cast<int>(part), from);
    Row& row = explanation.row("index").gives(output[index]);
    for (std::size_t number : {index[axis_], start, from[axis_]}) row.term(static_cast<double>(number));
    return explanation;
  }

  void differentiate(CellViews inputs, const CellView&, std::size_t input, const Index& index,
                     Contributions& contributions) const override {
    Index cell = index;
    for (std::size_t part = 0; part < input; ++part) cell[axis_] += inputs[part].shape()[axis_];
    contributions.add(cell, 1);
  }

 private:
  // Calls visit(part, offset in the part, offset in the output, length) for every contiguous run of cells.
  template <typename Visit>
  void each_run(Inputs<T> inputs, std::span<const std::size_t> output, Visit visit) const {
    std::size_t outer = 1;
    std::size_t inner = 1;
    for (std::size_t i = 0; i < axis_; ++i) outer *= output[i];
    for (std::size_t i = axis_ + 1; i < output.size(); ++i) inner *= output[i];
    std::size_t to = 0;
    for (std::size_t block = 0; block < outer; ++block) {
      for (std::size_t part = 0; part < inputs.size(); ++part) {
        const std::size_t length = inputs[part]->shape()[axis_] * inner;
        visit(part, block * length, to, length);
        to += length;
      }
    }
  }

  std::size_t axis_;
};

}  // namespace

template <typename T>
Tensor<T> concat(const std::vector<Tensor<T>>& parts, int axis, std::string name) {
  if (parts.empty()) throw InputError("concat: there are 0 parts, expected at least 1");
  const std::size_t along = axis_of(axis, parts[0].shape().size(), "concat");
  return parts[0].graph->apply(std::make_unique<Concat<T>>(along), parts, std::move(name));
}

template Tensor<float> concat(const std::vector<Tensor<float>>&, int, std::string);
template Tensor<double> concat(const std::vector<Tensor<double>>&, int, std::string);

}  // namespace attn
