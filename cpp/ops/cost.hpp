// What a graph costs: floating point operations of its nodes, numbers in its parameters.
#pragma once

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

// Of one node: a leaf may be parameters, anything else has operations. Parameters are the leaves that the graph was given
// as such, the weights, biases and tables of linear, conv1d, layer_norm and embedding, and the
// W of two axes of a product x W.
template <typename T>
Cost cost(const Graph<T>& graph, std::size_t id);

// Of all nodes.
template <typename T>
Cost cost(const Graph<T>& graph);

// How many steps of a layer must wait for one another ("Attention Is All You Need", table 1): on the path through the graph where
// they are most, the nodes that read the same parameter, each of them computed from the one before. A recurrent layer reads
// its weights at every position, after it has at the position before, so that its steps are as many as positions. Attention and a convolution read
// theirs once for all positions, and what has no parameters makes one step. Layers one upon another have parameters of
// their own, and do not add up. 0 for a graph that computes nothing.
template <typename T>
std::uint64_t sequential_steps(const Graph<T>& graph);

}  // namespace attn
