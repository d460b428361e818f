// Kullback-Leibler divergence, as torch.nn.functional.kl_div.
#include "ops/kl_divergence.hpp"

#include <cmath>

#include "ops/pair_loss.hpp"

namespace attn {
namespace {

template <typename T>
class KlDivergence final : public PairLoss<T> {
 public:
  explicit KlDivergence(LossReduction reduction) : PairLoss<T>(reduction) {}

  std::string_view name() const override { return "kl_divergence"; }
  std::uint64_t flops(std::span<const Shape> inputs, const Shape& output) const override {
    return (output == inputs[0] ? 3 : 4) * cell_count(inputs[0]);
  }

 protected:
  T loss(T input, T target) const override { return target == 0 ? T(0) : target * (std::log(target) - input); }

  T slope(T input, T target, bool of_target) const override {
    if (!of_target) return -target;
    return target == 0 ? T(0) : std::log(target) + 1 - input;
  }

  void explain_loss(Explanation& explanation, double input, double target, const CellView& precision) const override {
    if (target == 0) return;
    const double log_target = precision.log(target);
    explanation.row("log_target").term(target).gives(log_target);
    explanation.row("difference").term(log_target).term(input).gives(precision.rounded(log_target - input));
  }
};

}  // namespace

template <typename T>
Tensor<T> kl_divergence(const Tensor<T>& input, const Tensor<T>& target, const KlDivergenceOptions& options,
                        std::string name) {
  const LossReduction reduction = loss_reduction(options.reduction, "kl_divergence", true);
  return input.graph->apply(std::make_unique<KlDivergence<T>>(reduction), {input, target}, std::move(name));
}

template Tensor<float> kl_divergence(const Tensor<float>&, const Tensor<float>&, const KlDivergenceOptions&,
                                     std::string);
template Tensor<double> kl_divergence(const Tensor<double>&, const Tensor<double>&, const KlDivergenceOptions&,
                                      std::string);

}  // namespace attn
