// What an op tells of one cell of an input: the cells of the output that follow it, and how.
#pragma once

#include "tensor/explanation.hpp"

namespace attn {

// Receives the cells of an op's output that follow one cell of an input.
class Contributions {
 public:
  virtual ~Contributions() = default;

  // d(output[cell]) / d(the cell asked for): a cell of an input, or a number that stands in no tensor.
  virtual void add(const Index& cell, const Operand& local) = 0;
  void add(const Index& cell, double local) { add(cell, Operand{kNowhere, {}, local}); }
};

}  // namespace attn
