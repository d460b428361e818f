// Encoder and decoder layers, alone and stacked, against PyTorch's numbers; names, dropout, refusals.
#include <set>

#include "golden_layers.hpp"
#include "nn/decoder.hpp"
#include "nn/encoder.hpp"
#include "refused_call.hpp"
#include "tensor/random.hpp"

using attn::Array;
using attn::Graph;
using attn::LayerOptions;
using attn::Parameters;
using attn::Shape;
using attn::StackOptions;
using attn::StateDict;
using golden::Json;
using golden::Leaves;

namespace {

constexpr attn::LayerSizes kSizes{.d_model = 4, .d_ff = 6};

template <typename T>
Array<T> drawn(const Shape& shape, std::uint32_t seed) {
  attn::RandomState random(seed);
  Array<T> array = attn::full<T>(shape, T(0));
  for (T& cell : array) cell = static_cast<T>(random.randn());
  return array;
}

}  // namespace

TEMPLATE_TEST_CASE("Encoder layers give PyTorch's numbers", "", float, double) {
  using T = TestType;
  for (const Json& test : golden::cases("encoder_layer")) {
    for (const bool observe : {true, false}) {
      Graph<T> graph({.observe = observe});
      Leaves<T> leaves(graph, test);
      const LayerOptions options = golden::layer_options(test["params"]);
      const auto masks = leaves.masks("src_mask", "src_key_padding_mask");
      if (test["params"]["op"] == "stack") {
        const StackOptions stack{.num_layers = test["params"]["layers"].get<std::size_t>(),
                                 .final_norm = test["params"]["final_norm"].get<bool>(),
                                 .layer = options};
        const auto steps = attn::encoder(leaves.at("src"), leaves.parameters(), stack, masks);
        golden::check<T>(test, "output", steps.output.value());
      } else {
        const auto steps = attn::encoder_layer(leaves.at("src"), leaves.parameters(), options, masks);
        golden::check<T>(test, "output", steps.output.value());
      }
    }
  }
}

TEMPLATE_TEST_CASE("Decoder layers give PyTorch's numbers, with a causal mask as a mask and as a rule", "", float,
                   double) {
  using T = TestType;
  for (const Json& test : golden::cases("decoder_layer")) {
    for (const bool observe : {true, false}) {
      for (const bool as_rule : {true, false}) {
        Graph<T> graph({.observe = observe});
        Leaves<T> leaves(graph, test);
        auto target = leaves.masks("tgt_mask", "tgt_key_padding_mask");
        if (as_rule && test["params"]["causal"].get<bool>()) {
          target.mask = std::nullopt;
          target.causal = attn::Causal::top_left;
        }
        const auto steps = attn::decoder_layer(leaves.at("tgt"), leaves.at("memory"), leaves.parameters(),
                                               golden::layer_options(test["params"]), target,
                                               leaves.masks("memory_mask", "memory_key_padding_mask"));
        golden::check<T>(test, "output", steps.output.value());
      }
    }
  }
}

