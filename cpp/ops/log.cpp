// Natural logarithm of every cell.
#include "ops/log.hpp"

#include "ops/elementwise.hpp"

namespace attn {
namespace {

template <typename T>
class Log final : public Elementwise<T> {
 public:
  Log() : Elementwise<T>(kernels::Function::log) {}

  std::string_view name() const override { return "log"; }
};

}  // namespace

template <typename T>
Tensor<T> log(const Tensor<T>& x, std::string name) {
  return x.graph->apply(std::make_unique<Log<T>>(), {x}, std::move(name));
}

template Tensor<float> log(const Tensor<float>&, std::string);
template Tensor<double> log(const Tensor<double>&, std::string);

}  // namespace attn
