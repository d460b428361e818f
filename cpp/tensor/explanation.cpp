// Explanations: how one cell was computed, as data.
#include "tensor/explanation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn {

Row& Row::term(Operand operand) {
  operands.push_back(std::move(operand));
  return *this;
}

Row& Row::term(double number) { return term(Operand{kNoTensor, {}, number}); }

Row& Row::gives(double result) {
  value = result;
  return *this;
}

void Row::compare_with_rounding(double epsilon) {
  const double bound = rounding_units * epsilon;
  zero_within_rounding = value && *value != 0 && std::isfinite(bound) && std::abs(*value) <= bound;
}

void Row::shorten(bool full) {
  const std::size_t most = full ? kTermsAtMost : kTermsInFull;
  const std::size_t count = operands.size();
  if (count <= most) return;
  std::vector<bool> shown(count, false);
  std::size_t remaining = full ? most : chosen.empty() ? kTermsBefore + kTermsAfter : 0;
  for (std::size_t chosen_position : chosen) shown[chosen_position] = true;
  if (chosen.empty()) shown[count - 1] = true;
  for (bool is_shown : shown) remaining -= is_shown && remaining > 0;
  for (std::size_t i = 0; i < count && remaining > 0; ++i) {
    if (shown[i]) continue;
    shown[i] = true;
    --remaining;
  }
  if (!rest) rest.emplace();
  std::vector<Operand> stored;
  double sum = rest->value.value_or(0);
  for (std::size_t i = 0; i < count; ++i) {
    if (shown[i]) {
      stored.push_back(std::move(operands[i]));
    } else {
      ++rest->count;
      sum += operands[i].value;
    }
  }
  operands = std::move(stored);
  if (summed) rest->value = sum;
}

void TermList::add(int input, const Index& index, double value) {
  const std::size_t still_to_come = chosen_.size() - chosen_stored_.size();
  const bool is_chosen = still_to_come > 0 && chosen_[chosen_stored_.size()] == count_;
  ++count_;
  sum_of_sizes_ += std::abs(value);
  if (is_chosen) chosen_stored_.push_back(operands_.size());
  if (is_chosen || operands_.size() + still_to_come < kTermsAtMost) {
    operands_.push_back({input, index, value});
    return;
  }
  ++rest_.count;
  if (!chosen_.empty()) {
    sum_of_rest_ += value;
    return;
  }
  Operand& last = operands_.back();
  sum_of_rest_ += last.value;
  last.input = input;
  last.index = index;  // assigned, so that its memory is reused
  last.value = value;
}

void TermList::move_into(Row& row, bool terms_are_summed) {
  row.operands = std::move(operands_);
  row.summed = terms_are_summed;
  if (terms_are_summed) row.rounding_units = static_cast<double>(count_) * sum_of_sizes_;
  row.chosen = std::move(chosen_stored_);
  if (rest_.count == 0) return;
  if (terms_are_summed) rest_.value = sum_of_rest_;
  row.rest = rest_;
}

Row& Explanation::row(const char* role) {
  rows.emplace_back();
  rows.back().role = role;
  return rows.back();
}

void Explanation::source(int input, const Index& cell) { source(input, cell, cell); }

void Explanation::source(int input, Index from, Index to) {
  sources.push_back({input, std::move(from), std::move(to)});
}

void Explanation::compare_with_rounding(double epsilon) {
  for (Row& row : rows) row.compare_with_rounding(epsilon);
}

void Explanation::shorten(bool full) {
  for (Row& row : rows) row.shorten(full);
}

bool is_source(const Explanation& explanation, std::size_t input, const Index& index) {
  return std::any_of(explanation.sources.begin(), explanation.sources.end(), [&](const Region& region) {
    if (region.input != static_cast<int>(input)) return false;
    for (std::size_t axis = 0; axis < index.size(); ++axis)
      if (index[axis] < region.from[axis] || index[axis] > region.to[axis]) return false;
    return true;
  });
}

}  // namespace attn
