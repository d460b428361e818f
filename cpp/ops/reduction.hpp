// The base of sum and mean: a cell of the output is computed from all cells of x along some axes.
#pragma once

#include <optional>
#include <vector>

#include "tensor/graph.hpp"

namespace attn {

struct ReductionOptions {
  std::optional<std::vector<int>> axes = std::nullopt;  // absent: all
  bool keepdim = false;                                 // reduced axes stay, with size 1
};

// The axes in `options`, ascending. Throws InputError naming `operation` when x has no such axis, or one is given
// twice.
std::vector<std::size_t> reduced_axes(const ReductionOptions& options, std::size_t rank, std::string_view operation);

// output = the sum of x over `axes`, divided by their number of cells for a mean.
template <typename T>
class Reduction : public Op<T> {
 public:
  Attributes attributes() const override;
  Shape shape(std::span<const Shape> inputs) const override;
  std::uint64_t flops(std::span<const Shape> inputs, const Shape& output) const override;
  std::uint64_t scratch_bytes(std::span<const Shape> inputs) const override;
  void prepare(std::span<const Shape> inputs, const Shape& output) override;
  void forward(Inputs<T> inputs, Array<T>& output, Scratch<T>) const override;
  void backward(Inputs<T> inputs, const Array<T>& output, const Array<T>& output_gradient, Gradients<T> input_gradients,
                Scratch<T>) const override;

  // The rows are "terms" -> sum; a mean also has "count" and "quotient".
  Explanation explain(CellViews inputs, const CellView& output, const Index& index) const override;
  void differentiate(CellViews inputs, const CellView& output, std::size_t input, const Index& index,
                     Contributions& contributions) const override;

 protected:
  Reduction(std::vector<std::size_t> axes, bool keepdim, bool mean)
      : axes_(std::move(axes)), keepdim_(keepdim), mean_(mean) {}

 private:
  Shape keepdim_shape(const Shape& x) const;
  double count(const Shape& x) const;

  std::vector<std::size_t> axes_;
  bool keepdim_;
  bool mean_;
  Shape sizes_, strides_;  // of x; strides in the output
};

extern template class Reduction<float>;
extern template class Reduction<double>;

}  // namespace attn
