// What all optimizers share: a step over parameters with gradients, and what they remember of each parameter.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tensor/parameters.hpp"

namespace attn {

// What is remembered of one parameter: arrays of its shape under PyTorch's names ("momentum_buffer", "exp_avg"), and
// steps.
template <typename T>
struct OptimizerState {
  std::uint64_t step = 0;
  std::map<std::string, Array<T>, std::less<>> buffers;

  // The buffer called `name`, made of `fill` at first.
  Array<T>& buffer(std::string_view name, const Shape& shape, T fill = T(0));
};

template <typename T>
class Optimizer {
 public:
  explicit Optimizer(double lr);
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  double lr() const { return lr_; }
  void set_lr(double lr);  // throws InputError unless it is at least 0 and finite

  // Changes every parameter that has a gradient. Their origin becomes literal: no draw gives them any more.
  void step(Parameters<T>& parameters);

  // What is remembered, by the parameter's name; for a parameter that never had a gradient nothing.
  const std::map<std::string, OptimizerState<T>, std::less<>>& state() const { return state_; }

 protected:
  virtual void update(Array<T>& value, const Array<T>& gradient, OptimizerState<T>& state) const = 0;

 private:
  double lr_;
  std::map<std::string, OptimizerState<T>, std::less<>> state_;
};

// Throws the InputError "operation: argument is -1, expected ..." unless `fits`.
void check_setting(bool fits, std::string_view operation, std::string_view argument, double value,
                   std::string_view expected);

extern template class Optimizer<float>;
extern template class Optimizer<double>;

}  // namespace attn
