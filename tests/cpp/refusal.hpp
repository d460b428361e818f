// Calls that must be refused, and their expected messages.
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

// Leaves without names.
attn::Tensor<double> zeros(attn::Graph<double>& graph, const attn::Shape& shape);
attn::Tensor<double> numbers(attn::Graph<double>& graph, const std::vector<double>& values);

// Checks that each is refused with its message, and adds nothing but its leaves.
void check(const std::vector<Refusal>& refusals);

}  // namespace refusal
