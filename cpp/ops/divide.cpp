// Quotient of two tensors, cell by cell, with NumPy's broadcasting.
#include "ops/divide.hpp"

#include "ops/broadcast_arithmetic.hpp"

namespace attn {
namespace {

template <typename T>
class Divide final : public BroadcastArithmetic<T> {
 public:
  Divide()
      : BroadcastArithmetic<T>(kernels::kArithmetic<kernels::Arithmetic::divide, T>,
                               {"dividend", "divisor", "quotient"}) {}

  std::string_view name() const override { return "divide"; }
};

}  // namespace

template <typename T>
Tensor<T> divide(const Tensor<T>& a, const Tensor<T>& b, std::string name) {
  return a.graph->apply(std::make_unique<Divide<T>>(), {a, b}, std::move(name));
}

template Tensor<float> divide(const Tensor<float>&, const Tensor<float>&, std::string);
template Tensor<double> divide(const Tensor<double>&, const Tensor<double>&, std::string);

}  // namespace attn
