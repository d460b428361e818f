// A graph as a JavaScript object: one class for both precisions.
#pragma once

#include "tensor/graph.hpp"
#include "wasm/in_precision.hpp"
#include "wasm/values.hpp"

namespace attn {

// Owned by JavaScript, which must call delete(). Nodes are passed as their ids.
class GraphHandle {
 public:
  GraphHandle(bool single_precision, const GraphOptions& options);
  ~GraphHandle();
  GraphHandle(const GraphHandle&) = delete;
  GraphHandle& operator=(const GraphHandle&) = delete;

  // Throws InputError unless the name is allowed, and MemoryError unless the shape fits. To be called before the
  // numbers of a leaf are drawn.
  void check_leaf(js::Text name, js::Numbers shape);
  // Returns the id of the new node. `content` is { dataType, fill? }.
  double leaf(js::Text name, js::Numbers shape, js::Cells data, js::Object origin, js::Object content);
  js::Record apply(js::Text operation, js::Object arguments, js::Text name);
  double find(js::Text operation, js::Text name);
  // { name, op, inputs, shape, dataType, fill?, attributes, origin }; op is "leaf" for a leaf, fill is that of a
  // mask.
  js::Record describe(double node);
  js::Cells value(double node);
  js::Cells gradient(double node);
  js::Record edited(double node);  // indices of the cells of a leaf edited by hand
  js::Record explain(double node, js::Numbers index, bool full);
  js::Record uses(double node, js::Numbers index);  // [{ node, from, to }], ordered by node
  // set, set_cell and reset return the nodes that were evaluated again.
  js::Numbers set(double node, js::Cells data);
  js::Numbers set_cell(double node, js::Numbers index, double value);
  js::Numbers reset(double node);
  // A view of the numbers of a node in wasm memory, valid until the memory grows or the node is removed. Only the
  // view of a leaf requested with `to_write` may be written; graph_replay() must follow, and mark_typed() if it
  // succeeds.
  js::Cells memory(double node, bool to_write);
  void mark_typed(double node);
  void replay_for(js::Numbers nodes);
  void redraw_dropout(double step);
  void check_not_skipped(double node, js::Text operation);
  double address() { return static_cast<double>(reinterpret_cast<std::uintptr_t>(this)); }  // for graph_replay
  void backward(double node, js::Cells gradient, bool parameters_only,
                bool accumulate);  // an undefined gradient means ones
  void truncate(double size);
  double size();
  double bytes();

  // Calls `work` with the graph in its precision.
  template <typename Work>
  auto visit(Work work) {
    return graph_.visit(work);
  }

 private:
  InPrecision<Graph> graph_;
};

// Evaluates the dependents of the leaves that were written. JavaScript calls it directly, without Embind's conversion
// of arguments.
extern "C" void graph_replay(GraphHandle* graph);

// The number of handles of the core that JavaScript has not deleted.
int live_handles();
// Adds `change` to this number; called with 1 by every constructor of a handle and with -1 by every destructor.
void count_handle(int change);

}  // namespace attn
