// Gaussian error linear unit of every cell.
#include "ops/gelu.hpp"

#include "ops/elementwise.hpp"

namespace attn {
namespace {

template <typename T>
class Gelu final : public Elementwise<T> {
 public:
  explicit Gelu(bool tanh)
      : Elementwise<T>(tanh ? kernels::Function::gelu_tanh : kernels::Function::gelu_erf), tanh_(tanh) {}

  std::string_view name() const override { return "gelu"; }
  Attributes attributes() const override { return {{"variant", std::string(tanh_ ? "tanh" : "erf")}}; }
  std::uint64_t flops(std::span<const Shape>, const Shape& output) const override {
    return (tanh_ ? 9 : 5) * cell_count(output);
  }

  Explanation explain(CellViews inputs, const CellView& output, const Index& index) const override {
    Explanation explanation;
    const double x = add_cell(explanation, "value", inputs, 0, index);
    const double gate = output.rounded(tanh_ ? kernels::gelu_tanh_gate(x) : kernels::gelu_erf_gate(x));
    explanation.row("gate").term(x).gives(gate);
    explanation.row("product").term(x).term(gate).gives(output[index]);
    return explanation;
  }

 private:
  bool tanh_;
};

}  // namespace

template <typename T>
Tensor<T> gelu(const Tensor<T>& x, const GeluOptions& options, std::string name) {
  if (options.variant != "erf" && options.variant != "tanh")
    refuse_option("gelu", "variant", "\"" + options.variant + "\"", "\"erf\" or \"tanh\"");
  return x.graph->apply(std::make_unique<Gelu<T>>(options.variant == "tanh"), {x}, std::move(name));
}

template Tensor<float> gelu(const Tensor<float>&, const GeluOptions&, std::string);
template Tensor<double> gelu(const Tensor<double>&, const GeluOptions&, std::string);

}  // namespace attn
