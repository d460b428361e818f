// Multi-head attention against PyTorch's and NumPy's numbers, observed and fused; masks per sample and head;
// refusals.
#include "nn/multi_head_attention.hpp"

#include "golden.hpp"
#include "ops/scale.hpp"
#include "refused_call.hpp"
#include "tensor/random.hpp"

using attn::Array;
using attn::AttentionMask;
using attn::Graph;
using attn::MultiHeadAttentionOptions;
using attn::RowVectorParameters;
using attn::Shape;
using attn::Tensor;
using attn::TorchParameters;
using golden::Json;

namespace {

template <typename T>
class Inputs {
 public:
  Inputs(Graph<T>& graph, const Json& inputs) : graph_(graph), inputs_(inputs) {}

  bool has(const std::string& name) const { return inputs_.contains(name); }
  bool boolean(const std::string& name) const { return inputs_[name]["dtype"] == "bool"; }
  Tensor<T> leaf(const std::string& name) const { return graph_.leaf("", golden::array<T>(inputs_[name])); }
  std::optional<Tensor<T>> optional(const std::string& name) const {
    return has(name) ? std::optional(leaf(name)) : std::nullopt;
  }
  // Converts masks of torch's modules, where true means masked, to 1 = may be attended.
  Tensor<T> inverted(const std::string& name) const {
    Array<T> array = golden::array<T>(inputs_[name]);
    for (std::size_t i = 0; i < array.size(); ++i) array.data()[i] = array.data()[i] == 0 ? T(1) : T(0);
    return graph_.leaf("", std::move(array));
  }

 private:
  Graph<T>& graph_;
  const Json& inputs_;
};

std::string key_of(const Json& test, const std::string& key) {
  return test["expected"].contains(key + "_zero_policy") ? key + "_zero_policy" : key;
}

using Leaves = std::map<std::string, Tensor<double>>;

// The inputs of a case as leaves, by name; the gradient of its output is not one of them.
Leaves leaves_of(Graph<double>& graph, const Json& test) {
  Leaves leaves;
  for (const auto& [name, tensor] : test["inputs"].items())
    if (name != "g_out") leaves[name] = graph.leaf(name, golden::array<double>(tensor));
  return leaves;
}

std::optional<Tensor<double>> optional_leaf(const Leaves& leaves, const std::string& name) {
  return leaves.count(name) ? std::optional(leaves.at(name)) : std::nullopt;
}

Tensor<double> ones(Graph<double>& graph, const Shape& shape) { return graph.leaf("", attn::full<double>(shape, 1)); }

RowVectorParameters<double> row_vector(Graph<double>& graph, std::size_t width, std::size_t inner) {
  return {ones(graph, {width, inner}), ones(graph, {width, inner}), ones(graph, {width, inner}),
          ones(graph, {inner, width})};
}

}  // namespace

TEMPLATE_TEST_CASE("Multi-head attention gives PyTorch's numbers, in steps and fused", "", float, double) {
  using T = TestType;
  for (const Json& test : golden::cases("mha_torch")) {
    for (const bool observe : {true, false}) {
      Graph<T> graph({.observe = observe});
      const Inputs<T> inputs(graph, test["inputs"]);
      const Tensor<T> query = inputs.leaf("query");
      const Tensor<T> key = inputs.has("key") ? inputs.leaf("key") : query;
      const Tensor<T> value = inputs.has("value") ? inputs.leaf("value") : query;
      MultiHeadAttentionOptions<T> options;
      options.num_heads = test["params"]["heads"].get<std::size_t>();
      if (inputs.has("attn_mask")) {
        if (inputs.boolean("attn_mask")) {
          options.mask = AttentionMask<T>{inputs.inverted("attn_mask")};
        } else {
          options.mask = AttentionMask<T>{inputs.leaf("attn_mask"), AttentionMask<T>::Kind::add};
        }
      }
      if (inputs.has("key_padding_mask")) options.key_mask = inputs.inverted("key_padding_mask");
      const TorchParameters<T> parameters{.in_proj_weight = inputs.optional("in_proj_weight"),
                                          .q_proj_weight = inputs.optional("q_proj_weight"),
                                          .k_proj_weight = inputs.optional("k_proj_weight"),
                                          .v_proj_weight = inputs.optional("v_proj_weight"),
                                          .in_proj_bias = inputs.optional("in_proj_bias"),
                                          .out_proj_weight = inputs.leaf("out_proj.weight"),
                                          .out_proj_bias = inputs.optional("out_proj.bias")};
      const auto steps = multi_head_attention(query, key, value, parameters, options);
      golden::check<T>(test, key_of(test, "output"), steps.output.value());
      if (observe) golden::check<T>(test, key_of(test, "weights"), steps.attention.weights->value());
    }
  }
}

