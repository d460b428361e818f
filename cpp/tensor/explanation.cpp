// How one cell was made, as data.
#include "tensor/explanation.hpp"

#include <utility>

namespace attn {

Row& Row::term(Operand operand) {
  operands.push_back(std::move(operand));
  return *this;
}

Row& Row::term(double number) { return term(Operand{-1, {}, number}); }

Row& Row::gives(double result) {
  value = result;
  return *this;
}

Row& Row::terms(std::vector<Operand> terms, bool summed) {
  operands = std::move(terms);
  if (operands.size() <= kTermsInFull) return *this;
  const auto first = operands.begin() + kTermsBefore;
  const auto last = operands.end() - kTermsAfter;
  rest = Rest{static_cast<std::size_t>(last - first), std::nullopt};
  if (summed) {
    double sum = 0;
    for (auto term = first; term != last; ++term) sum += term->value;
    rest->value = sum;
  }
  operands.erase(first, last);
  return *this;
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

}  // namespace attn
