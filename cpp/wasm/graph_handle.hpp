// A graph as JavaScript holds it: one class over both precisions.
#pragma once

#include "tensor/graph.hpp"
#include "wasm/in_precision.hpp"
#include "wasm/values.hpp"

namespace attn {

// Owned by JavaScript, which ends it with delete(). Nodes are their numbers.
class GraphHandle {
 public:
  GraphHandle(bool single_precision, const GraphOptions& options);
  ~GraphHandle();
  GraphHandle(const GraphHandle&) = delete;
  GraphHandle& operator=(const GraphHandle&) = delete;

  // Throws unless a leaf of this name and shape fits: to be asked before its numbers are drawn.
  void check_leaf(js::Text name, js::Numbers shape);
  // `content` is { dataType, fill? }.
  double leaf(js::Text name, js::Numbers shape, js::Cells data, js::Given origin, js::Given content);
  js::Record apply(js::Text operation, js::Given given, js::Text name);
  double find(js::Text operation, js::Text name);
  // { name, op, inputs, shape, dataType, fill?, attributes, origin }; op is "leaf" for a leaf, fill what a mask says.
  js::Record describe(double node);
  js::Cells value(double node);
  js::Cells gradient(double node);
  js::Record edited(double node);  // indices of the cells of a leaf changed by hand
  js::Record explain(double node, js::Numbers index, bool full);
  js::Record uses(double node, js::Numbers index);  // [{ node, from, to }], by the order of the nodes
  // All three give back the nodes evaluated again.
  js::Numbers set(double node, js::Cells data);
  js::Numbers set_cell(double node, js::Numbers index, double value);
  js::Numbers reset(double node);
  // A view of the numbers of a node in wasm memory, good until that grows or the node goes. Only that of a leaf may be written,
  // when it was asked for `to_write`; graph_replay() has to follow, and mark_typed() if that succeeds.
  js::Cells memory(double node, bool to_write);
  void mark_typed(double node);
  double address() { return static_cast<double>(reinterpret_cast<std::uintptr_t>(this)); }  // for graph_replay
  void backward(double node, js::Cells gradient);                                           // gradient undefined: ones
  void truncate(double size);
  double size();
  double bytes();

  // `work` done with the graph in its precision.
  template <typename Work>
  auto visit(Work work) {
    return graph_.visit(work);
  }

 private:
  InPrecision<Graph> graph_;
};

// Evaluates again what reads a leaf that was written. JavaScript calls it as it is, without the glue that converts arguments.
extern "C" void graph_replay(GraphHandle* graph);

// How many handles of the core JavaScript has not deleted.
int live_handles();
void count_handle(int change);

}  // namespace attn
