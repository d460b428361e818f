// How one cell was made, as data.
#include "tensor/explanation.hpp"

#include <utility>

namespace attn {

Row& Row::term(Operand operand) {
  operands.push_back(std::move(operand));
  return *this;
}

Row& Row::term(double number) { return term(Operand{kNowhere, {}, number}); }

Row& Row::gives(double result) {
  value = result;
  return *this;
}

Row& Row::terms(std::vector<Operand> terms, bool terms_are_summed) {
  operands = std::move(terms);
  summed = terms_are_summed;
  return *this;
}

void Row::shorten(bool full) {
  const std::size_t most = full ? kTermsAtMost : kTermsInFull;
  const std::size_t count = operands.size();
  if (count <= most) return;
  std::vector<bool> shown(count, false);
  std::size_t left = full ? most : chosen.empty() ? kTermsBefore + kTermsAfter : 0;
  for (std::size_t place : chosen) shown[place] = true;
  if (chosen.empty()) shown[count - 1] = true;
  for (bool already : shown) left -= already && left > 0;
  for (std::size_t i = 0; i < count && left > 0; ++i) {
    if (shown[i]) continue;
    shown[i] = true;
    --left;
  }
  if (!rest) rest.emplace();
  std::vector<Operand> kept;
  double sum = rest->value.value_or(0);
  for (std::size_t i = 0; i < count; ++i) {
    if (shown[i]) {
      kept.push_back(std::move(operands[i]));
    } else {
      ++rest->count;
      sum += operands[i].value;
    }
  }
  operands = std::move(kept);
  if (summed) rest->value = sum;
}

void TermList::add(Operand operand) {
  if (operands_.size() < kTermsAtMost) {
    operands_.push_back(std::move(operand));
    return;
  }
  ++rest_.count;
  sum_of_rest_ += operands_.back().value;
  operands_.back() = std::move(operand);
}

void TermList::give_to(Row& row, bool terms_are_summed) {
  row.terms(std::move(operands_), terms_are_summed);
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

void Explanation::shorten(bool full) {
  for (Row& row : rows) row.shorten(full);
}

}  // namespace attn
