// The cost of the nodes of a graph.
#include "ops/cost.hpp"

#include <emscripten/bind.h>

#include "wasm/graph_handle.hpp"
#include "wasm/guarded.hpp"

namespace attn {
namespace {

using emscripten::val;

// Returns [{ flops, parameters }], one per node.
js::Record costs(GraphHandle& handle) {
  return handle.visit([](auto& graph) {
    val list = val::array();
    for (std::size_t id = 0; id < graph.size(); ++id) {
      const Cost node_cost = cost(graph, id);
      val record = val::object();
      record.set("flops", static_cast<double>(node_cost.flops));
      record.set("parameters", static_cast<double>(node_cost.parameters));
      list.call<void>("push", record);
    }
    return js::Record(list);
  });
}

double steps(GraphHandle& handle) {
  return handle.visit([](auto& graph) { return static_cast<double>(sequential_steps(graph)); });
}

}  // namespace

EMSCRIPTEN_BINDINGS(cost) {
  emscripten::function("costs", &Guarded<&costs>::call);
  emscripten::function("sequentialSteps", &Guarded<&steps>::call);
}

}  // namespace attn
