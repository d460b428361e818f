// Axes in another order, as numpy.transpose.
#include "ops/transpose.hpp"

#include <algorithm>
#include <numeric>

#include "ops/rearrangement.hpp"

namespace attn {
namespace {

template <typename T>
class Transpose final : public Rearrangement<T> {
 public:
  explicit Transpose(std::vector<std::size_t> axes) : axes_(std::move(axes)) {}

  std::string_view name() const override { return "transpose"; }
  Attributes attributes() const override { return {{"axes", std::vector<double>(axes_.begin(), axes_.end())}}; }

  Shape shape(std::span<const Shape> inputs) const override { return walk(inputs[0]).sizes; }

 protected:
  Walk walk(const Shape& input) const override {
    const Shape strides = strides_of(input);
    Walk order;
    for (std::size_t axis : axes_) {
      order.sizes.push_back(input[axis]);
      order.strides.push_back(strides[axis]);
    }
    return order;
  }

  std::vector<std::size_t> index_numbers(const Shape& input, const Index& from, const Index&) const override {
    return {offset_of(input, from)};
  }

 private:
  std::vector<std::size_t> axes_;
};

}  // namespace

template <typename T>
Tensor<T> transpose(const Tensor<T>& x, const std::vector<int>& axes, std::string name) {
  const std::size_t rank = x.shape().size();
  std::vector<std::size_t> order(rank);
  std::iota(order.begin(), order.end(), std::size_t(0));
  if (axes.empty()) {
    if (rank < 2) refuse_shape("transpose", "x", x.shape(), "at least two axes");
    std::swap(order[rank - 1], order[rank - 2]);
  } else {
    std::vector<bool> used(rank, false);
    if (axes.size() != rank)
      refuse_option("transpose", "number of axes", std::to_string(axes.size()),
                    std::to_string(rank) + " to match x " + to_string(x.shape()));
    for (std::size_t i = 0; i < rank; ++i) {
      order[i] = axis_of(axes[i], rank, "transpose");
      if (used[order[i]]) refuse_option("transpose", "axis", std::to_string(axes[i]) + " again", "each axis once");
      used[order[i]] = true;
    }
  }
  return x.graph->apply(std::make_unique<Transpose<T>>(std::move(order)), {x}, std::move(name));
}

template Tensor<float> transpose(const Tensor<float>&, const std::vector<int>&, std::string);
template Tensor<double> transpose(const Tensor<double>&, const std::vector<int>&, std::string);

}  // namespace attn
