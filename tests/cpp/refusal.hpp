// Calls that must be refused, and the words they must be refused with.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tensor/graph.hpp"

namespace refusal {

struct Refusal {
  std::string message;
  std::function<void(attn::Graph<double>&)> call;
};

// Leaves without a name.
attn::Tensor<double> zeros(attn::Graph<double>& graph, const attn::Shape& shape);
attn::Tensor<double> numbers(attn::Graph<double>& graph, const std::vector<double>& values);

// Each is refused with its message, and keeps nothing but its leaves.
void check(const std::vector<Refusal>& refusals);

}  // namespace refusal
