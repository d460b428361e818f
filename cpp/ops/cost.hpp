// What a graph costs: floating point operations of its nodes, numbers in its parameters.
#pragma once

#include <optional>

#include "tensor/graph.hpp"

namespace attn {

// The operations are those of the textbook, whatever a kernel saves: an addition, a multiplication, a division, a
// comparison of numbers and a function (exp, log, sqrt, sin, tanh, erf) count 1, so that a multiply-add counts 2 and a
// sum of n terms n. Numbers moved, looked up, hidden or chosen count 0, and so does what is done once per row, such as
// the root of a layer norm, and the angles of a rotary encoding, which are a table.
struct Cost {
  std::uint64_t flops = 0;       // of the forward pass
  std::uint64_t parameters = 0;  // numbers that learning changes
};

// What an op of `name` counts for these shapes; nothing for a name that has no count.
std::optional<std::uint64_t> flops(std::string_view name, std::span<const Shape> inputs, const Shape& output,
                                   const Attributes& attributes);

// Of one node: a leaf may be parameters, anything else has operations. Parameters are the leaves that the graph was given
// as such, the weights, biases and tables of linear, conv1d, layer_norm and embedding, and the
// W of two axes of a product x W.
template <typename T>
Cost cost(const Graph<T>& graph, std::size_t id);

// Of all nodes.
template <typename T>
Cost cost(const Graph<T>& graph);

}  // namespace attn
