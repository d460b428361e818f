// Mean over axes.
#include "ops/mean.hpp"

namespace attn {
namespace {

template <typename T>
class Mean final : public Reduction<T> {
 public:
  Mean(std::vector<std::size_t> axes, bool keepdim) : Reduction<T>(std::move(axes), keepdim, true) {}

  std::string_view name() const override { return "mean"; }
};

}  // namespace

template <typename T>
Tensor<T> mean(const Tensor<T>& x, const ReductionOptions& options, std::string name) {
  std::vector<std::size_t> axes = reduced_axes(options, x.shape().size(), "mean");
  return x.graph->apply(std::make_unique<Mean<T>>(std::move(axes), options.keepdim), {x}, std::move(name));
}

template Tensor<float> mean(const Tensor<float>&, const ReductionOptions&, std::string);
template Tensor<double> mean(const Tensor<double>&, const ReductionOptions&, std::string);

}  // namespace attn
