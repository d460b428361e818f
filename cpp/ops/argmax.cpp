// The position of the largest number of a slice, as torch.argmax.
#include "ops/argmax.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {
namespace {

// The position of the first of the largest among `count` numbers.
template <typename NumberAt>
std::size_t first_largest(std::size_t count, NumberAt at) {
  std::size_t largest = 0;
  for (std::size_t k = 1; k < count; ++k)
    if (!std::isnan(at(largest)) && (std::isnan(at(k)) || at(k) > at(largest))) largest = k;
  return largest;
}

template <typename T>
class Argmax final : public Op<T> {
 public:
  explicit Argmax(ArgmaxOptions options) : options_(options) {}

  std::string_view name() const override { return "argmax"; }
  bool differentiable(std::size_t) const override { return false; }
  bool outputs_ids() const override { return true; }
  std::uint64_t flops(std::span<const Shape> inputs, const Shape&) const override { return cell_count(inputs[0]); }

  Attributes attributes() const override {
    Attributes attributes{{"keepdim", options_.keepdim}};
    if (options_.axis) attributes.emplace("axis", static_cast<double>(*options_.axis));
    return attributes;
  }

  Shape shape(std::span<const Shape> inputs) const override {
    const std::uint64_t count = options_.axis ? inputs[0][axis()] : cell_count(inputs[0]);
    constexpr std::uint64_t kMost = std::uint64_t{1} << std::numeric_limits<T>::digits;
    if (count == 0 || count > kMost)
      refuse_shape("argmax", "x", inputs[0], "1 to " + std::to_string(kMost) + " cells to choose from");
    Shape output = inputs[0];
    if (!options_.axis) return Shape(options_.keepdim ? output.size() : 0, 1);
    if (options_.keepdim) {
      output[axis()] = 1;
    } else {
      output.erase(output.begin() + *options_.axis);
    }
    return output;
  }

  void prepare(std::span<const Shape> inputs, const Shape&) override { slices_ = Slices(inputs[0], options_.axis); }

  void forward(Inputs<T> inputs, Array<T>& output, Scratch<T>) const override {
    for (std::size_t cell = 0; cell < output.size(); ++cell) {
      const T* x = inputs[0]->data() + slices_.start(cell);
      output.data()[cell] =
          static_cast<T>(first_largest(slices_.count, [&](std::size_t k) { return x[k * slices_.stride]; }));
    }
  }

  void backward(Inputs<T>, const Array<T>&, const Array<T>&, Gradients<T>, Scratch<T>) const override {}

  // The rows are "value", the slice -> its largest number, and "place".
  Explanation explain(CellViews inputs, const CellView& output, const Index& index) const override {
    const Shape& shape = inputs[0].shape();
    const std::size_t start = slices_.start(offset_of(output.shape(), index));
    const auto offset = [&](std::size_t k) { return start + k * slices_.stride; };
    const auto largest = static_cast<std::size_t>(output[index]);
    TermList numbers({largest});
    for (std::size_t k = 0; k < slices_.count; ++k) numbers.add(0, index_at(shape, offset(k)), inputs[0].at(offset(k)));
    Explanation explanation;
    explanation.source(0, index_at(shape, start), index_at(shape, offset(slices_.count - 1)));
    Row& row = explanation.row("value").gives(inputs[0].at(offset(largest)));
    row.chosen = {largest};
    numbers.move_into(row, false);
    explanation.row("place").gives(output[index]);
    return explanation;
  }

  void differentiate(CellViews, const CellView&, std::size_t, const Index&, Contributions&) const override {}

  void add_uses(CellViews inputs, const CellView&, std::size_t, const Index& index, UsedCells& used) const override {
    used.add(slices_.cell(offset_of(inputs[0].shape(), index)));
  }

 private:
  // The cells that are compared with each other.
  struct Slices {
    Slices() = default;
    Slices(const Shape& shape, std::optional<int> axis) {
      count = axis ? shape[static_cast<std::size_t>(*axis)] : size_of(shape);
      stride = axis ? strides_of(shape)[static_cast<std::size_t>(*axis)] : 1;
    }

    std::size_t start(std::size_t cell) const { return cell / stride * stride * count + cell % stride; }
    std::size_t cell(std::size_t offset) const { return offset / (stride * count) * stride + offset % stride; }

    std::size_t count = 0;
    std::size_t stride = 0;
  };

  std::size_t axis() const { return static_cast<std::size_t>(*options_.axis); }

  ArgmaxOptions options_;  // with an axis counted from the front
  Slices slices_;
};

}  // namespace

template <typename T>
Tensor<T> argmax(const Tensor<T>& x, const ArgmaxOptions& options, std::string name) {
  ArgmaxOptions resolved = options;
  if (options.axis) resolved.axis = static_cast<int>(axis_of(*options.axis, x.shape().size(), "argmax"));
  return x.graph->apply(std::make_unique<Argmax<T>>(resolved), {x}, std::move(name));
}

template Tensor<float> argmax(const Tensor<float>&, const ArgmaxOptions&, std::string);
template Tensor<double> argmax(const Tensor<double>&, const ArgmaxOptions&, std::string);

}  // namespace attn
