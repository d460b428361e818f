// Programs: an expression for every operation in both languages, and what depends on the precision.
#include "program/program.hpp"

#include <algorithm>
#include <catch_amalgamated.hpp>

#include "op_cases.hpp"
#include "ops/op_names.hpp"

using attn::Graph;
using attn::Language;
using attn::Tensor;

namespace {

const Language* const kLanguages[] = {&attn::numpy_language(), &attn::torch_language()};

std::string decimal(double value) { return std::to_string(value); }

template <typename T>
std::string program(const Graph<T>& graph, const Language& language, const std::vector<std::size_t>& nodes = {}) {
  return attn::program(graph, {.language = language, .nodes = nodes, .decimal = decimal});
}

}  // namespace

TEST_CASE("Every operation is put in every language, and nothing else is") {
  for (const Language* language : kLanguages) {
    std::vector<std::string_view> names;
    for (const attn::Emitter& emitter : language->operations) {
      INFO(language->name << ": " << emitter.op);
      names.push_back(emitter.op);
      CHECK_FALSE(emitter.text.empty());
      CHECK(std::count(emitter.text.begin(), emitter.text.end(), '|') % 2 == 0);
    }
    const auto expected = attn::op_names();
    CHECK(names == std::vector<std::string_view>(expected.begin(), expected.end()));
    CHECK_THROWS_AS(language->text_of("no_such_op"), attn::InputError);
  }
}

TEMPLATE_TEST_CASE("Nothing of an expression is left unfilled, and every function it calls is defined", "", float,
                   double) {
  for (const Language* language : kLanguages) {
    for (const op_cases::OpCase<TestType>& use : op_cases::all<TestType>()) {
      INFO(language->name << ": " << use.op << ", " << use.use);
      Graph<TestType> graph;
      attn::RandomState random(11);
      const Tensor<TestType> result = use.build(graph, random);
      const std::string text = program(graph, *language, {result.id});
      const std::string body = text.substr(0, text.rfind("good = True"));
      const std::string line = body.substr(body.rfind("\nx", body.size()) + 1);
      CHECK(line.find(" = ") != std::string::npos);
      CHECK(line.find_first_of("{}|") == std::string::npos);
      for (const attn::Function& function : language->functions) {
        const bool called = line.find(" " + std::string(function.name) + "(") != std::string::npos;
        if (called) CHECK(text.find("\ndef " + std::string(function.name) + "(") != std::string::npos);
      }
    }
  }
}

TEST_CASE("A graph of float32 says so and rounds what it draws") {
  Graph<float> graph;
  const attn::Origin origin = {{"kind", "draw"}, {"method", "randn"}, {"seed", 5.0}, {"skip", ""}, {"divisor", 2.0}};
  graph.leaf("x", attn::full<float>({2}, 1), origin);
  const std::string text = program(graph, attn::numpy_language());
  CHECK(text.find("RTOL, ATOL = 1e-4, 1e-5") != std::string::npos);
  CHECK(text.find("this computes in float64") != std::string::npos);
  CHECK(text.find("x = (random.randn(2) / 2).astype(np.float32).astype(np.float64)  # (2,)") != std::string::npos);
}

TEST_CASE("Many numbers are written as the bytes of the narrowest type that holds them") {
  Graph<double> graph;
  attn::Array<double> bytes = attn::arange<double>(500);
  for (double& cell : bytes) cell = static_cast<double>(static_cast<int>(cell) % 256);
  attn::Array<double> halves = bytes, tenths = bytes;
  for (double& cell : halves) cell /= 2;
  for (double& cell : tenths) cell /= 10;
  graph.leaf("bytes", bytes);
  graph.leaf("halves", halves);
  graph.leaf("tenths", tenths);
  const std::string text = program(graph, attn::numpy_language());
  CHECK(text.find("bytes_2 = np.frombuffer(bytes.fromhex(\n    \"000102") != std::string::npos);
  CHECK(text.find("halves = np.frombuffer(bytes.fromhex(\n    \"000000000000003f0000803f") != std::string::npos);
  CHECK(text.find("tenths = np.frombuffer(bytes.fromhex(\n    \"00000000000000009a9999999999b93f") !=
        std::string::npos);
  for (const char* type : {"\"u1\").", "\"<f4\").", "\"<f8\")."}) CHECK(text.find(type) != std::string::npos);
}

TEST_CASE("A program of nothing is refused") {
  Graph<double> graph;
  CHECK_THROWS_WITH(program(graph, attn::numpy_language()),
                    "program: graph is empty, expected one with at least one node");
  graph.leaf("x", attn::full<double>({1}, 1));
  CHECK_THROWS_WITH(program(graph, attn::numpy_language(), {4}), "graph: node is 4, expected one below 1");
}
