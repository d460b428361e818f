// Difference of two tensors with NumPy's broadcasting.
#include "ops/subtract.hpp"

#include "ops/broadcast_arithmetic.hpp"

namespace attn {
namespace {

template <typename T>
class Subtract final : public BroadcastArithmetic<T> {
 public:
  Subtract()
      : BroadcastArithmetic<T>(kernels::kArithmetic<kernels::Arithmetic::subtract, T>,
                               {"minuend", "subtrahend", "difference"}) {}

  std::string_view name() const override { return "subtract"; }
};

}  // namespace

template <typename T>
Tensor<T> subtract(const Tensor<T>& a, const Tensor<T>& b, std::string name) {
  return a.graph->apply(std::make_unique<Subtract<T>>(), {a, b}, std::move(name));
}

template Tensor<float> subtract(const Tensor<float>&, const Tensor<float>&, std::string);
template Tensor<double> subtract(const Tensor<double>&, const Tensor<double>&, std::string);

}  // namespace attn
