// Counts of operations and parameters, against figures computed by hand and PyTorch's sizes of known models.
#include "ops/cost.hpp"

#include <catch_amalgamated.hpp>

#include "nn/additive_attention.hpp"
#include "nn/convolution.hpp"
#include "nn/encoder.hpp"
#include "nn/recurrent.hpp"
#include "nn/transformer.hpp"
#include "nn/vision_transformer.hpp"
#include "ops/argmax.hpp"
#include "ops/conv1d.hpp"
#include "ops/embedding.hpp"
#include "ops/gelu.hpp"
#include "ops/layer_norm.hpp"
#include "ops/linear.hpp"
#include "ops/matmul.hpp"
#include "ops/mean.hpp"
#include "ops/mse_loss.hpp"
#include "ops/slice.hpp"
#include "ops/softmax.hpp"

using attn::Graph;
using attn::Parameters;
using attn::Shape;
using attn::StateDict;
using attn::Tensor;

namespace {

Tensor<double> zeros(Graph<double>& graph, const Shape& shape) { return graph.leaf("", attn::full<double>(shape, 0)); }

std::uint64_t flops_of(const Tensor<double>& node) { return attn::cost(*node.graph, node.id).flops; }
std::uint64_t parameters_of(const Tensor<double>& node) { return attn::cost(*node.graph, node.id).parameters; }

// The number of parameters of `layer` according to `specs`.
std::uint64_t counted(const attn::ParameterSpecs& specs) {
  Parameters<double> parameters;
  parameters.draw(specs, 1);
  return parameters.count();
}

}  // namespace

TEST_CASE("Operations are counted as in a textbook") {
  Graph<double> graph;
  const Tensor<double> x = zeros(graph, {2, 3, 5});
  CHECK(flops_of(attn::matmul(x, zeros(graph, {5, 7}))) == 2 * 2 * 3 * 5 * 7);
  CHECK(flops_of(attn::linear(x, zeros(graph, {7, 5}))) == 2 * 2 * 3 * 5 * 7);
  CHECK(flops_of(attn::linear(x, zeros(graph, {7, 5}), zeros(graph, {7}))) == 2 * 2 * 3 * 5 * 7 + 2 * 3 * 7);
  CHECK(flops_of(attn::conv1d(x, zeros(graph, {4, 3, 2}), zeros(graph, {4}))) == 2 * 4 * 4 * (2 * 3 * 2 + 1));
  CHECK(flops_of(attn::softmax(x)) == 5 * 30);
  CHECK(flops_of(attn::mean(x)) == 30 + 1);
  CHECK(flops_of(attn::layer_norm(x, zeros(graph, {5}), zeros(graph, {5}))) == 7 * 30);
  CHECK(flops_of(attn::layer_norm(x)) == 5 * 30);
  CHECK(flops_of(attn::gelu(x)) == 5 * 30);
  CHECK(flops_of(attn::gelu(x, {.variant = "tanh"})) == 9 * 30);
  CHECK(flops_of(attn::embedding(zeros(graph, {2, 3}), zeros(graph, {4, 5}))) == 0);
  CHECK(flops_of(attn::embedding(zeros(graph, {2, 3}), zeros(graph, {4, 5}), true)) == 30);
  CHECK(flops_of(attn::mse_loss(x, x, {.reduction = "none"})) == 60);
  CHECK(flops_of(attn::mse_loss(x, x)) == 90);
  CHECK(flops_of(attn::argmax(x, {.axis = 1})) == 30);
}

TEST_CASE("Fused attention counts the operations of its steps") {
  std::array<std::uint64_t, 2> sums = {};
  for (const bool observe : {false, true}) {
    Graph<double> graph({.observe = observe});
    const attn::ScaledDotProductAttentionOptions<double> options{.causal = attn::Causal::top_left, .temperature = 2.0};
    attn::scaled_dot_product_attention(zeros(graph, {2, 4, 3}), zeros(graph, {2, 6, 3}), zeros(graph, {2, 6, 5}),
                                       options);
    sums[observe ? 1 : 0] = attn::cost(graph).flops;
    CHECK(attn::cost(graph).parameters == 0);
  }
  // per score: 2 d_k for the product, 1 for the scale, 1 for the temperature, 5 for the softmax, 2 d_v for the values
  CHECK(sums[0] == 2 * 4 * 6 * (2 * 3 + 1 + 1 + 5 + 2 * 5));
  CHECK(sums[1] == sums[0]);
}

TEST_CASE("Parameters are the leaves that layers read as parameters") {
  Graph<double> graph;
  const Tensor<double> x = zeros(graph, {2, 4});
  const Tensor<double> weight = zeros(graph, {3, 4});
  attn::linear(x, weight);
  CHECK(parameters_of(x) == 0);
  CHECK(parameters_of(weight) == 12);
  const attn::AdditiveAttentionParameters<double> additive{zeros(graph, {4, 5}), zeros(graph, {4, 5}),
                                                           zeros(graph, {5})};
  attn::additive_attention(x, x, x, additive);
  CHECK(parameters_of(additive.w_q) + parameters_of(additive.w_k) + parameters_of(additive.w_v) == 45);
  const Tensor<double> w = zeros(graph, {4, 4});
  attn::multi_head_attention(x, x, x, attn::RowVectorParameters<double>{w, w, w, w}, {.num_heads = 2});
  CHECK(parameters_of(w) == 16);
  CHECK(attn::cost(graph).parameters == 12 + 45 + 16);
}

