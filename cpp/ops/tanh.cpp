// Hyperbolic tangent of every cell.
#include "ops/tanh.hpp"

#include "ops/elementwise.hpp"

namespace attn {
namespace {

template <typename T>
class Tanh final : public Elementwise<T> {
 public:
  Tanh() : Elementwise<T>(kernels::Function::tanh) {}

  std::string_view name() const override { return "tanh"; }
};

}  // namespace

template <typename T>
Tensor<T> tanh(const Tensor<T>& x, std::string name) {
  return x.graph->apply(std::make_unique<Tanh<T>>(), {x}, std::move(name));
}

template Tensor<float> tanh(const Tensor<float>&, std::string);
template Tensor<double> tanh(const Tensor<double>&, std::string);

}  // namespace attn
