// Sum of two tensors with NumPy's broadcasting.
#include "ops/add.hpp"

#include "ops/broadcast_arithmetic.hpp"

namespace attn {
namespace {

template <typename T>
class Add final : public BroadcastArithmetic<T> {
 public:
  Add() : BroadcastArithmetic<T>(kernels::kArithmetic<kernels::Arithmetic::add, T>, {"term", "term", "sum"}) {}

  std::string_view name() const override { return "add"; }
};

}  // namespace

template <typename T>
Tensor<T> add(const Tensor<T>& a, const Tensor<T>& b, std::string name) {
  return a.graph->apply(std::make_unique<Add<T>>(), {a, b}, std::move(name));
}

template Tensor<float> add(const Tensor<float>&, const Tensor<float>&, std::string);
template Tensor<double> add(const Tensor<double>&, const Tensor<double>&, std::string);

}  // namespace attn
