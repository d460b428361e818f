// The data of a node from which a program is written, the same for both precisions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tensor/graph.hpp"

namespace attn {

// A function that formats a finite number as the shortest decimal that reads back as the same number.
using Decimal = std::string (*)(double value);

// The numbers of a node, one at a time; with `edits`, edited cells have their original numbers.
struct Cells {
  const Shape* shape = nullptr;
  const float* single_precision = nullptr;
  const double* double_precision = nullptr;  // used when single is null
  std::size_t count = 0;
  const std::vector<Edit<double>>* edits = nullptr;

  double operator[](std::size_t offset) const;
};

// A node, or the layer that replaces it.
struct ProgramNode {
  std::string name;
  std::string op;  // empty for a leaf
  std::vector<std::size_t> inputs;
  Attributes attributes;  // of the op, or the origin of a leaf
  Cells cells;
  std::vector<Edit<double>> edited;
  std::string layer;  // the kind of the layer whose output this node is, if it is written as a layer
  std::vector<std::pair<std::string, std::size_t>> parameters;  // of the layer, by their names in a state_dict
  bool is_needed = false;  // whether a requested node is this node or depends on it
};

}  // namespace attn
