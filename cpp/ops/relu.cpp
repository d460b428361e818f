// Rectified linear unit of every cell.
#include "ops/relu.hpp"

#include "ops/elementwise.hpp"

namespace attn {
namespace {

template <typename T>
class Relu final : public Elementwise<T> {
 public:
  Relu() : Elementwise<T>(kernels::Function::relu) {}

  std::string_view name() const override { return "relu"; }
};

}  // namespace

template <typename T>
Tensor<T> relu(const Tensor<T>& x, std::string name) {
  return x.graph->apply(std::make_unique<Relu<T>>(), {x}, std::move(name));
}

template Tensor<float> relu(const Tensor<float>&, std::string);
template Tensor<double> relu(const Tensor<double>&, std::string);

}  // namespace attn