TEMPLATE_TEST_CASE("Row-vector projections wider than the model give NumPy's numbers", "", float, double) {
  using T = TestType;
  for (const Json& test : golden::cases("blog_mha")) {
    Graph<T> graph({.observe = true});
    const Inputs<T> inputs(graph, test["inputs"]);
    const Tensor<T> x = inputs.leaf("x");
    MultiHeadAttentionOptions<T> options;
    options.num_heads = test["params"]["heads"].get<std::size_t>();
    if (inputs.has("mask")) {
      const Tensor<T> added = attn::scale(inputs.leaf("mask"), {.factor = -1e9, .divisor = {}});
      options.mask = AttentionMask<T>{added, AttentionMask<T>::Kind::add};
    }
    const RowVectorParameters<T> parameters{inputs.leaf("w_q"), inputs.leaf("w_k"), inputs.leaf("w_v"),
                                            inputs.leaf("w_o")};
    const auto steps = multi_head_attention(x, x, x, parameters, options);
    golden::check<T>(test, "q_heads", steps.query_heads.value());
    golden::check<T>(test, "k_heads", steps.key_heads.value());
    golden::check<T>(test, "v_heads", steps.value_heads.value());
    golden::check<T>(test, "weights", steps.attention.weights->value());
    golden::check<T>(test, "concat", steps.concat.value());
    golden::check<T>(test, "output", steps.output.value());
    for (const char* name : {"Q", "K", "V", "Q_heads", "K_heads", "V_heads", "K_T", "scores", "scaled", "weights",
                             "heads", "concat", "output"})
      CHECK_NOTHROW(graph.at(name));
  }
}

TEST_CASE("Row-vector biases, no output projection and dropout give PyTorch's numbers and gradients") {
  for (const Json& test : golden::cases("mha_row_vector")) {
    for (const bool observe : {true, false}) {
      Graph<double> graph({.observe = observe});
      const Leaves leaves = leaves_of(graph, test);
      const auto optional = [&](const char* name) { return optional_leaf(leaves, name); };
      MultiHeadAttentionOptions<double> options;
      options.num_heads = test["params"]["heads"].get<std::size_t>();
      if (leaves.count("mask")) options.mask = AttentionMask<double>{leaves.at("mask")};
      if (test["params"].contains("dropout")) {
        const Json& dropout = test["params"]["dropout"];
        options.dropout = {.p = dropout["p"].get<double>(), .seed = dropout["seed"].get<std::uint32_t>()};
      }
      const RowVectorParameters<double> parameters{.w_q = leaves.at("w_q"),
                                                   .w_k = leaves.at("w_k"),
                                                   .w_v = leaves.at("w_v"),
                                                   .w_o = optional("w_o"),
                                                   .b_q = optional("b_q"),
                                                   .b_k = optional("b_k"),
                                                   .b_v = optional("b_v"),
                                                   .b_o = optional("b_o")};
      const Tensor<double> memory = leaves.at("memory");
      const auto attend = [&] { return multi_head_attention(leaves.at("query"), memory, memory, parameters, options); };
      if (test["expected"].contains("error")) {
        CHECK_FALSE(refusal([&] { attend(); }).empty());
        continue;
      }
      const auto steps = attend();
      golden::check<double>(test, "output", steps.output.value());
      golden::check<double>(test, "concat", steps.concat.value());
      if (observe) golden::check<double>(test, "weights", steps.attention.weights->value());
      if (steps.attention.dropped) golden::check<double>(test, "dropped", steps.attention.dropped->value());
      graph.backward(steps.output.id, golden::array<double>(test["inputs"]["g_out"]));
      for (const auto& [name, leaf] : leaves) {
        if (name == "mask") continue;
        golden::check<double>(test, "grad_" + name, *graph.node(leaf.id).gradient);
      }
      if (!observe) continue;
      CHECK(graph.at("output").id == steps.output.id);
      CHECK(parameters.w_o.has_value() == (steps.concat.id != steps.output.id));
      if (parameters.b_q) CHECK(graph.node(graph.at("Q_projected").id).is_passed_over);
    }
  }
}

