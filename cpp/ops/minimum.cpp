// The smaller of two tensors, cell by cell, with NumPy's broadcasting.
#include "ops/minimum.hpp"

#include "ops/broadcast_arithmetic.hpp"

namespace attn {
namespace {

template <typename T>
class Minimum final : public BroadcastArithmetic<T> {
 public:
  Minimum()
      : BroadcastArithmetic<T>(kernels::kArithmetic<kernels::Arithmetic::minimum, T>, {"value", "value", "result"}) {}

  std::string_view name() const override { return "minimum"; }
};

}  // namespace

template <typename T>
Tensor<T> minimum(const Tensor<T>& a, const Tensor<T>& b, std::string name) {
  return a.graph->apply(std::make_unique<Minimum<T>>(), {a, b}, std::move(name));
}

template Tensor<float> minimum(const Tensor<float>&, const Tensor<float>&, std::string);
template Tensor<double> minimum(const Tensor<double>&, const Tensor<double>&, std::string);

}  // namespace attn
