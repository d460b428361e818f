// The slope of each head's linear bias.
#include "ops/alibi_slopes.hpp"

#include <bit>
#include <cmath>

namespace attn {
namespace {

// The slope of one head is 2^(-8 k / n).
struct Exponent {
  double k, n;
  double value() const { return -8 * k / n; }
};

Exponent exponent(std::size_t head, std::size_t num_heads) {
  const std::size_t n = std::bit_floor(num_heads);
  if (head < n) return {static_cast<double>(head + 1), static_cast<double>(n)};
  return {static_cast<double>(2 * (head - n) + 1), 2 * static_cast<double>(n)};
}

template <typename T>
class AlibiSlopes final : public Op<T> {
 public:
  explicit AlibiSlopes(std::size_t num_heads) : num_heads_(num_heads) {}

  std::string_view name() const override { return "alibi_slopes"; }
  Attributes attributes() const override { return {{"num_heads", static_cast<double>(num_heads_)}}; }
  std::uint64_t flops(std::span<const Shape>, const Shape& output) const override { return 2 * cell_count(output); }

  Shape shape(std::span<const Shape>) const override { return {num_heads_}; }

  void forward(Inputs<T>, Array<T>& output, Scratch<T>) const override {
    for (std::size_t head = 0; head < num_heads_; ++head)
      output.data()[head] = static_cast<T>(std::exp2(exponent(head, num_heads_).value()));
  }

  void backward(Inputs<T>, const Array<T>&, const Array<T>&, Gradients<T>, Scratch<T>) const override {}

  Explanation explain(CellViews, const CellView& output, const Index& index) const override {
    Explanation explanation;
    const Exponent power = exponent(index[0], num_heads_);
    explanation.row("exponent").term(8).term(power.k).term(power.n).gives(power.value());
    explanation.row("result").term(2).term(power.value()).gives(output[index]);
    return explanation;
  }

  void differentiate(CellViews, const CellView&, std::size_t, const Index&, Contributions&) const override {}

 private:
  std::size_t num_heads_;
};

}  // namespace

template <typename T>
Tensor<T> alibi_slopes(Graph<T>& graph, std::size_t num_heads, std::string name) {
  if (num_heads == 0) refuse_option("alibi_slopes", "num_heads", "0", "at least 1");
  return graph.apply(std::make_unique<AlibiSlopes<T>>(num_heads), {}, std::move(name));
}

template Tensor<float> alibi_slopes(Graph<float>&, std::size_t, std::string);
template Tensor<double> alibi_slopes(Graph<double>&, std::size_t, std::string);

}  // namespace attn
