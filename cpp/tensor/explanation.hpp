// How one cell was made, as data: what every op answers when asked to explain.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tensor/shape.hpp"

namespace attn {

// A number in a row of arithmetic. `input` is the place of the tensor it stands in among the op's inputs,
// or -1 for a number that stands in no tensor (a product, an exponential, a constant).
struct Operand {
  int input = -1;
  Index index;
  double value = 0;
  std::optional<double> root_of = std::nullopt;  // the number whose square root `value` is, where it is meant as one
};

// The terms of a long row that are not shown: how many, and what they add up to where adding them means something.
struct Rest {
  std::size_t count = 0;
  std::optional<double> value;
};

// One row, read from left to right. `role` is a permanent id ("row", "column", "products"), worded by the page.
struct Row {
  std::string role;
  std::vector<Operand> operands;
  std::optional<Rest> rest;  // stands before the last operand; after it when the operands are the largest of a slice
  std::optional<double> value;

  // These add to the row and return it.
  Row& term(Operand operand);
  Row& term(double number);
  Row& gives(double result);

  // All of `terms`, shortened when there are many; `summed` when their partial sum means something.
  Row& terms(std::vector<Operand> terms, bool summed);
};

// A block of cells of one input, by its two corners, both inclusive.
struct Region {
  int input = 0;
  Index from;
  Index to;
};

// Rows in order, the last one ending in the value of the cell. `sources` are all the cells it was made from.
struct Explanation {
  std::vector<Row> rows;
  std::vector<Region> sources;

  // A new row; the reference is good until the next one.
  Row& row(const char* role);

  void source(int input, const Index& cell);
  void source(int input, Index from, Index to);
};

// How many terms a row shows in full, and how many of a longer one stand before and after the rest.
inline constexpr std::size_t kTermsInFull = 6;
inline constexpr std::size_t kTermsBefore = 2;
inline constexpr std::size_t kTermsAfter = 1;

// How many of a longer slice are shown when they are shown by size.
inline constexpr std::size_t kLargestShown = 3;

}  // namespace attn
