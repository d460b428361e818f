// Computes the value of a cell from the rows that explain it, by their roles.
#include "recombine.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numbers>

#include <catch_amalgamated.hpp>

namespace op_cases {
namespace {

using attn::Explanation;
using attn::Index;
using attn::Operand;
using attn::Row;

const Row& row(const Explanation& explanation, const std::string& role) {
  for (const Row& candidate : explanation.rows)
    if (candidate.role == role) return candidate;
  FAIL("no row " << role);
  return explanation.rows.front();
}

bool has_row(const Explanation& explanation, const std::string& role) {
  for (const Row& candidate : explanation.rows)
    if (candidate.role == role) return true;
  return false;
}

double value(const Explanation& explanation, const std::string& role) { return row(explanation, role).value.value(); }

// The shown terms plus the sum of the others.
double total(const Row& terms) {
  double sum = terms.rest ? terms.rest->value.value() : 0;
  for (const Operand& operand : terms.operands) sum += operand.value;
  return sum;
}

// The operand of a softmax row in the column of the cell.
double own(const Row& terms, const Index& index) {
  for (const Operand& operand : terms.operands)
    if (operand.index == index) return operand.value;
  FAIL("the cell's own column is not shown");
  return 0;
}

// exp and its sum, computed from the shown numbers.
void check_softmax_rows(const Explanation& explanation) {
  const Row& x = row(explanation, "value");
  const Row& differences = row(explanation, "minus_max");
  const Row& exponentials = row(explanation, "exp");
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < x.operands.size(); ++i) {
    largest = std::max(largest, x.operands[i].value);
    CHECK(differences.operands[i].value == Catch::Approx(x.operands[i].value - differences.value.value()).margin(1e-6));
    CHECK(exponentials.operands[i].value == Catch::Approx(std::exp(differences.operands[i].value)).epsilon(1e-6));
  }
  CHECK(largest == differences.value.value());
  CHECK(exponentials.value.value() == Catch::Approx(total(exponentials)).epsilon(1e-6));
}

// One loss, or the reduction of many.
double reduced(const Explanation& explanation) {
  return total(row(explanation, "losses")) / (has_row(explanation, "divisor") ? value(explanation, "divisor") : 1);
}

double cross_entropy(const Explanation& explanation) {
  if (has_row(explanation, "losses")) return reduced(explanation);
  if (has_row(explanation, "ignored")) return 0;
  check_softmax_rows(explanation);
  const Row& minus_log_p = row(explanation, "minus_log_p");
  const Row& counts = row(explanation, "counts");
  const Row& products = row(explanation, "products");
  for (std::size_t i = 0; i < minus_log_p.operands.size(); ++i) {
    CHECK(minus_log_p.operands[i].value ==
          Catch::Approx(value(explanation, "log_sum") - row(explanation, "minus_max").operands[i].value).margin(1e-5));
    CHECK(products.operands[i].value ==
          Catch::Approx(counts.operands[i].value * minus_log_p.operands[i].value).margin(1e-6));
  }
  return total(products);
}

double layer_norm(const Explanation& explanation) {
  const auto quotient = [&](const char* role) {
    const Row& terms = row(explanation, role);
    return terms.operands[0].value / terms.operands[1].value;
  };
  CHECK(total(row(explanation, "value")) == Catch::Approx(value(explanation, "value")).margin(1e-9));
  CHECK(quotient("mean") == Catch::Approx(value(explanation, "mean")).margin(1e-9));
  CHECK(total(row(explanation, "squares")) == Catch::Approx(value(explanation, "squares")));
  CHECK(quotient("variance") == Catch::Approx(value(explanation, "variance")));
  const Row& deviation = row(explanation, "deviation");
  CHECK(std::sqrt(deviation.operands[0].value + deviation.operands[1].value) == Catch::Approx(*deviation.value));
  const double x = row(explanation, "centred").operands[0].value;
  CHECK(value(explanation, "normalised") ==
        Catch::Approx((x - value(explanation, "mean")) / *deviation.value).epsilon(1e-6).margin(1e-9));
  return value(explanation, "normalised") * (has_row(explanation, "weight") ? value(explanation, "weight") : 1) +
         (has_row(explanation, "bias") ? value(explanation, "bias") : 0);
}

double gelu(const Explanation& explanation) {
  const double x = value(explanation, "value");
  const bool tanh = std::get<std::string>(explanation.attributes.at("variant")) == "tanh";
  const double inner = std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x);
  CHECK(value(explanation, "gate") ==
        Catch::Approx((1 + (tanh ? std::tanh(inner) : std::erf(x / std::sqrt(2.0)))) / 2).epsilon(1e-6));
  return x * value(explanation, "gate");
}

double histogram(const Explanation& explanation) {
  const Row& counted = row(explanation, "counted");
  for (const Operand& operand : counted.operands)
    CHECK((operand.value >= value(explanation, "from") && operand.value <= value(explanation, "to")));
  return static_cast<double>(counted.operands.size() + (counted.rest ? counted.rest->count : 0));
}

using Arithmetic = std::map<std::string, std::function<double(const Explanation&)>>;

