// The cost of a graph: floating point operations of its nodes, numbers in its parameters.
#pragma once

#include "tensor/graph.hpp"

namespace attn {

// Operations are counted as in a textbook, whatever a kernel saves: an addition, a multiplication, a division, a
// comparison of numbers and a function (exp, log, sqrt, sin, tanh, erf) count 1 each, so a multiply-add counts 2 and
// a sum of n terms n. Moving, looking up, masking or selecting numbers counts 0, and so does work that is done once
// per row, such as the square root of a layer norm, and the angles of a rotary encoding, which come from a table.
struct Cost {
  std::uint64_t flops = 0;       // of the forward pass
  std::uint64_t parameters = 0;  // the number of trainable numbers
};

// The cost of one node. A leaf may be a parameter; any other node has operations. The parameters are the leaves that
// were added to the graph as parameters; the weights, biases and tables of linear, conv1d, layer_norm and embedding;
// and a W with two axes in a product x W.
template <typename T>
Cost cost(const Graph<T>& graph, std::size_t id);

// The cost of all nodes.
template <typename T>
Cost cost(const Graph<T>& graph);

// The number of sequential steps of a layer ("Attention Is All You Need", table 1): the largest number of nodes on
// one path through the graph that read the same parameter. A recurrent layer reads its weights at every position,
// each time after the previous position, so it has as many steps as positions. Attention and a convolution read
// theirs once for all positions, and a part without parameters counts as one step. Stacked layers have parameters of
// their own and do not add up. 0 for a graph that computes nothing.
template <typename T>
std::uint64_t sequential_steps(const Graph<T>& graph);

}  // namespace attn
