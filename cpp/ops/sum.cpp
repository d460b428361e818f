// Sum over axes.
#include "ops/sum.hpp"

namespace attn {
namespace {

template <typename T>
class Sum final : public Reduction<T> {
 public:
  Sum(std::vector<std::size_t> axes, bool keepdim) : Reduction<T>(std::move(axes), keepdim, false) {}

  std::string_view name() const override { return "sum"; }
};

}  // namespace

template <typename T>
Tensor<T> sum(const Tensor<T>& x, const ReductionOptions& options, std::string name) {
  std::vector<std::size_t> axes = reduced_axes(options, x.shape().size(), "sum");
  return x.graph->apply(std::make_unique<Sum<T>>(std::move(axes), options.keepdim), {x}, std::move(name));
}

template Tensor<float> sum(const Tensor<float>&, const ReductionOptions&, std::string);
template Tensor<double> sum(const Tensor<double>&, const ReductionOptions&, std::string);

}  // namespace attn