TEST_CASE("The steps of a layer have names, and its parameters have PyTorch's names") {
  Parameters<double> parameters;
  parameters.draw(attn::decoder_parameters(kSizes, {.num_layers = 1, .layer = {.num_heads = 2}}), 1);
  std::set<std::string> names;
  for (const auto& parameter : parameters.list()) names.insert(parameter.name);
  std::set<std::string> expected = {"norm.weight", "norm.bias"};
  for (const std::string part :
       {"self_attn.in_proj_weight", "self_attn.in_proj_bias", "self_attn.out_proj.weight", "self_attn.out_proj.bias",
        "multihead_attn.in_proj_weight", "multihead_attn.in_proj_bias", "multihead_attn.out_proj.weight",
        "multihead_attn.out_proj.bias", "linear1.weight", "linear1.bias", "linear2.weight", "linear2.bias",
        "norm1.weight", "norm1.bias", "norm2.weight", "norm2.bias", "norm3.weight", "norm3.bias"})
    expected.insert("layers.0." + part);
  CHECK(names == expected);
  // (3 16 + 12) + (16 + 4), twice; 24 + 6 + 24 + 4; four norms
  CHECK(parameters.count() == 2 * (60 + 20) + 58 + 4 * 8);

  Graph<double> graph({.observe = true});
  const StateDict<double> state(graph, parameters, "model.");
  const auto x = graph.leaf("x", drawn<double>({3, 4}, 2));
  attn::decoder(x, x, state, {.num_layers = 1, .layer = {.num_heads = 2}}, {}, {}, "run.");
  for (const std::string step :
       {"run.layers.0.self_attn.weights", "run.layers.0.residual1", "run.layers.0.norm1",
        "run.layers.0.multihead_attn.Q", "run.layers.0.multihead_attn.output", "run.layers.0.residual2",
        "run.layers.0.linear1", "run.layers.0.activation", "run.layers.0.linear2", "run.layers.0.norm3", "run.norm",
        "model.layers.0.norm3.weight"})
    CHECK_NOTHROW(graph.at(step));
}

TEST_CASE("Without residual connections or norms a layer has neither their steps nor reads their parameters") {
  Parameters<double> parameters;
  for (const attn::ParameterSpec& spec : attn::encoder_layer_parameters(kSizes))
    if (!spec.name.starts_with("norm")) parameters.draw({spec}, 1);
  for (const bool norm_first : {false, true}) {
    for (const bool observe : {false, true}) {
      Graph<double> graph({.observe = observe});
      const auto x = graph.leaf("x", drawn<double>({3, 4}, 2));
      const StateDict<double> state(graph, parameters);
      const auto layer = [&](bool residual) {
        const LayerOptions options{.num_heads = 2, .norm_first = norm_first, .residual = residual, .norm = false};
        return attn::encoder_layer(x, state, options, {}, residual ? "with." : "bare.");
      };
      const auto bare = layer(false);
      CHECK_FALSE(bare.norm1);
      CHECK_FALSE(bare.norm2);
      CHECK(bare.residual1.id == bare.self_attention.output.id);
      CHECK(bare.output.id == bare.feed_forward.output.id);
      CHECK(graph.at("bare.linear2").id == bare.output.id);
      const auto with = layer(true);
      CHECK(graph.at("with.residual2").id == with.output.id);
      // PyTorch has no such layer, so that no program writes one.
      for (const auto& record : graph.layers()) CHECK(record.kind != "encoder_layer");
    }
  }
}

TEST_CASE("Each dropout uses draws of its own, drops the stated share, and does nothing in evaluation") {
  Parameters<double> parameters;
  const StackOptions plain{.num_layers = 2, .layer = {.num_heads = 2}};
  parameters.draw(attn::encoder_parameters(kSizes, plain), 1);
  StackOptions training = plain;
  training.layer.dropout = {.p = 0.25, .seed = 7};
  const Array<double> x = drawn<double>({8, 50, 4}, 3);
  const auto run = [&](const StackOptions& options, bool observe, const std::function<void(Graph<double>&)>& inspect) {
    Graph<double> graph({.observe = observe});
    const auto output = attn::encoder(graph.leaf("x", x), StateDict<double>(graph, parameters), options).output.value();
    inspect(graph);
    return output;
  };
  const auto no_inspection = [](Graph<double>&) {};
  const Array<double> evaluated = run(plain, true, no_inspection);
  const Array<double> trained = run(training, true, [](Graph<double>& graph) {
    std::set<double> first;
    std::size_t dropouts = 0;
    for (const std::string layer : {"layers.0.", "layers.1."}) {
      for (const std::string step : {"self_attn.dropped", "dropout1", "dropout", "dropout2"}) {
        const Array<double>& u = graph.at(layer + step + ".u").value();
        first.insert(u.data()[0]);
        ++dropouts;
        std::size_t dropped = 0;
        for (const double cell : u) dropped += cell <= 0.25;
        CHECK(std::abs(static_cast<double>(dropped) / static_cast<double>(u.size()) - 0.25) < 0.05);
      }
      // The weights shown are those before dropout: rows with sum 1.
      const Array<double>& weights = graph.at(layer + "self_attn.weights").value();
      double row = 0;
      for (std::size_t key = 0; key < 50; ++key) row += weights.data()[key];
      CHECK(std::abs(row - 1) < 1e-12);
    }
    CHECK(first.size() == dropouts);
  });
  CHECK(trained != evaluated);
  CHECK(run(training, false, no_inspection) == trained);
  training.layer.dropout.seed = 8;
  CHECK(run(training, true, no_inspection) != trained);
  training.layer.dropout.p = 1;
  CHECK_FALSE(refusal([&] { run(training, true, no_inspection); }).empty());
}

