// A leaf that is made inside the core: its memory is asked for before it is taken.
#pragma once

#include <string>
#include <utility>

#include "tensor/graph.hpp"

namespace attn {

// A literal of `shape`, every cell `value`. Throws MemoryError naming `operation` unless it fits; else as Graph::leaf does.
template <typename T>
Tensor<T> filled_leaf(Graph<T>& graph, const Shape& shape, T value, std::string_view operation, std::string name = {},
                      const Content& content = {}) {
  graph.check_memory(cell_count(shape) * sizeof(T), operation);
  return graph.leaf(std::move(name), full<T>(shape, value), {{"kind", "literal"}}, content);
}

}  // namespace attn
