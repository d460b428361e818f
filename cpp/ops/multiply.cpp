// Product of two tensors, cell by cell, with NumPy's broadcasting.
#include "ops/multiply.hpp"

#include "ops/broadcast_arithmetic.hpp"

namespace attn {
namespace {

template <typename T>
class Multiply final : public BroadcastArithmetic<T> {
 public:
  Multiply()
      : BroadcastArithmetic<T>(kernels::kArithmetic<kernels::Arithmetic::multiply, T>,
                               {"factor", "factor", "product"}) {}

  std::string_view name() const override { return "multiply"; }
};

}  // namespace

template <typename T>
Tensor<T> multiply(const Tensor<T>& a, const Tensor<T>& b, std::string name) {
  return a.graph->apply(std::make_unique<Multiply<T>>(), {a, b}, std::move(name));
}

template Tensor<float> multiply(const Tensor<float>&, const Tensor<float>&, std::string);
template Tensor<double> multiply(const Tensor<double>&, const Tensor<double>&, std::string);

}  // namespace attn
