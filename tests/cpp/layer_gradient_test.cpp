// Gradients of layers: PyTorch's numbers, and central differences through whole models.
#include <cmath>

#include "golden_layers.hpp"
#include "nn/additive_attention.hpp"
#include "nn/bert.hpp"
#include "nn/convolution.hpp"
#include "nn/convolutional_network.hpp"
#include "nn/embedding.hpp"
#include "nn/gpt2.hpp"
#include "nn/linear.hpp"
#include "nn/patch_embedding.hpp"
#include "nn/recurrent.hpp"
#include "nn/seq2seq.hpp"
#include "nn/vision_transformer.hpp"
#include "nn/word2vec.hpp"
#include "ops/cross_entropy.hpp"
#include "ops/layer_norm.hpp"
#include "tensor/random.hpp"

using attn::Array;
using attn::Graph;
using attn::Parameters;
using attn::Shape;
using attn::StateDict;
using attn::Tensor;
using golden::Json;
using golden::Leaves;

namespace {

// The output of a case of the family, or nothing when its op is not a layer tested in this file.
template <typename T>
std::optional<Tensor<T>> output_of(const Json& test, Leaves<T>& leaves) {
  const Json& params = test["params"];
  const std::string op = params["op"].get<std::string>();
  if (op == "encoder_layer")
    return attn::encoder_layer(leaves.at("src"), leaves.parameters(), golden::layer_options(params),
                               leaves.masks("src_mask", "src_key_padding_mask"))
        .output;
  if (op == "decoder_layer")
    return attn::decoder_layer(leaves.at("tgt"), leaves.at("memory"), leaves.parameters(),
                               golden::layer_options(params), leaves.masks("tgt_mask", "tgt_key_padding_mask"),
                               leaves.masks("memory_mask", "memory_key_padding_mask"))
        .output;
  if (op == "additive_attention")
    return attn::additive_attention<T>(leaves.at("q"), leaves.at("k"), leaves.at("v"),
                                       {leaves.at("w_q"), leaves.at("w_k"), leaves.at("w_v")})
        .output;
  if (op == "ffn") {
    attn::FeedForwardOptions options;
    options.activation = attn::activation_named(params["activation"].get<std::string>());
    return attn::feed_forward(leaves.at("x"),
                              leaves.parameters({{"w1", "linear1.weight"},
                                                 {"b1", "linear1.bias"},
                                                 {"w2", "linear2.weight"},
                                                 {"b2", "linear2.bias"}}),
                              options)
        .output;
  }
  if (op == "linear") return attn::linear(leaves.at("x"), leaves.at("weight"), leaves.at("bias"));
  if (op == "embedding") return attn::embedding(leaves.at("ids"), leaves.at("table"), params["scaled"].get<bool>());
  if (op == "vit_patch")
    return attn::patch_embedding<T>(leaves.at("image"), {.weight = leaves.at("weight"),
                                                         .bias = leaves.at("bias"),
                                                         .cls = leaves.at("cls"),
                                                         .position = leaves.at("pos")})
        .output;
  if (op == "tied_embedding_softmax") {
    const Tensor<T> x = attn::embedding(leaves.at("ids"), leaves.at("table"), true);
    return attn::cross_entropy(attn::tied_logits(x, leaves.at("table")), leaves.at("targets"));
  }
  return std::nullopt;
}

// Compares d(loss)/d(every parameter) with central differences at up to `most` cells each; returns how many were
// compared.
std::size_t check_differences(Parameters<double>& parameters, std::size_t most,
                              const std::function<Tensor<double>(Graph<double>&, const StateDict<double>&)>& loss) {
  const auto value = [&] {
    Graph<double> graph;
    return loss(graph, StateDict<double>(graph, parameters)).value().data()[0];
  };
  {
    Graph<double> graph;
    const StateDict<double> state(graph, parameters);
    graph.backward(loss(graph, state).id);
    parameters.zero_grad();
    state.add_gradients(parameters);
  }
  constexpr double kStep = 1e-5;
  std::size_t compared = 0;
  for (attn::Parameter<double>& parameter : parameters.list()) {
    INFO(parameter.name);
    REQUIRE(parameter.gradient.has_value());
    const std::size_t stride = std::max<std::size_t>(1, parameter.value.size() / most);
    for (std::size_t i = 0; i < parameter.value.size(); i += stride) {
      double& cell = parameter.value.data()[i];
      const double before = cell;
      cell = before + kStep;
      const double above = value();
      cell = before - kStep;
      const double below = value();
      cell = before;
      const double slope = (above - below) / (2 * kStep);
      INFO("cell " << i << ": backward " << parameter.gradient->data()[i] << ", differences " << slope);
      REQUIRE(std::abs(parameter.gradient->data()[i] - slope) <= 2e-7 * (1 + std::abs(slope)));
      ++compared;
    }
  }
  return compared;
}

Tensor<double> numbers(Graph<double>& graph, const Shape& shape, const std::vector<double>& values) {
  Array<double> array = attn::full<double>(shape, 0);
  std::copy(values.begin(), values.end(), array.begin());
  return graph.leaf("", std::move(array));
}

Tensor<double> drawn(Graph<double>& graph, const Shape& shape, std::uint32_t seed) {
  attn::RandomState random(seed);
  Array<double> array = attn::full<double>(shape, 0);
  for (double& cell : array) cell = random.randn();
  return graph.leaf("", std::move(array));
}

// Parameters that start at 0 or 1 are shifted, so that no gradient vanishes by symmetry.
Parameters<double> off_symmetry(const attn::ParameterSpecs& specs, std::uint32_t seed) {
  Parameters<double> parameters;
  parameters.draw(specs, seed);
  attn::RandomState random(seed);
  for (attn::Parameter<double>& parameter : parameters.list())
    for (double& cell : parameter.value) cell += 0.2 * random.randn();
  return parameters;
}

}  // namespace