TEST_CASE("Gradients of multi-head attention are PyTorch's") {
  std::size_t compared = 0;
  for (const Json& test : golden::cases("gradients")) {
    const std::string op = test["params"]["op"].get<std::string>();
    if (op != "mha_torch" && op != "blog_mha") continue;
    for (const bool observe : {true, false}) {
      Graph<double> graph({.observe = observe});
      const Leaves leaves = leaves_of(graph, test);
      const auto optional = [&](const char* name) { return optional_leaf(leaves, name); };
      MultiHeadAttentionOptions<double> options;
      options.num_heads = test["params"]["heads"].get<std::size_t>();
      Tensor<double> output;
      if (op == "mha_torch") {
        const Inputs<double> inputs(graph, test["inputs"]);
        if (inputs.has("attn_mask")) options.mask = AttentionMask<double>{inputs.inverted("attn_mask")};
        const Tensor<double> query = leaves.at("query");
        const TorchParameters<double> parameters{.in_proj_weight = optional("in_proj_weight"),
                                                 .in_proj_bias = optional("in_proj_bias"),
                                                 .out_proj_weight = leaves.at("out_proj.weight"),
                                                 .out_proj_bias = optional("out_proj.bias")};
        output = multi_head_attention(query, optional("key").value_or(query), optional("value").value_or(query),
                                      parameters, options)
                     .output;
      } else {
        const Tensor<double> x = leaves.at("x");
        const RowVectorParameters<double> parameters{leaves.at("w_q"), leaves.at("w_k"), leaves.at("w_v"),
                                                     leaves.at("w_o")};
        output = multi_head_attention(x, x, x, parameters, options).output;
      }
      golden::check<double>(test, "output", output.value());
      graph.backward(output.id, golden::array<double>(test["inputs"]["g_out"]));
      for (const auto& [name, leaf] : leaves) {
        if (!test["expected"].contains("grad_" + name)) continue;
        golden::check<double>(test, "grad_" + name, *graph.node(leaf.id).gradient);
        ++compared;
      }
    }
  }
  CHECK(compared > 20);
}

TEST_CASE("A sequence without a batch is a batch of one") {
  attn::RandomState random(11);
  const auto normal = [&](const Shape& shape) {
    Array<double> array = attn::full<double>(shape, 0);
    for (double& cell : array) cell = random.randn();
    return array;
  };
  Graph<double> graph;
  const Array<double> numbers = normal({1, 3, 4});
  Array<double> row = numbers;
  row.reshape({std::size_t{3}, std::size_t{4}});
  const RowVectorParameters<double> parameters{graph.leaf("w_q", normal({4, 4})), graph.leaf("w_k", normal({4, 4})),
                                               graph.leaf("w_v", normal({4, 4})), graph.leaf("w_o", normal({4, 4}))};
  MultiHeadAttentionOptions<double> options{.num_heads = 2};
  const Tensor<double> batch = graph.leaf("batch", numbers);
  const Tensor<double> single = graph.leaf("single", row);
  Array<double> first_two = attn::full<double>({1, 3}, 1);
  first_two(0, 2) = 0;
  options.key_mask = graph.leaf("key mask", first_two);
  const Array<double> batched = multi_head_attention(batch, batch, batch, parameters, options).output.value();
  first_two.reshape({std::size_t{3}});
  options.key_mask = graph.leaf("key mask of one", first_two);
  const Array<double> unbatched = multi_head_attention(single, single, single, parameters, options).output.value();
  CHECK(attn::shape_of(unbatched) == Shape{3, 4});
  CHECK(std::equal(batched.begin(), batched.end(), unbatched.begin()));
}