TEST_CASE("An encoder layer has PyTorch's parameters and the operations of its projections") {
  Parameters<double> parameters;
  parameters.draw(attn::encoder_layer_parameters({.d_model = 8, .d_ff = 32}), 1);
  Graph<double> graph;
  attn::encoder_layer(zeros(graph, {2, 5, 8}), StateDict<double>(graph, parameters), {.num_heads = 2});
  // in_proj 3 D D + 3 D, out_proj D D + D, linear1 D F + F, linear2 F D + D, two norms 4 D
  const std::uint64_t expected = 3 * 64 + 24 + 64 + 8 + 8 * 32 + 32 + 32 * 8 + 8 + 4 * 8;
  CHECK(attn::cost(graph).parameters == expected);
  CHECK(parameters.count() == expected);
  const std::uint64_t rows = 2 * 5;
  const std::uint64_t projections = rows * (4 * (2 * 64 + 8) + 2 * 8 * 32 + 32 + 2 * 32 * 8 + 8);
  const std::uint64_t attention = 2 * 2 * 5 * 5 * (2 * 4 + 1 + 5 + 2 * 4);
  // two residuals, relu, two norms with 7 operations per number
  CHECK(attn::cost(graph).flops == projections + attention + rows * (2 * 8 + 32 + 2 * 7 * 8));
}

TEST_CASE("Known models have their known sizes") {
  // ViT-Base/16: 86 567 656; torch.nn.Transformer(): 44 140 544. The small models here follow the same formulas.
  const auto layer = [](std::uint64_t d, std::uint64_t f) { return 4 * d * d + 4 * d + 2 * d * f + f + d + 4 * d; };
  const std::uint64_t vit =
      12 * layer(768, 3072) + 2 * 768 + (3 * 16 * 16 * 768 + 768) + 768 + 197 * 768 + (768 * 1000 + 1000);
  CHECK(vit == 86567656);
  const auto decoder_layer = [&](std::uint64_t d, std::uint64_t f) { return layer(d, f) + 4 * d * d + 4 * d + 2 * d; };
  CHECK(6 * layer(512, 2048) + 6 * decoder_layer(512, 2048) + 4 * 512 == 44140544);

  const attn::StackOptions stack = attn::vision_transformer_options(2, 2);
  const attn::VisionTransformerSizes sizes{.layer = {.d_model = 8, .d_ff = 16},
                                           .channels = 3,
                                           .image_height = 8,
                                           .image_width = 8,
                                           .patch = 4,
                                           .num_classes = 10};
  const attn::ParameterSpecs specs = attn::vision_transformer_parameters(sizes, stack);
  const std::uint64_t small = 2 * layer(8, 16) + 2 * 8 + (3 * 4 * 4 * 8 + 8) + 8 + 5 * 8 + (8 * 10 + 10);
  CHECK(counted(specs) == small);
  Parameters<double> parameters;
  parameters.draw(specs, 1);
  Graph<double> graph;
  attn::vision_transformer(zeros(graph, {2, 3, 8, 8}), StateDict<double>(graph, parameters), stack);
  CHECK(attn::cost(graph).parameters == small);

  const attn::TransformerOptions options{.num_encoder_layers = 2, .num_decoder_layers = 1, .layer = {.num_heads = 2}};
  Parameters<double> both;
  both.draw(attn::transformer_parameters({.d_model = 8, .d_ff = 16}, options), 1);
  Graph<double> second;
  attn::transformer(zeros(second, {2, 4, 8}), zeros(second, {2, 3, 8}), StateDict<double>(second, both), options);
  CHECK(attn::cost(second).parameters == 2 * layer(8, 16) + decoder_layer(8, 16) + 4 * 8);
}

TEST_CASE("A recurrent layer has as many sequential steps as positions, other layers have one") {
  const auto steps = [](const attn::ParameterSpecs& specs, auto build) {
    Parameters<double> parameters;
    parameters.draw(specs, 1);
    Graph<double> graph;
    build(graph, StateDict<double>(graph, parameters));
    return attn::sequential_steps(graph);
  };
  using Weights = const StateDict<double>&;
  for (const std::size_t length : {std::size_t{1}, std::size_t{4}, std::size_t{9}}) {
    const auto recurrent = [&](Graph<double>& graph, Weights weights) {
      attn::recurrent(zeros(graph, {length, 3}), weights);
    };
    CHECK(steps(attn::recurrent_parameters(3, 3), recurrent) == length);
  }
  const auto encoder = [](Graph<double>& graph, Weights weights) {
    attn::encoder_layer(zeros(graph, {5, 8}), weights, {.num_heads = 2});
  };
  CHECK(steps(attn::encoder_layer_parameters({.d_model = 8, .d_ff = 16}), encoder) == 1);
  const auto convolution = [](Graph<double>& graph, Weights weights) {
    attn::convolution(zeros(graph, {5, 3}), weights, {.padding = 1});
  };
  CHECK(steps(attn::convolution_parameters(3, 3, 3), convolution) == 1);
  const auto attention = [](Graph<double>& graph, Weights) {
    const Tensor<double> x = zeros(graph, {2, 4, 3});
    attn::scaled_dot_product_attention(x, x, x);
  };
  CHECK(steps({}, attention) == 1);
  // A weight that is read again by nodes that depend on it, also through a slice of it.
  const auto twice = [](Graph<double>& graph, Weights) {
    const Tensor<double> w = zeros(graph, {3, 3});
    const Tensor<double> first_read = attn::linear(zeros(graph, {2, 3}), w);
    attn::linear(attn::linear(first_read, attn::slice(w, 0, 0, 3)), zeros(graph, {3, 3}));
  };
  CHECK(steps({}, twice) == 2);
  CHECK(steps({}, [](Graph<double>& graph, Weights) { zeros(graph, {2}); }) == 0);
}
