// A graph as a program in another language: from the graph alone, with no library of ours.
#pragma once

#include "program/language.hpp"
#include "program/program_node.hpp"

namespace attn {

struct ProgramOptions {
  const Language& language;
  std::vector<std::size_t> nodes;  // what it computes; empty: every node that no other reads, leaves aside
  Decimal decimal = nullptr;
};

// The text of a Python program that makes the leaves as they were made here (typed, drawn, looked up, changed by hand),
// computes `nodes` and what they depend on, one line per node, compares them with our numbers, which it holds, prints
// the largest deviation, and ends with an exit code other than 0 when a number deviates by more than 1e-9 of itself and
// 1e-12 of the largest (1e-4 and 1e-5 for a graph of float32, which it computes in float64).
// Throws InputError for nodes that are not there, for a graph without any and for one that is stale.
template <typename T>
std::string program(const Graph<T>& graph, const ProgramOptions& options);

}  // namespace attn
