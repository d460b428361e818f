// Division of the columns of a sequence into heads, in contiguous groups.
#include "ops/split_heads.hpp"

#include "ops/rearrangement.hpp"

namespace attn {
namespace {

template <typename T>
class SplitHeads final : public Rearrangement<T> {
 public:
  explicit SplitHeads(std::size_t num_heads) : num_heads_(num_heads) {}

  std::string_view name() const override { return "split_heads"; }
  Attributes attributes() const override { return {{"num_heads", static_cast<double>(num_heads_)}}; }

  Shape shape(std::span<const Shape> inputs) const override {
    const Shape& x = inputs[0];
    if (x.size() < 2) refuse_shape("split_heads", "x", x, "at least two axes, (..., L, D)");
    if (num_heads_ == 0 || x.back() % num_heads_ != 0)
      refuse_option("split_heads", "num_heads", std::to_string(num_heads_),
                    "a divisor of the " + std::to_string(x.back()) + " columns of x " + to_string(x));
    return walk(x).sizes;
  }

 protected:
  Walk walk(const Shape& input) const override {
    const Shape strides = strides_of(input);
    const std::size_t length = input.end()[-2];
    const std::size_t width = input.back() / num_heads_;
    Walk order{Shape(input.begin(), input.end() - 2), Shape(strides.begin(), strides.end() - 2)};
    order.sizes.insert(order.sizes.end(), {num_heads_, length, width});
    order.strides.insert(order.strides.end(), {width, input.back(), 1});
    return order;
  }

  std::vector<std::size_t> index_numbers(const Shape& input, const Index& from, const Index& along) const override {
    return {from.back(), along.end()[-3], input.back() / num_heads_, along.back()};
  }

 private:
  std::size_t num_heads_;
};

}  // namespace

template <typename T>
Tensor<T> split_heads(const Tensor<T>& x, std::size_t num_heads, std::string name) {
  return x.graph->apply(std::make_unique<SplitHeads<T>>(num_heads), {x}, std::move(name));
}

template Tensor<float> split_heads(const Tensor<float>&, std::size_t, std::string);
template Tensor<double> split_heads(const Tensor<double>&, std::size_t, std::string);

}  // namespace attn
