// The cells of an op's output that are computed from a given cell of an input.
#include "tensor/used_cells.hpp"

#include <algorithm>
#include <utility>

namespace attn {
namespace {

// The bounding block of `cells`, of which there is at least one.
Block around(const std::vector<Index>& cells) {
  Block block{cells.front(), cells.front()};
  for (const Index& cell : cells) {
    for (std::size_t axis = 0; axis < cell.size(); ++axis) {
      block.from[axis] = std::min(block.from[axis], cell[axis]);
      block.to[axis] = std::max(block.to[axis], cell[axis]);
    }
  }
  return block;
}

std::size_t volume(const Block& block) {
  std::size_t cells = 1;
  for (std::size_t axis = 0; axis < block.from.size(); ++axis) cells *= block.to[axis] - block.from[axis] + 1;
  return cells;
}

// Whether `cell` directly follows the last cell of a run along the last axis.
bool continues(const Block& run, const Index& cell) {
  if (cell.empty() || cell.back() != run.to.back() + 1) return false;
  return std::equal(cell.begin(), cell.end() - 1, run.to.begin());
}

}  // namespace

void UsedCells::add(const Index& cell, const Operand&) { add(offset_of(shape_, cell)); }

std::vector<Block> UsedCells::blocks() {
  std::sort(offsets_.begin(), offsets_.end());
  offsets_.erase(std::unique(offsets_.begin(), offsets_.end()), offsets_.end());
  if (offsets_.empty()) return {};
  std::vector<Index> cells;
  for (const std::size_t offset : offsets_) cells.push_back(index_at(shape_, offset));
  const Block whole = around(cells);
  if (volume(whole) == cells.size()) return {whole};
  std::vector<Block> runs;
  for (const Index& cell : cells) {
    if (!runs.empty() && continues(runs.back(), cell)) {
      runs.back().to = cell;
    } else {
      runs.push_back({cell, cell});
    }
  }
  return runs;
}

}  // namespace attn
