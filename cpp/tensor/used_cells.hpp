// The cells of an op's output that are computed from a given cell of an input.
#pragma once

#include <vector>

#include "tensor/contributions.hpp"
#include "tensor/shape.hpp"

namespace attn {

// A block of cells of one tensor, by its two corners, both inclusive.
struct Block {
  Index from;
  Index to;
};

// A set of cells of a tensor of `shape`, which must outlive this object.
class UsedCells final : public Contributions {
 public:
  explicit UsedCells(const Shape& shape) : shape_(shape) {}

  using Contributions::add;
  void add(const Index& cell, const Operand& local) override;
  void add(std::size_t offset) { offsets_.push_back(offset); }

  // Every cell once, in row-major order: one block where they fill it, else one block for each run along the last
  // axis.
  std::vector<Block> blocks();

 private:
  const Shape& shape_;
  std::vector<std::size_t> offsets_;
};

}  // namespace attn