TEMPLATE_TEST_CASE("Gradients of layers are PyTorch's", "", float, double) {
  using T = TestType;
  std::map<std::string, std::size_t> compared;
  for (const Json& test : golden::cases("gradients")) {
    for (const bool observe : {true, false}) {
      Graph<T> graph({.observe = observe});
      Leaves<T> leaves(graph, test);
      const std::optional<Tensor<T>> output = output_of(test, leaves);
      if (!output) continue;
      golden::check<T>(test, "output", output->value());
      std::optional<Array<T>> seed;
      if (leaves.has("g_out")) seed = golden::array<T>(test["inputs"]["g_out"]);
      graph.backward(output->id, seed);
      compared[test["params"]["op"].get<std::string>()] += leaves.check_gradients(test);
    }
  }
  CHECK(compared.size() == 8);
  for (const auto& [op, count] : compared) {
    INFO(op);
    CHECK(count > 0);
  }
}

TEST_CASE("Backward reaches every parameter of whole models") {
  std::size_t compared = 0;
  for (const bool norm_first : {false, true}) {
    attn::Seq2SeqOptions options;
    options.transformer = {.num_encoder_layers = 1,
                           .num_decoder_layers = 1,
                           .layer = {.num_heads = 2,
                                     .activation = attn::Activation::gelu_tanh,
                                     .norm_first = norm_first,
                                     .dropout = {.p = 0.2, .seed = 3}}};
    Parameters<double> parameters = off_symmetry(attn::seq2seq_parameters({.d_model = 4, .d_ff = 6}, 5, options), 1);
    compared += check_differences(parameters, 4, [&](Graph<double>& graph, const StateDict<double>& state) {
      const auto logits = attn::seq2seq(numbers(graph, {2, 3}, {0, 1, 2, 3, 4, 0}),
                                        numbers(graph, {2, 2}, {1, 2, 1, 4}), state, options)
                              .logits;
      return attn::cross_entropy(logits, numbers(graph, {2, 2}, {2, 3, 4, 0}));
    });
  }
  const attn::StackOptions bert = attn::bert_options(1, 2);
  Parameters<double> parameters = off_symmetry(
      attn::bert_parameters({.layer = {.d_model = 4, .d_ff = 6}, .vocabulary = 6, .positions = 3, .segments = 2}, bert),
      2);
  compared += check_differences(parameters, 4, [&](Graph<double>& graph, const StateDict<double>& state) {
    const auto logits = attn::bert<double>(numbers(graph, {2, 3}, {0, 1, 2, 3, 4, 5}),
                                           numbers(graph, {2, 3}, {0, 0, 1, 0, 1, 1}), state, bert)
                            .logits;
    return attn::cross_entropy(logits, numbers(graph, {2, 3}, {-100, 3, -100, 1, -100, 2}));
  });
  attn::StackOptions gpt2 = attn::gpt2_options(2, 2);
  gpt2.layer.dropout = {.p = 0.2, .seed = 3};
  parameters = off_symmetry(
      attn::gpt2_parameters({.layer = {.d_model = 4, .d_ff = 6}, .vocabulary = 6, .positions = 3}, gpt2), 6);
  compared += check_differences(parameters, 4, [&](Graph<double>& graph, const StateDict<double>& state) {
    const auto logits = attn::gpt2(numbers(graph, {2, 3}, {0, 1, 2, 3, 4, 5}), state, gpt2).logits;
    return attn::cross_entropy(logits, numbers(graph, {2, 3}, {1, 2, -100, 4, 5, 0}));
  });
  const attn::StackOptions vit = attn::vision_transformer_options(1, 2);
  parameters = off_symmetry(attn::vision_transformer_parameters({.layer = {.d_model = 4, .d_ff = 6},
                                                                 .channels = 1,
                                                                 .image_height = 4,
                                                                 .image_width = 4,
                                                                 .patch = 2,
                                                                 .num_classes = 3},
                                                                vit),
                            3);
  compared += check_differences(parameters, 4, [&](Graph<double>& graph, const StateDict<double>& state) {
    const auto logits = attn::vision_transformer(drawn(graph, {2, 1, 4, 4}, 8), state, vit).logits;
    return attn::cross_entropy(logits, numbers(graph, {2}, {0, 2}));
  });
  parameters = off_symmetry(attn::join({attn::within("rnn", attn::recurrent_parameters(3, 4)),
                                        attn::within("conv", attn::convolution_parameters(4, 2, 3))}),
                            4);
  compared += check_differences(parameters, 8, [&](Graph<double>& graph, const StateDict<double>& state) {
    const auto hidden = attn::recurrent(drawn(graph, {2, 4, 3}, 9), state.within("rnn")).output;
    const auto logits = attn::convolution(hidden, state.within("conv"), {.stride = 1, .padding = 1});
    return attn::cross_entropy(logits, numbers(graph, {2, 4}, {0, 1, 1, 0, 1, 0, 0, 1}));
  });
  parameters =
      off_symmetry(attn::convolutional_network_parameters(
                       {.channels = 1, .image_height = 4, .image_width = 4, .patch = 1, .width = 3, .num_classes = 3}),
                   7);
  compared += check_differences(parameters, 8, [&](Graph<double>& graph, const StateDict<double>& state) {
    const auto logits = attn::convolutional_network(drawn(graph, {2, 1, 4, 4}, 8), state, 1);
    return attn::cross_entropy(logits, numbers(graph, {2}, {0, 2}));
  });
  parameters = off_symmetry(attn::word2vec_parameters(5, 3), 5);
  compared += check_differences(parameters, 15, [&](Graph<double>& graph, const StateDict<double>& state) {
    return attn::cbow_negative_sampling(numbers(graph, {2}, {1, 3}), numbers(graph, {2, 2}, {0, 2, 2, 4}),
                                        numbers(graph, {2, 3}, {0, 0, 4, 1, 1, 2}), state)
        .loss;
  });
  CHECK(compared > 300);
}
