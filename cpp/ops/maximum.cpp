// The larger of two tensors, cell by cell, with NumPy's broadcasting.
#include "ops/maximum.hpp"

#include "ops/broadcast_arithmetic.hpp"

namespace attn {
namespace {

template <typename T>
class Maximum final : public BroadcastArithmetic<T> {
 public:
  Maximum()
      : BroadcastArithmetic<T>(kernels::kArithmetic<kernels::Arithmetic::maximum, T>, {"value", "value", "result"}) {}

  std::string_view name() const override { return "maximum"; }
};

}  // namespace

template <typename T>
Tensor<T> maximum(const Tensor<T>& a, const Tensor<T>& b, std::string name) {
  return a.graph->apply(std::make_unique<Maximum<T>>(), {a, b}, std::move(name));
}

template Tensor<float> maximum(const Tensor<float>&, const Tensor<float>&, std::string);
template Tensor<double> maximum(const Tensor<double>&, const Tensor<double>&, std::string);

}  // namespace attn
