// Errors of layers and optimizers: every parameter missing or of a wrong shape, every input of a wrong rank, invalid
// options. Each call is refused with a message that states the expected value, and its nodes can be removed
// completely.
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <catch_amalgamated.hpp>

#include "nn/bert.hpp"
#include "nn/gpt2.hpp"
#include "nn/recurrent.hpp"
#include "nn/seq2seq.hpp"
#include "nn/vision_transformer.hpp"
#include "nn/word2vec.hpp"
#include "optim/adagrad.hpp"
#include "optim/adam.hpp"
#include "optim/clip_grad_norm.hpp"
#include "optim/rmsprop.hpp"
#include "optim/schedule.hpp"
#include "optim/sgd.hpp"

using attn::Graph;
using attn::Parameters;
using attn::ParameterSpecs;
using attn::Shape;
using attn::StateDict;
using attn::Tensor;

namespace {

using G = Graph<double>;
using State = StateDict<double>;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Tensor<double> zeros(G& graph, const Shape& shape) { return graph.leaf("", attn::full<double>(shape, 0)); }

// A layer called with one input of `shape`.
struct Layer {
  std::string name;
  ParameterSpecs specs;
  Shape shape;
  std::function<void(G&, const State&, const Shape&)> call;
};

std::vector<Layer> layers() {
  const attn::LayerSizes sizes{.d_model = 4, .d_ff = 6};
  const attn::LayerOptions options{.num_heads = 2};
  const attn::TransformerOptions both{.num_encoder_layers = 1, .num_decoder_layers = 1, .layer = options};
  const attn::StackOptions vit = attn::vision_transformer_options(1, 2);
  const attn::StackOptions bert = attn::bert_options(1, 2);
  const attn::StackOptions gpt2 = attn::gpt2_options(1, 2);
  const attn::VisionTransformerSizes image{
      .layer = sizes, .channels = 1, .image_height = 4, .image_width = 4, .patch = 2, .num_classes = 3};
  return {
      {"feed_forward",
       attn::feed_forward_parameters(4, 6),
       {3, 4},
       [](G& g, const State& state, const Shape& shape) { attn::feed_forward(zeros(g, shape), state); }},
      {"encoder_layer",
       attn::encoder_layer_parameters(sizes),
       {3, 4},
       [=](G& g, const State& state, const Shape& shape) { attn::encoder_layer(zeros(g, shape), state, options); }},
      {"decoder_layer",
       attn::decoder_layer_parameters(sizes),
       {3, 4},
       [=](G& g, const State& state, const Shape& shape) {
         attn::decoder_layer(zeros(g, shape), zeros(g, {2, 4}), state, options);
       }},
      {"transformer",
       attn::transformer_parameters(sizes, both),
       {3, 4},
       [=](G& g, const State& state, const Shape& shape) {
         attn::transformer(zeros(g, shape), zeros(g, {2, 4}), state, both);
       }},
      {"vision_transformer",
       attn::vision_transformer_parameters(image, vit),
       {1, 4, 4},
       [=](G& g, const State& state, const Shape& shape) { attn::vision_transformer(zeros(g, shape), state, vit); }},
      {"bert",
       attn::bert_parameters({.layer = sizes, .vocabulary = 5, .positions = 6}, bert),
       {3},
       [=](G& g, const State& state, const Shape& shape) { attn::bert(zeros(g, shape), {}, state, bert); }},
      {"gpt2",
       attn::gpt2_parameters({.layer = sizes, .vocabulary = 5, .positions = 6}, gpt2),
       {3},
       [=](G& g, const State& state, const Shape& shape) { attn::gpt2(zeros(g, shape), state, gpt2); }},
      {"recurrent",
       attn::recurrent_parameters(4, 3),
       {5, 4},
       [](G& g, const State& state, const Shape& shape) { attn::recurrent(zeros(g, shape), state); }},
      {"skip_gram",
       attn::word2vec_parameters(5, 3),
       {2},
       [](G& g, const State& state, const Shape& shape) { attn::skip_gram(zeros(g, shape), zeros(g, {2, 3}), state); }},
  };
}

// The message of a refusal; empty when the call succeeded. The nodes added by the call are removed.
template <typename Call>
std::string refusal(G& graph, const Call& call) {
  const std::size_t size = graph.size();
  const std::uint64_t bytes = graph.bytes();
  std::string message;
  try {
    call();
  } catch (const attn::InputError& error) {
    message = error.what();
  }
  graph.truncate(size);
  CHECK(graph.bytes() == bytes);
  return message;
}

bool is_clear(const std::string& message) {
  const std::size_t colon = message.find(": ");
  return colon != std::string::npos && colon > 0 && message.find("expected", colon) != std::string::npos;
}

const std::vector<std::function<void()>>& bad_settings() {
  static const std::vector<std::function<void()>> settings = {
      [] { attn::Sgd<double>({.lr = -1}); },
      [] { attn::Sgd<double>({.lr = kNan}); },
      [] { attn::Sgd<double>({.momentum = -0.5}); },
      [] { attn::Sgd<double>({.weight_decay = kNan}); },
      [] { attn::Sgd<double>({.momentum = 0, .nesterov = true}); },
      [] { attn::Adagrad<double>({.lr = -1}); },
      [] { attn::Adagrad<double>({.eps = -1}); },
      [] { attn::Rmsprop<double>({.alpha = -1}); },
      [] { attn::Rmsprop<double>({.eps = kNan}); },
      [] { attn::Adam<double>({.beta1 = 1}); },
      [] { attn::Adam<double>({.beta2 = -0.1}); },
      [] { attn::Adam<double>({.eps = kNan}); },
      [] { attn::Adam<double>({.weight_decay = -1}); },
      [] { attn::noam_lr(0, {}); },
      [] { attn::noam_lr(1, {.d_model = 0}); },
      [] { attn::noam_lr(1, {.warmup = 0}); },
      [] { attn::cosine_lr(0, {.lr = kNan}); },
      [] { attn::cosine_lr(0, {.steps = 0}); },
      [] {
        Parameters<double> none;
        attn::clip_grad_norm(none, kNan);
      },
      [] {
        attn::RandomState random(1);
        attn::negative_samples({0, 0}, 1, random);
      },
      [] {
        attn::RandomState random(1);
        attn::mask_tokens({7}, 5, 0, random);
      },
      [] { attn::activation_named("swish"); },
  };
  return settings;
}

}  // namespace

