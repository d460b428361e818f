// Every operation and layer by name. JavaScript calls them with a record of nodes and settings.
#pragma once

#include <emscripten/val.h>

#include <string>

#include "tensor/graph.hpp"

namespace attn {

// Applies `operation` in `graph` and returns its nodes by role: { output: 7 }, { scores: 4, weights: 5, output: 6 }.
// `arguments` contains nodes as their ids. A refused call adds no nodes. Throws InputError, also for an operation that
// does not exist, and MemoryError.
template <typename T>
emscripten::val apply_operation(Graph<T>& graph, const std::string& operation, const emscripten::val& arguments,
                                const std::string& name);

}  // namespace attn
