// A contiguous part of a tensor along one axis.
#include "ops/slice.hpp"

#include <algorithm>

namespace attn {
namespace {

template <typename T>
class Slice final : public Op<T> {
 public:
  Slice(std::size_t axis, std::size_t start, std::size_t stop) : axis_(axis), start_(start), stop_(stop) {}

  std::string_view name() const override { return "slice"; }
  std::uint64_t flops(std::span<const Shape>, const Shape&) const override { return 0; }
  Attributes attributes() const override {
    return {{"axis", static_cast<double>(axis_)},
            {"start", static_cast<double>(start_)},
            {"stop", static_cast<double>(stop_)}};
  }
  bool copies_cells() const override { return true; }

  Shape shape(std::span<const Shape> inputs) const override {
    Shape output = inputs[0];
    if (start_ >= stop_ || stop_ > output[axis_])
      refuse_option("slice", "range", std::to_string(start_) + ":" + std::to_string(stop_),
                    "a part of axis " + std::to_string(axis_) + " of x " + to_string(inputs[0]));
    output[axis_] = stop_ - start_;
    return output;
  }

  void forward(Inputs<T> inputs, Array<T>& output, Scratch<T>) const override {
    each_run(inputs[0]->shape(), [&](std::size_t from, std::size_t to, std::size_t length) {
      std::copy_n(inputs[0]->data() + from, length, output.data() + to);
    });
  }

  void backward(Inputs<T> inputs, const Array<T>&, const Array<T>& output_gradient, Gradients<T> input_gradients,
                Scratch<T>) const override {
    if (!input_gradients[0]) return;
    each_run(inputs[0]->shape(), [&](std::size_t from, std::size_t to, std::size_t length) {
      for (std::size_t i = 0; i < length; ++i) input_gradients[0]->data()[from + i] += output_gradient.data()[to + i];
    });
  }

  Explanation explain(CellViews inputs, const CellView& output, const Index& index) const override {
    Explanation explanation;
    Index from = index;
    from[axis_] += start_;
    add_cell(explanation, "from", inputs, 0, from);
    Row& row = explanation.row("index").gives(output[index]);
    for (std::size_t number : {from[axis_], start_, index[axis_]}) row.term(static_cast<double>(number));
    return explanation;
  }

  void differentiate(CellViews, const CellView&, std::size_t, const Index& index,
                     Contributions& contributions) const override {
    if (index[axis_] < start_ || index[axis_] >= stop_) return;
    Index cell = index;
    cell[axis_] -= start_;
    contributions.add(cell, 1);
  }

 private:
  // Calls visit(offset in the input, offset in the output, length) for every contiguous run of cells.
  template <typename Visit>
  void each_run(std::span<const std::size_t> input, Visit visit) const {
    std::size_t outer = 1;
    std::size_t inner = 1;
    for (std::size_t i = 0; i < axis_; ++i) outer *= input[i];
    for (std::size_t i = axis_ + 1; i < input.size(); ++i) inner *= input[i];
    const std::size_t length = (stop_ - start_) * inner;
    for (std::size_t block = 0; block < outer; ++block)
      visit((block * input[axis_] + start_) * inner, block * length, length);
  }

  std::size_t axis_;
  std::size_t start_;
  std::size_t stop_;
};

}  // namespace

template <typename T>
Tensor<T> slice(const Tensor<T>& x, int axis, std::size_t start, std::size_t stop, std::string name) {
  const std::size_t along = axis_of(axis, x.shape().size(), "slice");
  return x.graph->apply(std::make_unique<Slice<T>>(along, start, stop), {x}, std::move(name));
}

template Tensor<float> slice(const Tensor<float>&, int, std::size_t, std::size_t, std::string);
template Tensor<double> slice(const Tensor<double>&, int, std::size_t, std::size_t, std::string);

}  // namespace attn
