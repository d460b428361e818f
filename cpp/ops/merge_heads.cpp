// Concatenation of the heads of a sequence.
#include "ops/merge_heads.hpp"

#include "ops/rearrangement.hpp"

namespace attn {
namespace {

template <typename T>
class MergeHeads final : public Rearrangement<T> {
 public:
  std::string_view name() const override { return "merge_heads"; }

  Shape shape(std::span<const Shape> inputs) const override {
    const Shape& x = inputs[0];
    if (x.size() < 3) refuse_shape("merge_heads", "x", x, "at least three axes, (..., H, L, d)");
    Shape output(x.begin(), x.end() - 3);
    output.insert(output.end(), {x.end()[-2], x.end()[-3] * x.back()});
    return output;
  }

 protected:
  Walk walk(const Shape& input) const override {
    const Shape strides = strides_of(input);
    Walk order{input, strides};
    std::swap(order.sizes.end()[-3], order.sizes.end()[-2]);
    std::swap(order.strides.end()[-3], order.strides.end()[-2]);
    return order;
  }

  std::vector<std::size_t> index_numbers(const Shape& input, const Index& from, const Index&) const override {
    const std::size_t head = from.end()[-3];
    return {head * input.back() + from.back(), head, input.back(), from.back()};
  }
};

}  // namespace

template <typename T>
Tensor<T> merge_heads(const Tensor<T>& x, std::string name) {
  return x.graph->apply(std::make_unique<MergeHeads<T>>(), {x}, std::move(name));
}

template Tensor<float> merge_heads(const Tensor<float>&, std::string);
template Tensor<double> merge_heads(const Tensor<double>&, std::string);

}  // namespace attn