TEST_CASE("Errors of multi-head attention name the argument and the expected value") {
  Graph<double> graph;
  const auto message = [&](const Shape& query, const Shape& key, const Shape& value, std::size_t width,
                           std::size_t inner, MultiHeadAttentionOptions<double> options) {
    return refusal([&] {
      multi_head_attention(ones(graph, query), ones(graph, key), ones(graph, value), row_vector(graph, width, inner),
                           options);
    });
  };
  const std::string start = "multi_head_attention: ";
  CHECK(message({1, 2, 6}, {1, 2, 6}, {1, 2, 6}, 6, 6, {.num_heads = 4}) ==
        start + "width of w_q is 6, expected a multiple of num_heads 4");
  CHECK(message({1, 2, 6}, {1, 2, 6}, {1, 2, 6}, 6, 6, {.num_heads = 0}) ==
        start + "width of w_q is 6, expected a multiple of num_heads 0");
  CHECK(message({2}, {1, 2, 6}, {1, 2, 6}, 6, 6, {}) ==
        start + "query has shape (2,), expected (batch, length, width) or (length, width)");
  CHECK(message({1, 2, 6}, {2, 2, 6}, {1, 2, 6}, 6, 6, {}) ==
        start + "key has shape (2, 2, 6), expected the batch of query (1, 2, 6)");
  CHECK(message({1, 2, 6}, {1, 2, 6}, {1, 3, 6}, 6, 6, {}) ==
        start + "value has shape (1, 3, 6), expected the length of key (1, 2, 6)");
  CHECK(message({2, 3, 6}, {2, 3, 6}, {2, 3, 6}, 6, 6,
                {.num_heads = 2, .mask = AttentionMask<double>{ones(graph, {2, 3, 3})}}) ==
        start + "mask has shape (2, 3, 3), expected (4, 3, 3) (a mask per head) or (3, 3)");
  CHECK(message({2, 3, 6}, {2, 3, 6}, {2, 3, 6}, 6, 6, {.num_heads = 2, .key_mask = ones(graph, {3, 2})}) ==
        start + "key mask has shape (3, 2), expected (2, 3)");

  const auto with_bias = [&](const RowVectorParameters<double>& parameters) {
    const Tensor<double> x = ones(graph, {1, 2, 6});
    return refusal([&] { multi_head_attention(x, x, x, parameters, {.num_heads = 2}); });
  };
  const Tensor<double> square = ones(graph, {6, 6});
  CHECK(with_bias({.w_q = square, .w_k = square, .w_v = square, .w_o = square, .b_k = ones(graph, {2, 3})}) ==
        start + "b_k has shape (2, 3), expected (6,)");
  CHECK(with_bias({.w_q = square, .w_k = square, .w_v = square, .b_o = ones(graph, {6})}) ==
        start + "parameters is b_o without w_o, expected w_o beside b_o: without w_o nothing is projected");

  const auto torch = [&](const TorchParameters<double>& parameters) {
    const Tensor<double> x = ones(graph, {1, 2, 4});
    return refusal([&] { multi_head_attention(x, x, x, parameters, {.num_heads = 2}); });
  };
  const Tensor<double> out = ones(graph, {4, 4});
  CHECK(
      torch({.out_proj_weight = out}) ==
      start +
          "parameters is incomplete, expected either in_proj_weight or q_proj_weight, k_proj_weight and v_proj_weight");
  CHECK(torch({.in_proj_weight = ones(graph, {10, 4}), .out_proj_weight = out}) ==
        start + "in_proj_weight has shape (10, 4), expected a number of rows that 3 divides");
  CHECK(torch({.in_proj_weight = ones(graph, {12, 4}), .in_proj_bias = ones(graph, {4}), .out_proj_weight = out}) ==
        start + "in_proj_bias has shape (4,), expected (12,)");
}
