// Intermediate steps that readers of explanations pass over.
#include <emscripten/bind.h>

#include "wasm/graph_handle.hpp"
#include "wasm/guarded.hpp"

namespace attn {
namespace {

void pass_over(GraphHandle& handle, double node) {
  handle.visit([&]<typename T>(Graph<T>& graph) { graph.pass_over({&graph, static_cast<std::size_t>(node)}); });
}

// The nodes that are such steps.
js::Numbers passed_over(GraphHandle& handle) {
  return handle.visit([](auto& graph) {
    std::vector<std::size_t> nodes;
    for (std::size_t id = 0; id < graph.size(); ++id)
      if (graph.node(id).is_passed_over) nodes.push_back(id);
    return js::Numbers(list_of(nodes));
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(pass_over) {
  emscripten::function("passOver", &Guarded<&pass_over>::call);
  emscripten::function("passedOver", &Guarded<&passed_over>::call);
}

}  // namespace attn
