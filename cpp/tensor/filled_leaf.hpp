// A leaf that the core fills itself, with its memory checked before it is allocated.
#pragma once

#include <string>
#include <utility>

#include "tensor/graph.hpp"

namespace attn {

// A leaf of `shape` with `value` in every cell and the origin "literal". Throws MemoryError naming `operation` unless
// it fits; otherwise throws as Graph::leaf does.
template <typename T>
Tensor<T> filled_leaf(Graph<T>& graph, const Shape& shape, T value, std::string_view operation, std::string name = {},
                      const Content& content = {}) {
  graph.check_memory(cell_count(shape) * sizeof(T), operation);
  return graph.leaf(std::move(name), full<T>(shape, value), {{"kind", "literal"}}, content);
}

}  // namespace attn
