// The cost of a graph: floating point operations of its nodes, numbers in its parameters.
#include "ops/cost.hpp"

#include <algorithm>
#include <vector>

namespace attn {
namespace {

// The node from which a node was derived by ops with one input, such as slice and reshape.
template <typename T>
std::size_t source_of(const Graph<T>& graph, std::size_t id) {
  while (graph.node(id).op && graph.node(id).inputs.size() == 1) id = graph.node(id).inputs[0];
  return id;
}

// Whether inputs[input] of `node` is a parameter that it multiplies by or looks up in.
template <typename T>
bool reads_parameter(const Graph<T>& graph, const Node<T>& node, std::size_t input) {
  if (!node.op || input == 0) return false;
  const std::string_view name = node.op->name();
  if (name != "matmul") return name == "linear" || name == "conv1d" || name == "layer_norm" || name == "embedding";
  // True for x W, but not for K^T in the scores, nor for the values that the attention weights multiply.
  const Node<T>& matrix = graph.node(node.inputs[1]);
  const Node<T>& x = graph.node(node.inputs[0]);
  const bool is_weights = x.op && (x.op->name() == "softmax" || x.op->name() == "dropout");
  return matrix.shape.size() == 2 && (!matrix.op || matrix.op->name() == "reshape") && !is_weights;
}

template <typename T>
bool is_parameter(const Graph<T>& graph, std::size_t id) {
  if (std::binary_search(graph.parameters().begin(), graph.parameters().end(), id)) return true;
  for (std::size_t reader = id + 1; reader < graph.size(); ++reader) {
    const Node<T>& node = graph.node(reader);
    for (std::size_t input = 1; input < node.inputs.size(); ++input)
      if (reads_parameter(graph, node, input) && source_of(graph, node.inputs[input]) == id) return true;
  }
  return false;
}

}  // namespace

template <typename T>
Cost cost(const Graph<T>& graph, std::size_t id) {
  const Node<T>& node = graph.node(id);
  if (!node.op) return {.parameters = is_parameter(graph, id) ? cell_count(node.shape) : 0};
  std::vector<Shape> inputs;
  for (const std::size_t input : node.inputs) inputs.push_back(graph.node(input).shape);
  return {.flops = node.op->flops(inputs, node.shape)};
}

template <typename T>
Cost cost(const Graph<T>& graph) {
  Cost sum;
  for (std::size_t id = 0; id < graph.size(); ++id) {
    const Cost one = cost(graph, id);
    sum.flops += one.flops;
    sum.parameters += one.parameters;
  }
  return sum;
}

template <typename T>
std::uint64_t sequential_steps(const Graph<T>& graph) {
  std::uint64_t most = 0;
  std::vector<std::uint64_t> steps(graph.size());  // the number of sequential steps that end in each node
  for (std::size_t parameter = 0; parameter < graph.size(); ++parameter) {
    if (graph.node(parameter).op || !is_parameter(graph, parameter)) continue;
    for (std::size_t id = 0; id < graph.size(); ++id) {
      const Node<T>& node = graph.node(id);
      bool reads = false;
      steps[id] = 0;
      for (std::size_t input = 0; input < node.inputs.size(); ++input) {
        steps[id] = std::max(steps[id], steps[node.inputs[input]]);
        reads = reads || (reads_parameter(graph, node, input) && source_of(graph, node.inputs[input]) == parameter);
      }
      if (reads) most = std::max(most, ++steps[id]);
    }
  }
  for (std::size_t id = 0; id < graph.size() && most == 0; ++id)
    if (graph.node(id).op) most = 1;
  return most;
}

#define INSTANTIATE(T)                              \
  template Cost cost(const Graph<T>&, std::size_t); \
  template Cost cost(const Graph<T>&);              \
  template std::uint64_t sequential_steps(const Graph<T>&)
INSTANTIATE(float);
INSTANTIATE(double);
#undef INSTANTIATE

}  // namespace attn