TEST_CASE("A model has all its biases or none") {
  const attn::ParameterSpecs specs = attn::encoder_layer_parameters(kSizes);
  const auto run = [&](const auto& keeps) {
    Parameters<double> parameters;
    for (const attn::ParameterSpec& spec : specs)
      if (keeps(spec.name)) parameters.draw({spec}, 1);
    Graph<double> graph;
    const auto x = graph.leaf("x", attn::full<double>({3, 4}, 1));
    return attn::encoder_layer(x, StateDict<double>(graph, parameters), {.num_heads = 2}).output.value();
  };
  const auto is_bias = [](const std::string& name) { return name.ends_with("bias"); };
  const auto with_all = run([](const std::string&) { return true; });
  const auto with_none = run([&](const std::string& name) { return !is_bias(name); });
  CHECK(with_all != with_none);
  CHECK(refusal([&] { run([](const std::string& name) { return name != "norm2.bias"; }); }) ==
        "state_dict: \"norm2.bias\" is missing, expected a parameter of this name");
  CHECK(refusal([&] { run([](const std::string& name) { return name != "norm1.weight"; }); }) ==
        "state_dict: \"norm1.weight\" is missing, expected a parameter of this name");
}

TEST_CASE("Errors of layers name the argument and the expected value") {
  CHECK(refusal([] { attn::encoder_parameters({.d_model = 7, .d_ff = 8}, {.layer = {.num_heads = 2}}); }) ==
        "encoder: num_heads is 2, expected a divisor of d_model 7");
  CHECK(refusal([] { attn::decoder_parameters({.d_model = 8, .d_ff = 0}, {.layer = {.num_heads = 2}}); }) ==
        "decoder: d_ff is 0, expected at least 1");
  CHECK(refusal([] { attn::encoder_parameters({.d_model = 8, .d_ff = 8}, {.layer = {.num_heads = 0}}); }) ==
        "encoder: num_heads is 0, expected a divisor of d_model 8");
  CHECK(refusal([] { attn::activation_named("swish"); }) ==
        "feed_forward: activation is \"swish\", expected relu, gelu, gelu_erf or gelu_tanh");

  Parameters<double> parameters;
  parameters.draw(attn::encoder_parameters(kSizes, {.num_layers = 1, .layer = {.num_heads = 2}}), 1);
  Graph<double> graph;
  const StateDict<double> state(graph, parameters);
  const auto x = graph.leaf("x", attn::full<double>({3, 4}, 1));
  CHECK(refusal([&] { attn::encoder(x, state, {.num_layers = 0}); }) ==
        "encoder: num_layers is 0, expected at least 1");
  CHECK(refusal([&] { attn::encoder(x, state, {.num_layers = 2, .layer = {.num_heads = 2}}); }) ==
        "state_dict: \"layers.1.self_attn.in_proj_bias\" is missing, expected a parameter of this name");
  attn::DecoderCache<double> cache;
  cache.layers.resize(3);
  CHECK(refusal([&] { attn::decoder(x, x, state, {.num_layers = 2}, {}, {}, "", &cache); }) ==
        "decoder: cache is 3 layers, expected 2");
}
