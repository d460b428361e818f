// How one cell was made, as data.
#include "tensor/explanation.hpp"

#include <utility>

namespace attn {

Operand constant(double value) { return {-1, {}, value}; }

Row shortened(std::string role, std::vector<Operand> terms, bool summed) {
  Row row{std::move(role), std::move(terms), std::nullopt, std::nullopt};
  if (row.operands.size() <= kTermsInFull) return row;
  const auto first = row.operands.begin() + kTermsBefore;
  const auto last = row.operands.end() - kTermsAfter;
  Rest rest{static_cast<std::size_t>(last - first), std::nullopt};
  if (summed) {
    double sum = 0;
    for (auto term = first; term != last; ++term) sum += term->value;
    rest.value = sum;
  }
  row.operands.erase(first, last);
  row.rest = rest;
  return row;
}

Region cell(int input, const Index& index) { return {input, index, index}; }

}  // namespace attn
