// The explanation of how the gradient of a cell was computed.
#include <emscripten/bind.h>

#include "wasm/graph_handle.hpp"
#include "wasm/guarded.hpp"

namespace attn {
namespace {

using emscripten::val;

// { sum: row, uses: [{ node, place, rows, sources, attributes }] }: `node` reads the cell as its input at `place`.
js::Record explain_gradient(GraphHandle& handle, double node, js::Numbers index, bool full) {
  return handle.visit([&](auto& graph) {
    const std::vector<std::size_t> cell = sizes_of(index, "explainGradient", "index");
    const GradientExplanation explanation =
        graph.explain_gradient(static_cast<std::size_t>(node), cell, {.full = full});
    val uses = val::array();
    for (const GradientExplanation::Use& use : explanation.uses) {
      val record = record_of(use.explanation);
      record.set("node", use.consumer);
      record.set("place", use.input);
      uses.call<void>("push", record);
    }
    val record = val::object();
    record.set("sum", record_of(explanation.sum));
    record.set("uses", uses);
    return js::Record(record);
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(gradient_explanation) {
  emscripten::function("explainGradient", &Guarded<&explain_gradient>::call);
}

}  // namespace attn
