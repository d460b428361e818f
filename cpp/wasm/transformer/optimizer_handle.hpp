// Optimizers as JavaScript holds them: one class over all of them and both precisions.
#pragma once

#include <memory>

#include "optim/optimizer.hpp"
#include "wasm/arguments.hpp"
#include "wasm/transformer/parameters_handle.hpp"

namespace attn {

// Owned by JavaScript, which ends it with delete().
class OptimizerHandle {
 public:
  // `kind` is "sgd", "adagrad", "rmsprop", "adam" or "adamw"; a setting that is not given has its default. Throws
  // InputError for a setting out of its range.
  OptimizerHandle(std::string_view kind, const Arguments& given);
  ~OptimizerHandle();
  OptimizerHandle(const OptimizerHandle&) = delete;
  OptimizerHandle& operator=(const OptimizerHandle&) = delete;

  void step(ParametersHandle& parameters);
  double lr();
  void set_lr(double lr);
  // { step, buffers: [{ name, shape, data }] }; undefined without a gradient so far.
  js::Record state(ParametersHandle& parameters, js::Text name);

 private:
  Optimizer<double>& of(const Parameters<double>&) { return *double_; }
  Optimizer<float>& of(const Parameters<float>&) { return *single_; }

  // One for the parameters of each precision.
  std::unique_ptr<Optimizer<double>> double_;
  std::unique_ptr<Optimizer<float>> single_;
};

}  // namespace attn
