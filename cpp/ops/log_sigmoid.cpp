// Logarithm of the logistic function of every cell.
#include "ops/log_sigmoid.hpp"

#include "ops/elementwise.hpp"

namespace attn {
namespace {

template <typename T>
class LogSigmoid final : public Elementwise<T> {
 public:
  LogSigmoid() : Elementwise<T>(kernels::Function::log_sigmoid) {}

  std::string_view name() const override { return "log_sigmoid"; }
  std::uint64_t flops(std::span<const Shape>, const Shape& output) const override { return 3 * cell_count(output); }
};

}  // namespace

template <typename T>
Tensor<T> log_sigmoid(const Tensor<T>& x, std::string name) {
  return x.graph->apply(std::make_unique<LogSigmoid<T>>(), {x}, std::move(name));
}

template Tensor<float> log_sigmoid(const Tensor<float>&, std::string);
template Tensor<double> log_sigmoid(const Tensor<double>&, std::string);

}  // namespace attn
