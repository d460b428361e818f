// Explanations: how one cell was computed, as data. Every op returns them.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tensor/attributes.hpp"
#include "tensor/shape.hpp"

namespace attn {

// Values of Operand::input for a number that is not in an input of the op: kNoTensor for one that is stored in no
// tensor (a product, an exponential, a constant), kOutputGradient for one in the gradient of its output.
inline constexpr int kNoTensor = -1;
inline constexpr int kOutputGradient = -2;

// A number in a row of arithmetic. `input` is the position of its tensor among the op's inputs, or one of the two
// values above.
struct Operand {
  int input = kNoTensor;
  Index index;
  double value = 0;
  std::optional<double> root_of = std::nullopt;  // the number whose square root `value` is; absent for other numbers
};

// The terms of a long row that are not shown: how many there are and, where it is meaningful, their sum.
struct Rest {
  std::size_t count = 0;
  std::optional<double> value;
};

// The number of terms that a row shows in full, and how many of a longer row are shown before and after the rest.
inline constexpr std::size_t kTermsInFull = 6;
inline constexpr std::size_t kTermsBefore = 2;
inline constexpr std::size_t kTermsAfter = 1;

// How many numbers of a longer slice are shown when the largest are chosen.
inline constexpr std::size_t kLargestShown = 3;

// The number of terms that a row shows when all of them are requested.
inline constexpr std::size_t kTermsAtMost = 4096;

// One row, read from left to right. `role` is a permanent id ("row", "column", "products") that the page translates.
struct Row {
  std::string role;
  std::vector<Operand> operands;
  std::optional<Rest> rest;  // precedes the last operand; follows it when the operands are the largest of a slice
  std::optional<double> value;

  // For a sum: the number of its terms times the sum of their absolute values. Multiplied by the epsilon of the
  // precision, it bounds the rounding error of `value`. 0 where `value` is not a sum.
  double rounding_units = 0;

  // Whether `value` is not 0 but may be 0 in exact arithmetic: it is no larger than the bound on its rounding error.
  bool zero_within_rounding = false;

  // Settings for shorten().
  bool summed = false;              // whether a partial sum of the terms is meaningful
  std::vector<std::size_t> chosen;  // places of the operands that a shortened row shows; empty: the first and the last

  // The following functions add to the row and return it.
  Row& term(Operand operand);
  Row& term(double number);
  Row& gives(double result);

  // Sets zero_within_rounding for a precision with this epsilon.
  void compare_with_rounding(double epsilon);

  // Moves terms to the rest until at most kTermsInFull are left, or kTermsAtMost with `full`.
  void shorten(bool full);
};

// Collects the terms of a row. It stores at most kTermsAtMost of them: the first ones and the last, or the `chosen`
// ones and the first of the others. It counts the other terms and, where that is meaningful, adds them up.
class TermList {
 public:
  TermList() = default;
  explicit TermList(std::vector<std::size_t> chosen) : chosen_(std::move(chosen)) {}  // ascending positions

  void add(int input, const Index& index, double value);
  void add(const Operand& operand) { add(operand.input, operand.index, operand.value); }
  void add(double number) { add(kNoTensor, {}, number); }
  void move_into(Row& row, bool terms_are_summed);

  const std::vector<Operand>& stored() const { return operands_; }

 private:
  std::vector<Operand> operands_;
  std::vector<std::size_t> chosen_;         // positions among all terms
  std::vector<std::size_t> chosen_stored_;  // positions in operands_ of the chosen terms added so far
  std::size_t count_ = 0;
  Rest rest_;
  double sum_of_rest_ = 0;
  double sum_of_sizes_ = 0;
};

// A block of cells of one input (or of kOutputGradient), given by its two corners, both inclusive.
struct Region {
  int input = 0;
  Index from;
  Index to;
};

// The rows in order; the last one ends in the value of the cell. `sources` are all cells it was computed from.
// `attributes` are the settings of the op, or the origin of a leaf. `slips` are numbers that one gets by leaving out a
// step that the rows do not show apart, by the name of what was left out.
struct Explanation {
  std::vector<Row> rows;
  std::vector<Region> sources;
  Attributes attributes;
  std::map<std::string, double> slips;

  // Adds a row; the reference is valid until the next call.
  Row& row(const char* role);

  void source(int input, const Index& cell);
  void source(int input, Index from, Index to);

  // These call the function of the same name of every row.
  void compare_with_rounding(double epsilon);
  void shorten(bool full);
};

// Whether cell `index` of inputs[input] is among the sources.
bool is_source(const Explanation& explanation, std::size_t input, const Index& index);

}  // namespace attn
