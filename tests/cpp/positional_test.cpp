// Positional encodings against the reference numbers.
#include "golden.hpp"
#include "ops/absolute_index.hpp"
#include "ops/add.hpp"
#include "ops/alibi.hpp"
#include "ops/alibi_slopes.hpp"
#include "ops/embedding.hpp"
#include "ops/matmul.hpp"
#include "ops/rotary.hpp"
#include "ops/scale.hpp"
#include "ops/shift_matrix.hpp"
#include "ops/sinusoidal.hpp"
#include "ops/transpose.hpp"

using attn::Array;
using attn::Graph;
using attn::Tensor;

namespace {

template <typename T>
Array<T> positions_of(const golden::Json& params, std::size_t length) {
  if (!params.contains("positions")) return attn::arange<T>(length);
  Array<T> positions = attn::full<T>({params["positions"].size()}, T(0));
  for (std::size_t i = 0; i < positions.size(); ++i) positions.data()[i] = params["positions"][i].get<T>();
  return positions;
}

template <typename T>
void check_add(const golden::Json& test, Graph<T>& graph) {
  Tensor<T> x = graph.leaf("x", golden::array<T>(test["inputs"]["x"]));
  const std::size_t dim = x.shape().back();
  const Tensor<T> positions = graph.leaf("positions", positions_of<T>(test["params"], x.shape().end()[-2]));
  if (test["params"]["scale_embedding"].get<bool>())
    x = attn::scale(x, {.factor = std::sqrt(static_cast<double>(dim))});
  const Tensor<T> sum = attn::add(x, attn::sinusoidal(positions, dim));
  golden::check<T>(test, "y", sum.value());
  if (test["expected"].contains("printed")) golden::check<T>(test, "printed", sum.value());
}

template <typename T>
void check_shift(const golden::Json& test, Graph<T>& graph) {
  const golden::Json& params = test["params"];
  const std::size_t dim = params["d_model"].get<std::size_t>();
  const Tensor<T> offset = graph.leaf("offset", attn::full<T>({}, params["k"].get<T>()));
  const Tensor<T> matrix = attn::shift_matrix(offset, dim);
  golden::check<T>(test, "matrix", matrix.value());
  const Tensor<T> encoding = attn::sinusoidal(graph.leaf("positions", positions_of<T>(params, 0)), dim);
  golden::check<T>(test, "pe_pos", encoding.value());
  golden::check<T>(test, "pe_pos_plus_k", attn::matmul(encoding, attn::transpose(matrix)).value());
}

template <typename T>
void check_alibi(const golden::Json& test, Graph<T>& graph) {
  const golden::Json& params = test["params"];
  const Tensor<T> slopes = attn::alibi_slopes(graph, params["heads"].get<std::size_t>());
  golden::check<T>(test, "slopes", slopes.value());
  golden::check<T>(test, "bias",
                   attn::alibi(slopes, {params["q_len"].get<std::size_t>(), params["k_len"].get<std::size_t>(),
                                        params["causal"].get<bool>()})
                       .value());
}

template <typename T>
void check_learned(const golden::Json& test, Graph<T>& graph) {
  const Tensor<T> positions = graph.leaf("positions", golden::array<T>(test["inputs"]["positions"]));
  const Tensor<T> table = graph.leaf("table", golden::array<T>(test["inputs"]["table"]));
  if (test["expected"].contains("error")) {
    CHECK_THROWS_AS(attn::embedding(positions, table), attn::InputError);
  } else {
    golden::check<T>(test, "pe", attn::embedding(positions, table).value());
  }
}

}  // namespace

TEMPLATE_TEST_CASE("Positional encodings give the reference numbers", "", float, double) {
  for (const golden::Json& test : golden::cases("positional")) {
    const golden::Json& params = test["params"];
    const std::string op = params["op"].get<std::string>();
    INFO(test["name"].get<std::string>());
    Graph<TestType> graph;
    if (op == "add") {
      check_add(test, graph);
    } else if (op == "shift_matrix") {
      check_shift(test, graph);
    } else if (op == "alibi") {
      check_alibi(test, graph);
    } else if (op == "learned") {
      check_learned(test, graph);
    } else if (op == "rope") {
      const Tensor<TestType> x = graph.leaf("x", golden::array<TestType>(test["inputs"]["x"]));
      const Tensor<TestType> positions = graph.leaf("positions", positions_of<TestType>(params, 0));
      golden::check<TestType>(
          test, "y",
          attn::rotary(x, positions,
                       {.base = params["base"].get<double>(), .layout = params["layout"].get<std::string>()})
              .value());
    } else {
      REQUIRE((op == "sinusoidal" || op == "absolute_index"));
      const std::size_t dim = params["d_model"].get<std::size_t>();
      const Tensor<TestType> positions =
          graph.leaf("positions", positions_of<TestType>(params, params.value("len", std::size_t(0))));
      const Tensor<TestType> encoding =
          op == "sinusoidal" ? attn::sinusoidal(positions, dim) : attn::absolute_index(positions, dim);
      golden::check<TestType>(test, "pe", encoding.value());
      if (test["expected"].contains("printed")) golden::check<TestType>(test, "printed", encoding.value());
    }
  }
}
