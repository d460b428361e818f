// Mean squared error, as torch.nn.functional.mse_loss.
#include "ops/mse_loss.hpp"

#include "ops/pair_loss.hpp"

namespace attn {
namespace {

template <typename T>
class MseLoss final : public PairLoss<T> {
 public:
  explicit MseLoss(LossReduction reduction) : PairLoss<T>(reduction) {}

  std::string_view name() const override { return "mse_loss"; }
  std::uint64_t flops(std::span<const Shape> inputs, const Shape& output) const override {
    return (output == inputs[0] ? 2 : 3) * cell_count(inputs[0]);
  }

 protected:
  T loss(T input, T target) const override { return (input - target) * (input - target); }

  T slope(T input, T target, bool of_target) const override {
    return of_target ? 2 * (target - input) : 2 * (input - target);
  }

  void explain_loss(Explanation& explanation, double input, double target, const CellView& precision) const override {
    explanation.row("difference").term(input).term(target).gives(precision.rounded(input - target));
  }
};

}  // namespace

template <typename T>
Tensor<T> mse_loss(const Tensor<T>& input, const Tensor<T>& target, const MseLossOptions& options, std::string name) {
  const LossReduction reduction = loss_reduction(options.reduction, "mse_loss");
  return input.graph->apply(std::make_unique<MseLoss<T>>(reduction), {input, target}, std::move(name));
}

template Tensor<float> mse_loss(const Tensor<float>&, const Tensor<float>&, const MseLossOptions&, std::string);
template Tensor<double> mse_loss(const Tensor<double>&, const Tensor<double>&, const MseLossOptions&, std::string);

}  // namespace attn
