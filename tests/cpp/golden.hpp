// The golden fixtures of tests/golden: cases, tensors, tolerances.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>
#include <vector>

#include <catch_amalgamated.hpp>

#include "tensor/graph.hpp"

namespace golden {

using Json = nlohmann::json;

// The cases of one family file.
std::vector<Json> cases(const std::string& family);

// A number as JSON writes it, or one of "NaN", "Infinity", "-Infinity".
double number(const Json& json);

attn::Shape shape(const Json& tensor);

template <typename T>
attn::Array<T> array(const Json& tensor) {
  attn::Array<T> array = attn::full<T>(shape(tensor), T(0));
  for (std::size_t i = 0; i < array.size(); ++i) array.data()[i] = static_cast<T>(number(tensor["data"][i]));
  return array;
}

// |got - expected| <= atol + rtol |expected|; NaN matches only NaN, an infinity only itself.
bool within(double got, double expected, double rtol, double atol);

// Checks `got` against expected[key] with the tolerance of its precision; does nothing where the file has no float32
// tolerance.
template <typename T>
void check(const Json& test, const std::string& key, const attn::Array<T>& got) {
  INFO(test["name"].get<std::string>() << " " << key);
  const Json& expected = test["expected"][key];
  const Json& tolerance = test["tolerance"][key];
  const bool exact = tolerance.contains("exact");
  const Json& bound = exact ? tolerance : tolerance[std::is_same_v<T, double> ? "f64" : "f32"];
  if (bound.is_null()) return;
  REQUIRE(attn::shape_of(got) == shape(expected));
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double expected_number = number(expected["data"][i]);
    const double have = got.data()[i];
    INFO("cell " << i << ": got " << have << ", expected " << expected_number);
    if (exact) {
      REQUIRE(have == expected_number);
    } else {
      REQUIRE(within(have, expected_number, bound["rtol"].get<double>(), bound["atol"].get<double>()));
    }
  }
}

}  // namespace golden
