// Writes a graph as a program in another language that does not use this project's code.
#pragma once

#include "program/language.hpp"
#include "program/program_node.hpp"

namespace attn {

// The language of a program and the nodes that it computes.
struct ProgramOptions {
  const Language& language;
  std::vector<std::size_t> nodes;  // the nodes to compute; empty: every computed node that no other reads
  Decimal decimal = nullptr;
};

// The text of a Python program that creates the leaves as they were created here (typed, drawn, looked up, edited by
// hand), computes `nodes` and their dependencies, one line per node, and compares the results with the numbers of the
// graph, which it contains. It prints the largest deviation, and exits with a code other than 0 when a number deviates
// by more than 1e-9 of itself and 1e-12 of the largest (1e-4 and 1e-5 for a graph of float32, which it computes in
// float64). Throws InputError for nodes that do not exist, for an empty graph and for one that is stale.
template <typename T>
std::string program(const Graph<T>& graph, const ProgramOptions& options);

}  // namespace attn
