// Optimizers as JavaScript objects: one class for all of them and both precisions.
#pragma once

#include <memory>

#include "optim/optimizer.hpp"
#include "wasm/arguments.hpp"
#include "wasm/transformer/parameters_handle.hpp"

namespace attn {

// Owned by JavaScript, which must call delete().
class OptimizerHandle {
 public:
  // `kind` is "sgd", "adagrad", "rmsprop", "adam" or "adamw"; an absent setting has its default. Throws InputError
  // for a setting out of its range.
  OptimizerHandle(std::string_view kind, const Arguments& arguments);
  ~OptimizerHandle();
  OptimizerHandle(const OptimizerHandle&) = delete;
  OptimizerHandle& operator=(const OptimizerHandle&) = delete;

  void step(ParametersHandle& parameters);
  void step_graph(GraphHandle& graph);
  double lr();
  void set_lr(double lr);
  // { step, buffers: [{ name, shape, data }] }; undefined for a parameter that no step has changed.
  js::Record state(ParametersHandle& parameters, js::Text name);
  js::Record state_graph(GraphHandle& graph, js::Text name);
  // The names of the parameters that have a state.
  js::Record state_names(ParametersHandle& parameters);
  js::Record state_names_graph(GraphHandle& graph);
  void load_state(ParametersHandle& parameters,
                  js::Object states);  // [{ name, step, buffers: as returned by state() }]
  void load_state_graph(GraphHandle& graph, js::Object states);

 private:
  template <template <typename> typename Owner, typename T>
  Optimizer<T>& of(const Owner<T>&) {
    if constexpr (std::is_same_v<T, double>) {
      return *double_;
    } else {
      return *single_;
    }
  }
  template <typename Handle>
  js::Record state_of(Handle& owner, js::Text name);
  template <typename Handle>
  js::Record names_of(Handle& owner);
  template <typename Handle>
  void load(Handle& owner, const emscripten::val& states);

  // One optimizer for each supported precision.
  std::unique_ptr<Optimizer<double>> double_;
  std::unique_ptr<Optimizer<Single>> single_;
};

}  // namespace attn
