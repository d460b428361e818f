// Reads the golden fixtures.
#include "golden.hpp"

#include <fstream>
#include <limits>

namespace golden {

std::vector<Json> cases(const std::string& family) {
  std::ifstream file(std::string(PLAYGROUND_GOLDEN_DIR) + "/" + family + ".json");
  REQUIRE(file.good());
  std::vector<Json> cases = Json::parse(file)["cases"].get<std::vector<Json>>();
  REQUIRE_FALSE(cases.empty());
  return cases;
}

double number(const Json& json) {
  if (!json.is_string()) return json.get<double>();
  const std::string text = json.get<std::string>();
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  REQUIRE((text == "Infinity" || text == "-Infinity"));
  return text == "Infinity" ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
}

attn::Shape shape(const Json& tensor) { return tensor["shape"].get<attn::Shape>(); }

bool within(double got, double expected, double rtol, double atol) {
  if (std::isnan(expected)) return std::isnan(got);
  if (std::isinf(expected)) return got == expected;
  return std::abs(got - expected) <= atol + rtol * std::abs(expected);
}

}  // namespace golden
