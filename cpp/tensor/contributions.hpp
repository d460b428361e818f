// The effect of one cell of an input on the output of an op: which cells depend on it, and with what derivative.
#pragma once

#include "tensor/explanation.hpp"

namespace attn {

// Receives the cells of an op's output that depend on a given cell of an input.
class Contributions {
 public:
  virtual ~Contributions() = default;

  // Adds d(output[cell]) / d(the given cell), which is a cell of an input or a number that is stored in no tensor.
  virtual void add(const Index& cell, const Operand& local) = 0;
  void add(const Index& cell, double local) { add(cell, Operand{kNoTensor, {}, local}); }
};

}  // namespace attn
