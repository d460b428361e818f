// Every operation and layer by its name: what JavaScript calls with a record of nodes and settings.
#pragma once

#include <emscripten/val.h>

#include <string>

#include "tensor/graph.hpp"

namespace attn {

// Applies `operation` in `graph` and gives back its nodes by role: { output: 7 }, { scores: 4, weights: 5, output: 6 }.
// Nodes stand in `given` as their numbers. A refused call keeps nothing.
// Throws InputError, also for an operation that does not exist, and MemoryError.
template <typename T>
emscripten::val apply_operation(Graph<T>& graph, const std::string& operation, const emscripten::val& given,
                                const std::string& name);

}  // namespace attn
