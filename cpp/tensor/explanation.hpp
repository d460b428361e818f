// How one cell was made, as data: what every op answers when asked to explain.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tensor/attributes.hpp"
#include "tensor/shape.hpp"

namespace attn {

// Places of numbers that are no input of the op: in no tensor at all (a product, an exponential, a constant), or in the
// gradient of its output.
inline constexpr int kNowhere = -1;
inline constexpr int kOutputGradient = -2;

// A number in a row of arithmetic. `input` is the place of the tensor it stands in among the op's inputs, or one of the
// two above.
struct Operand {
  int input = kNowhere;
  Index index;
  double value = 0;
  std::optional<double> root_of = std::nullopt;  // the number whose square root `value` is, where it is meant as one
};

// The terms of a long row that are not shown: how many, and what they add up to where adding them means something.
struct Rest {
  std::size_t count = 0;
  std::optional<double> value;
};

// How many terms a row shows in full, and how many of a longer one stand before and after the rest.
inline constexpr std::size_t kTermsInFull = 6;
inline constexpr std::size_t kTermsBefore = 2;
inline constexpr std::size_t kTermsAfter = 1;

// How many of a longer slice are shown when they are shown by size.
inline constexpr std::size_t kLargestShown = 3;

// How many terms a row shows when all of them are asked for.
inline constexpr std::size_t kTermsAtMost = 4096;

// One row, read from left to right. `role` is a permanent id ("row", "column", "products"), worded by the page.
struct Row {
  std::string role;
  std::vector<Operand> operands;
  std::optional<Rest> rest;  // stands before the last operand; after it when the operands are the largest of a slice
  std::optional<double> value;

  // Of a sum: the number of its terms times the sum of their sizes. Times the epsilon of the precision it bounds what rounding
  // adds to `value`. 0 where `value` is no sum.
  double rounding_units = 0;

  // Whether `value` is not 0 and may well be: no larger than what rounding can leave where the exact sum is 0.
  bool zero_within_rounding = false;

  // What shorten() goes by.
  bool summed = false;              // whether the partial sum of some terms means something
  std::vector<std::size_t> chosen;  // places of the operands that a shortened row shows; empty: the first and the last

  // These add to the row and return it.
  Row& term(Operand operand);
  Row& term(double number);
  Row& gives(double result);

  // Sets zero_within_rounding for a precision.
  void compare_with_rounding(double epsilon);

  // Moves terms to the rest, until at most kTermsInFull are left or, of a row to be shown `full`, kTermsAtMost.
  void shorten(bool full);
};

// The terms of a row, added one after another. However many they are, kTermsAtMost are kept: the first and the last, or the
// `chosen` ones and the first of the others. What is not kept is counted, and added up where that means something.
class TermList {
 public:
  TermList() = default;
  explicit TermList(std::vector<std::size_t> chosen) : chosen_(std::move(chosen)) {}  // rising places

  void add(int input, const Index& index, double value);
  void add(const Operand& operand) { add(operand.input, operand.index, operand.value); }
  void add(double number) { add(kNowhere, {}, number); }
  void give_to(Row& row, bool terms_are_summed);

  const std::vector<Operand>& kept() const { return operands_; }

 private:
  std::vector<Operand> operands_;
  std::vector<std::size_t> chosen_;          // places among all terms
  std::vector<std::size_t> chosen_in_kept_;  // of those that came, the places in operands_
  std::size_t count_ = 0;
  Rest rest_;
  double sum_of_rest_ = 0;
  double sum_of_sizes_ = 0;
};

// A block of cells of one input (or of kOutputGradient), by its two corners, both inclusive.
struct Region {
  int input = 0;
  Index from;
  Index to;
};

// Rows in order, the last one ending in the value of the cell. `sources` are all the cells it was made from.
// `attributes` are the settings of the op, or the origin of a leaf.
struct Explanation {
  std::vector<Row> rows;
  std::vector<Region> sources;
  Attributes attributes;

  // A new row; the reference is good until the next one.
  Row& row(const char* role);

  void source(int input, const Index& cell);
  void source(int input, Index from, Index to);

  // Of every row; see Row.
  void compare_with_rounding(double epsilon);
  void shorten(bool full);
};

// Whether cell `index` of inputs[input] is among the sources.
bool is_source(const Explanation& explanation, std::size_t input, const Index& index);

}  // namespace attn
