// Exponential of every cell.
#include "ops/exp.hpp"

#include "ops/elementwise.hpp"

namespace attn {
namespace {

template <typename T>
class Exp final : public Elementwise<T> {
 public:
  Exp() : Elementwise<T>(kernels::Function::exp) {}

  std::string_view name() const override { return "exp"; }
};

}  // namespace

template <typename T>
Tensor<T> exp(const Tensor<T>& x, std::string name) {
  return x.graph->apply(std::make_unique<Exp<T>>(), {x}, std::move(name));
}

template Tensor<float> exp(const Tensor<float>&, std::string);
template Tensor<double> exp(const Tensor<double>&, std::string);

}  // namespace attn
