// A graph as JavaScript holds it: one class over both precisions.
#pragma once

#include <memory>

#include "tensor/graph.hpp"
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
  void check_leaf(Text name, Numbers shape);
  double leaf(Text name, Numbers shape, Cells data, Given origin);
  Record apply(Text operation, Given given, Text name);
  double find(Text name);
  Record describe(double node);  // { name, op, inputs, shape, attributes, origin }; op "leaf" for a leaf
  Cells value(double node);
  Cells gradient(double node);
  Record edited(double node);  // indices of the cells of a leaf changed by hand
  Record explain(double node, Numbers index);
  // Both give back the nodes evaluated again.
  Numbers set(double node, Cells data);
  Numbers set_cell(double node, Numbers index, double value);
  Numbers reset(double node);
  void backward(double node, Cells gradient);  // gradient undefined: ones
  void truncate(double size);
  double size();
  double bytes();

 private:
  template <typename Work>
  auto visit(Work work) {
    return single_ ? work(*single_) : work(*double_);
  }

  std::unique_ptr<Graph<double>> double_;
  std::unique_ptr<Graph<float>> single_;
};

// How many handles of the core JavaScript has not deleted.
int live_handles();
void count_handle(int change);

}  // namespace attn
