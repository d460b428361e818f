// Ids for models in tests, and the comparison of what models give.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <catch_amalgamated.hpp>

#include "tensor/graph.hpp"

inline attn::Tensor<double> ids_leaf(attn::Graph<double>& graph, const attn::Shape& shape,
                                     const std::vector<double>& ids) {
  attn::Array<double> array = attn::full<double>(shape, 0);
  std::copy(ids.begin(), ids.end(), array.begin());
  return graph.leaf("", array);
}

inline double largest_difference(const attn::Array<double>& a, const attn::Array<double>& b) {
  REQUIRE(attn::shape_of(a) == attn::shape_of(b));
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a.data()[i] - b.data()[i]));
  return largest;
}
