// A different number for a cell of an operation's input.
#pragma once

#include <string_view>

#include "tensor/graph.hpp"

namespace op_cases {

// Another number for a cell: another id where only whole numbers are valid. There are at least two classes and rows.
inline double changed(const attn::Graph<double>& graph, const attn::Node<double>& node, std::size_t input, double x) {
  const std::string_view op = node.op->name();
  const bool classes = op == "cross_entropy" && input == 1 && !node.op->differentiable(1);
  if (((op == "embedding" || op == "one_hot") && input == 0) || classes) {
    const attn::Node<double>& table = graph.node(node.inputs[classes ? 0 : input]);
    if (classes && x >= static_cast<double>(table.shape.back())) return 0;  // ids beyond the classes are ignored
    return x == 0 ? 1 : x - 1;
  }
  if (x == 0 || x == 1) return 1 - x;  // of a mask
  return x + 0.37;
}

}  // namespace op_cases
