// Programs: an expression for every operation in both languages, and the effect of the precision.
#include "program/program.hpp"

#include <algorithm>
#include <catch_amalgamated.hpp>

#include "nn/encoder.hpp"
#include "nn/linear.hpp"
#include "op_cases.hpp"
#include "program/operations.hpp"

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

TEST_CASE("Every operation has a text in every language") {
  for (const Language* language : kLanguages) {
    for (const attn::OperationText& operation : attn::operations()) {
      INFO(language->name << ": " << operation.name);
      const std::string_view text = language->text_of(operation.name);
      CHECK_FALSE(text.empty());
      CHECK(std::count(text.begin(), text.end(), '|') % 2 == 0);
    }
    CHECK_THROWS_AS(language->text_of("no_such_op"), attn::InputError);
  }
}

TEMPLATE_TEST_CASE("No placeholder of an expression remains, and every function it calls is defined", "", float,
                   double) {
  for (const Language* language : kLanguages) {
    for (const op_cases::OpCase<TestType>& use : op_cases::all<TestType>()) {
      INFO(language->name << ": " << use.op << ", " << use.use);
      Graph<TestType> graph;
      op_cases::Draws random(11);
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

TEST_CASE("A program of a float32 graph states the precision and rounds its draws") {
  Graph<float> graph;
  const attn::Origin origin = {{"kind", "draw"}, {"method", "randn"}, {"seed", 5.0}, {"skip", ""}, {"divisor", 2.0}};
  graph.leaf("x", attn::full<float>({2}, 1), origin);
  const std::string text = program(graph, attn::numpy_language());
  CHECK(text.find("RTOL, ATOL = 1e-4, 1e-5") != std::string::npos);
  CHECK(text.find("this computes in float64") != std::string::npos);
  CHECK(text.find("x = (random.randn(2) / 2).astype(np.float32).astype(np.float64)  # (2,)") != std::string::npos);
}

TEST_CASE("Large arrays are written as the bytes of the narrowest type that represents them") {
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

TEST_CASE("PyTorch's layers are written as modules, or as steps where they compute something else") {
  attn::Parameters<double> parameters;
  parameters.draw(attn::encoder_layer_parameters({.d_model = 4, .d_ff = 6}), 1);
  const auto text_of = [&](const attn::AttentionMasks<double>& masks, bool edit, const Language& language) {
    Graph<double> graph({.observe = true});
    attn::AttentionMasks<double> own = masks;
    if (masks.key_mask) own.key_mask = graph.leaf("keep", attn::full<double>({3}, 1));
    const Tensor<double> x = graph.leaf("x", attn::full<double>({3, 4}, 0.5));
    attn::encoder_layer(x, attn::StateDict<double>(graph, parameters), {.num_heads = 2}, own);
    CHECK(graph.layers().back().kind == (masks.key_mask ? "layer_norm" : "encoder_layer"));
    if (edit) graph.set_cell(graph.at("self_attn.causal").id, {0, 1}, 1);
    return program(graph, language);
  };
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  const attn::AttentionMasks<double> causal{.causal = attn::Causal::top_left};
  const std::string whole = text_of(causal, false, attn::torch_language());
  CHECK(has(whole, "norm2_layer = nn.TransformerEncoderLayer(4, 2, 6, dropout=0.0, activation=\"relu\""));
  CHECK(has(whole, "\"self_attn.in_proj_weight\": self_attn_in_proj_weight,"));
  CHECK(has(whole, "norm2 = norm2_layer(x, src_mask=hidden(3, 3))  # (3, 4)"));
  CHECK_FALSE(has(whole, "nn.Linear"));

  const std::string changed = text_of(causal, true, attn::torch_language());
  CHECK_FALSE(has(changed, "nn.TransformerEncoderLayer"));
  CHECK_FALSE(has(changed, "nn.MultiheadAttention"));
  CHECK(has(changed, "linear1_layer = nn.Linear(4, 6, bias=True)"));
  CHECK(has(changed, "self_attn_causal[0, 1] = 1  # changed by hand"));

  Graph<double> other;
  const std::string masked =
      text_of({.key_mask = other.leaf("", attn::full<double>({3}, 1))}, false, attn::torch_language());
  CHECK_FALSE(has(masked, "nn.TransformerEncoderLayer"));
  CHECK_FALSE(has(text_of(causal, false, attn::numpy_language()), "_layer"));
}

TEST_CASE("The record of a layer is removed with its nodes") {
  attn::Parameters<double> parameters;
  parameters.draw(attn::linear_parameters(2, 3), 1);
  Graph<double> graph;
  const Tensor<double> x = graph.leaf("x", attn::full<double>({2}, 1));
  const std::size_t size = graph.size();
  attn::linear(x, attn::StateDict<double>(graph, parameters));
  REQUIRE(graph.layers().size() == 1);
  CHECK(graph.layers()[0].parameters.size() == 2);
  graph.truncate(size);
  CHECK(graph.layers().empty());
}

TEST_CASE("An empty program is refused") {
  Graph<double> graph;
  CHECK_THROWS_WITH(program(graph, attn::numpy_language()),
                    "program: graph is empty, expected one with at least one node");
  graph.leaf("x", attn::full<double>({1}, 1));
  CHECK_THROWS_WITH(program(graph, attn::numpy_language(), {4}), "graph: node is 4, expected one below 1");
}
