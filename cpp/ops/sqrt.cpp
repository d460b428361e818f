// Square root of every cell.
#include "ops/sqrt.hpp"

#include "ops/elementwise.hpp"

namespace attn {
namespace {

template <typename T>
class Sqrt final : public Elementwise<T> {
 public:
  Sqrt() : Elementwise<T>(kernels::Function::sqrt) {}

  std::string_view name() const override { return "sqrt"; }
};

}  // namespace

template <typename T>
Tensor<T> sqrt(const Tensor<T>& x, std::string name) {
  return x.graph->apply(std::make_unique<Sqrt<T>>(), {x}, std::move(name));
}

template Tensor<float> sqrt(const Tensor<float>&, std::string);
template Tensor<double> sqrt(const Tensor<double>&, std::string);

}  // namespace attn
