// Calls that must be refused, and their expected messages.
#include "refusal.hpp"

#include <algorithm>

#include <catch_amalgamated.hpp>

namespace refusal {

using attn::Graph;
using attn::Tensor;

Tensor<double> zeros(Graph<double>& graph, const attn::Shape& shape) {
  return graph.leaf("", attn::full<double>(shape, 0));
}

Tensor<double> numbers(Graph<double>& graph, const std::vector<double>& values) {
  attn::Array<double> array = attn::full<double>({values.size()}, 0);
  std::copy(values.begin(), values.end(), array.data());
  return graph.leaf("", std::move(array));
}

void check(const std::vector<Refusal>& refusals) {
  for (const Refusal& refusal : refusals) {
    Graph<double> graph;
    CHECK_THROWS_MATCHES(refusal.call(graph), attn::InputError, Catch::Matchers::Message(refusal.message));
    for (std::size_t id = 0; id < graph.size(); ++id) CHECK_FALSE(graph.node(id).op);
  }
}

}  // namespace refusal