TEST_CASE("Layers refuse parameters and inputs of wrong shapes, each with a message") {
  std::size_t refused = 0;
  for (const Layer& layer : layers()) {
    const auto attempt = [&](const Parameters<double>& parameters, const Shape& shape) {
      G graph;
      const std::string message = refusal(graph, [&] { layer.call(graph, State(graph, parameters), shape); });
      refused += message.empty() ? 0 : 1;
      return message;
    };
    Parameters<double> well;
    well.draw(layer.specs, 1);
    INFO(layer.name);
    REQUIRE(attempt(well, layer.shape).empty());
    for (const attn::ParameterSpec& left_out : layer.specs) {
      INFO(left_out.name);
      Parameters<double> without;
      for (const attn::ParameterSpec& spec : layer.specs)
        if (spec.name != left_out.name) without.draw({spec}, 1);
      CHECK(is_clear(attempt(without, layer.shape)));
      for (const Shape& wrong : {Shape{}, Shape{7}, Shape{2, 9}, Shape{1, 1, 1, 1, 1}}) {
        Parameters<double> changed;
        for (const auto& parameter : std::as_const(well).list())
          changed.add(parameter.name, parameter.name == left_out.name ? attn::full<double>(wrong, 0) : parameter.value);
        CHECK(is_clear(attempt(changed, layer.shape)));
      }
    }
    for (const Shape& wrong : {Shape{1, 1, 1, 1, 1}, Shape{2, 3, 4, 5, 6}, Shape{9, 9, 9, 9}})
      CHECK(is_clear(attempt(well, wrong)));
  }
  CHECK(refused >= 200);
}

TEST_CASE("Invalid settings of optimizers, schedules and samplers are refused") {
  for (std::size_t at = 0; at < bad_settings().size(); ++at) {
    INFO(at);
    std::string message;
    try {
      bad_settings()[at]();
    } catch (const attn::InputError& error) {
      message = error.what();
    }
    CHECK(is_clear(message));
  }
}
