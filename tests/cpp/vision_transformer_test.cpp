// The Vision Transformer against PyTorch's numbers, and attention rollout through its layers.
#include "nn/vision_transformer.hpp"

#include "golden_layers.hpp"
#include "nn/attention_rollout.hpp"
#include "refused_call.hpp"

using attn::Array;
using attn::Graph;
using attn::Parameters;
using attn::Shape;
using attn::StackOptions;
using attn::StateDict;
using golden::Json;
using golden::Leaves;

namespace {

const std::map<std::string, std::string> kNames = {{"patch_weight", "conv_proj.weight"},
                                                   {"patch_bias", "conv_proj.bias"},
                                                   {"cls", "class_token"},
                                                   {"pos", "pos_embedding"},
                                                   {"head_weight", "head.weight"},
                                                   {"head_bias", "head.bias"}};

}  // namespace

TEMPLATE_TEST_CASE("The Vision Transformer gives PyTorch's numbers", "", float, double) {
  using T = TestType;
  for (const Json& test : golden::cases("vit_forward")) {
    const Json& params = test["params"];
    StackOptions options =
        attn::vision_transformer_options(params["layers"].get<std::size_t>(), params["heads"].get<std::size_t>());
    CHECK(options.layer.eps == params["eps"].get<double>());
    for (const bool observe : {true, false}) {
      Graph<T> graph({.observe = observe});
      Leaves<T> leaves(graph, test);
      const auto steps = attn::vision_transformer(leaves.at("image"), leaves.parameters(kNames), options);
      golden::check<T>(test, "embedded", steps.embedding.output.value());
      golden::check<T>(test, "encoded", steps.encoder.output.value());
      golden::check<T>(test, "logits", steps.logits.value());
      if (observe)
        golden::check<T>(test, "attention", steps.encoder.layers[0].self_attention.attention.weights->value());
    }
  }
}

TEST_CASE("A drawn Vision Transformer has the parameters it reads, for one image and for a batch") {
  const attn::VisionTransformerSizes sizes{.layer = {.d_model = 4, .d_ff = 8},
                                           .channels = 2,
                                           .image_height = 4,
                                           .image_width = 6,
                                           .patch = 2,
                                           .num_classes = 3};
  const StackOptions options = attn::vision_transformer_options(2, 2);
  Parameters<double> parameters;
  parameters.draw(attn::vision_transformer_parameters(sizes, options), 4);
  CHECK(attn::shape_of(parameters.at("pos_embedding").value) == Shape{7, 4});
  Graph<double> graph({.observe = true});
  const StateDict<double> state(graph, parameters);
  Array<double> image = attn::full<double>({1, 2, 4, 6}, 0);
  for (std::size_t i = 0; i < image.size(); ++i) image.data()[i] = static_cast<double>(i % 7);
  const Array<double> many =
      attn::vision_transformer(graph.leaf("images", image), state, options, "many.").logits.value();
  image.reshape({std::size_t{2}, std::size_t{4}, std::size_t{6}});
  const Array<double> one = attn::vision_transformer(graph.leaf("image", image), state, options, "one.").logits.value();
  CHECK(attn::shape_of(one) == Shape{3});
  CHECK(std::equal(one.begin(), one.end(), many.begin()));
  for (const std::string step :
       {"one.embedding.patches", "one.layers.1.self_attn.weights", "one.norm", "one.cls", "one.logits"})
    CHECK_NOTHROW(graph.at(step));
  // Every parameter has a gradient.
  graph.backward(graph.at("many.logits").id);
  for (const auto& parameter : parameters.list()) CHECK(graph.node(graph.at(parameter.name).id).gradient.has_value());

  attn::VisionTransformerSizes wrong = sizes;
  wrong.image_width = 5;
  CHECK(refusal([&] { attn::vision_transformer_parameters(wrong, options); }) ==
        "vision_transformer: patch is 2, expected a divisor of height 4 and width 5");
  wrong.patch = 0;
  CHECK(refusal([&] { attn::vision_transformer_parameters(wrong, options); }) ==
        "vision_transformer: patch is 0, expected a divisor of height 4 and width 5");
}

TEST_CASE("Rollout multiplies the mean weights of the layers, with the residual connection") {
  Graph<double> graph({.observe = true});
  Array<double> first = attn::full<double>({2, 2, 2}, 0);
  Array<double> second = attn::full<double>({2, 2, 2}, 0);
  const std::vector<double> a = {0.5, 0.5, 0, 1, 1, 0, 0.5, 0.5};  // mean [[.75, .25], [.25, .75]]
  const std::vector<double> b = {1, 0, 0, 0, 0, 1, 0, 0};          // mean [[.5, .5], [0, 0]]: token 1 sees nothing
  std::copy(a.begin(), a.end(), first.begin());
  std::copy(b.begin(), b.end(), second.begin());
  const auto rollout = attn::attention_rollout<double>({graph.leaf("a", first), graph.leaf("b", second)});
  // A_0 = [[.875, .125], [.125, .875]], A_1 = [[.75, .25], [0, 1]]
  const std::vector<double> expected = {0.75 * 0.875 + 0.25 * 0.125, 0.75 * 0.125 + 0.25 * 0.875, 0.125, 0.875};
  for (std::size_t i = 0; i < 4; ++i) CHECK(std::abs(rollout.value().data()[i] - expected[i]) < 1e-15);
  CHECK(graph.node(rollout.id).name == "rollout_1");

  CHECK(refusal([] { attn::attention_rollout<double>({}); }) ==
        "attention_rollout: weights is empty, expected the weights of at least one layer");
  const auto flat = graph.leaf("flat", attn::full<double>({2, 2}, 0));
  CHECK(refusal([&] { attn::attention_rollout<double>({flat}); }) ==
        "attention_rollout: weights[0] has shape (2, 2), expected (heads, L, L) or (batch, heads, L, L)");
  const auto wide = graph.leaf("wide", attn::full<double>({2, 3, 3}, 0));
  CHECK(refusal([&] { attn::attention_rollout<double>({wide, graph.at("a")}, "again."); }) ==
        "attention_rollout: weights[1] has shape (2, 2, 2), expected (2, 3, 3), the shape of weights[0]");
}
