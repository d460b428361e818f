// Parameters as a JavaScript object: one class for both precisions.
#pragma once

#include "tensor/parameters.hpp"
#include "wasm/graph_handle.hpp"

namespace attn {

// Owned by JavaScript, which must call delete().
class ParametersHandle {
 public:
  ParametersHandle(bool single_precision, std::uint64_t max_bytes);
  ~ParametersHandle();
  ParametersHandle(const ParametersHandle&) = delete;
  ParametersHandle& operator=(const ParametersHandle&) = delete;

  void add(js::Text name, js::Numbers shape, js::Cells data);
  void draw(js::Text layer, js::Object sizes, double seed, js::Text prefix);  // names begin with `prefix`
  js::Record names();
  js::Record describe(js::Text name);  // { shape, origin, hasGradient }
  js::Cells value(js::Text name);
  js::Cells gradient(js::Text name);
  void set(js::Text name, js::Numbers shape, js::Cells data);
  void load(js::Object arrays);  // [{ name, shape, data: Float64Array }, ...]
  void zero_grad();
  double count();
  double bytes();

  // Leaves of `graph` that hold every parameter, in order, each named `prefix` plus the parameter's name.
  js::Numbers leaves(GraphHandle& graph, js::Text prefix);

  // Copies the present numbers of these leaves to the parameters.
  void read_leaves(GraphHandle& graph, js::Numbers leaves);

  // Adds the gradients that the last backward left on these leaves.
  void add_gradients(GraphHandle& graph, js::Numbers leaves);

  // Calls `work` with the parameters in their precision.
  template <typename Work>
  auto visit(Work work) {
    return parameters_.visit(work);
  }

 private:
  InPrecision<Parameters> parameters_;
};

}  // namespace attn
