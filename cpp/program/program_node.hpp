// A node as a program is written from it: the same for both precisions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tensor/graph.hpp"

namespace attn {

// The shortest decimal that reads back as the same finite number: a formatter of the host, which has one already.
using Decimal = std::string (*)(double value);

// The numbers of a node, one at a time; those changed by hand as they were when `edits` is given.
struct Cells {
  const Shape* shape = nullptr;
  const float* single = nullptr;
  const double* twice = nullptr;  // where single is null
  std::size_t count = 0;
  const std::vector<Edit<double>>* edits = nullptr;

  double operator[](std::size_t place) const;
};

struct ProgramNode {
  std::string name;
  std::string op;  // empty for a leaf
  std::vector<std::size_t> inputs;
  Attributes attributes;  // of the op, or the origin of a leaf
  Cells cells;
  std::vector<Edit<double>> edited;
  std::string layer;  // the kind of the layer that gives this node, where it is written as one
  std::vector<std::pair<std::string, std::size_t>> parameters;  // of the layer, by their names in a state_dict
  bool needed = false;  // one of those asked for, or something that one of them is made from
};

}  // namespace attn