const Arithmetic& arithmetic() {
  static const auto of_value = [](double (*function)(double)) {
    return [function](const Explanation& explanation) { return function(value(explanation, "value")); };
  };
  static const Arithmetic table = {
      {"subtract", [](const auto& rows) { return value(rows, "minuend") - value(rows, "subtrahend"); }},
      {"multiply", [](const auto& rows) { return rows.rows[0].value.value() * rows.rows[1].value.value(); }},
      {"divide", [](const auto& rows) { return value(rows, "dividend") / value(rows, "divisor"); }},
      {"minimum", [](const auto& rows) { return std::min(rows.rows[0].value.value(), rows.rows[1].value.value()); }},
      {"maximum", [](const auto& rows) { return std::max(rows.rows[0].value.value(), rows.rows[1].value.value()); }},
      {"exp", of_value(std::exp)},
      {"log", of_value(std::log)},
      {"sqrt", of_value(std::sqrt)},
      {"tanh", of_value(std::tanh)},
      {"log_sigmoid", of_value([](double x) { return -std::log(1 + std::exp(-x)); })},
      {"relu", of_value([](double x) { return std::max(x, 0.0); })},
      {"gelu", gelu},
      {"sum", [](const auto& rows) { return total(row(rows, "terms")); }},
      {"mean", [](const auto& rows) { return total(row(rows, "terms")) / value(rows, "count"); }},
      {"layer_norm", layer_norm},
      {"dropout",
       [](const auto& rows) {
         const Row& keep = row(rows, "keep");
         CHECK(*keep.value == (keep.operands[0].value > keep.operands[1].value ? 1 : 0));
         return *keep.value * value(rows, "value") / value(rows, "divisor");
       }},
      {"one_hot", [](const auto& rows) { return value(rows, "id") == value(rows, "class") ? 1 : 0; }},
      {"cross_entropy", cross_entropy},
      {"kl_divergence",
       [](const auto& rows) {
         if (has_row(rows, "losses")) return reduced(rows);
         CHECK(std::exp(value(rows, "log_target")) == Catch::Approx(value(rows, "target")).epsilon(1e-6));
         CHECK(value(rows, "difference") ==
               Catch::Approx(value(rows, "log_target") - value(rows, "input")).margin(1e-6));
         return value(rows, "target") * value(rows, "difference");
       }},
      {"mse_loss",
       [](const auto& rows) {
         if (has_row(rows, "losses")) return reduced(rows);
         CHECK(value(rows, "difference") == Catch::Approx(value(rows, "input") - value(rows, "target")).margin(1e-6));
         return value(rows, "difference") * value(rows, "difference");
       }},
      {"cosine_similarity",
       [](const auto& rows) {
         return has_row(rows, "zero") ? 0 : total(row(rows, "products")) / value(rows, "lengths");
       }},
      {"entropy", [](const auto& rows) { return total(row(rows, "products")); }},
      {"histogram", histogram},
  };
  return table;
}

}  // namespace

double recombine(const std::string& op, const Index& index, const Explanation& explanation) {
  if (op == "matmul" || op == "attention" || op == "rotary") return total(row(explanation, "products"));
  if (op == "linear" || op == "conv1d")
    return total(row(explanation, "products")) + (has_row(explanation, "bias") ? value(explanation, "bias") : 0);
  if (op == "add") return explanation.rows[0].value.value() + explanation.rows[1].value.value();
  if (op == "scale")
    return has_row(explanation, "factor") ? value(explanation, "value") * value(explanation, "factor")
                                          : value(explanation, "value") / value(explanation, "divisor");
  if (op == "mask")
    return value(explanation, "mask") != 0 ? value(explanation, "value")
                                           : std::get<double>(explanation.attributes.at("fill"));
  if (op == "softmax") {
    check_softmax_rows(explanation);
    CHECK(total(row(explanation, "quotient")) == Catch::Approx(1).epsilon(1e-6));
    CHECK(own(row(explanation, "quotient"), index) == value(explanation, "quotient"));
    return own(row(explanation, "exp"), index) / value(explanation, "exp");
  }
  if (op == "log_softmax") {
    check_softmax_rows(explanation);
    CHECK(value(explanation, "log_sum") == Catch::Approx(std::log(value(explanation, "exp"))).margin(1e-6));
    return own(row(explanation, "minus_max"), index) - value(explanation, "log_sum");
  }
  if (op == "embedding")
    return value(explanation, "from") * (has_row(explanation, "factor") ? value(explanation, "factor") : 1);
  if (op == "sinusoidal") {
    const Row& wavelength = row(explanation, "wavelength");
    CHECK(wavelength.value.value() ==
          Catch::Approx(
              std::pow(wavelength.operands[0].value, wavelength.operands[1].value / wavelength.operands[2].value)));
    const double angle = value(explanation, "position") / wavelength.value.value();
    CHECK(value(explanation, "angle") == angle);
    return has_row(explanation, "sin") ? std::sin(angle) : std::cos(angle);
  }
  if (op == "alibi_slopes") return std::exp2(value(explanation, "exponent"));
  if (op == "alibi")
    return has_row(explanation, "slope") ? -value(explanation, "slope") * value(explanation, "distance")
                                         : -std::numeric_limits<double>::infinity();
  if (op == "absolute_index") return value(explanation, "position");
  if (op == "shift_matrix") {
    if (has_row(explanation, "cos")) return value(explanation, "cos");
    if (has_row(explanation, "sin"))
      return index[0] < index[1] ? value(explanation, "sin") : -value(explanation, "sin");
    return 0;
  }
  const auto found = arithmetic().find(op);
  if (found != arithmetic().end()) return found->second(explanation);
  // The remaining operations only copy cells: their rows contain the index in the input.
  if (!has_row(explanation, "index"))
    FAIL("operation " << op << ": say by describe(.recombine) in its cases how its rows make the cell");
  const std::vector<Operand>& numbers = row(explanation, "index").operands;
  if (op == "split_heads" || op == "merge_heads")
    CHECK(numbers[0].value == numbers[1].value * numbers[2].value + numbers[3].value);
  if (op == "concat" || op == "slice") CHECK(numbers[0].value == numbers[1].value + numbers[2].value);
  return value(explanation, "from");
}

}  // namespace op_cases
