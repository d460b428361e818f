// Patch embedding against PyTorch's convolution, its gradients, and what it refuses.
#include "nn/patch_embedding.hpp"

#include "golden.hpp"

using attn::Graph;
using attn::PatchEmbeddingParameters;
using attn::Shape;
using attn::Tensor;
using golden::Json;

namespace {

template <typename T>
std::optional<Tensor<T>> optional(Graph<T>& graph, const Json& inputs, const std::string& name) {
  return inputs.contains(name) ? std::optional(graph.leaf(name, golden::array<T>(inputs[name]))) : std::nullopt;
}

template <typename T>
PatchEmbeddingParameters<T> parameters(Graph<T>& graph, const Json& inputs) {
  return {.weight = *optional(graph, inputs, "weight"),
          .bias = optional(graph, inputs, "bias"),
          .cls = optional(graph, inputs, "cls"),
          .position = optional(graph, inputs, "pos")};
}

}  // namespace

TEMPLATE_TEST_CASE("Patch embedding gives the numbers of a convolution, the class token and the positions", "", float,
                   double) {
  std::size_t embedded = 0;
  for (const Json& test : golden::cases("vit_patch")) {
    if (test["params"]["op"] != "embed") continue;
    Graph<TestType> graph({.observe = true});
    const Tensor<TestType> image = graph.leaf("image", golden::array<TestType>(test["inputs"]["image"]));
    const auto steps = patch_embedding(image, parameters(graph, test["inputs"]));
    golden::check<TestType>(test, "tokens", steps.tokens.value());
    if (test["expected"].contains("with_cls_pos")) golden::check<TestType>(test, "with_cls_pos", steps.output.value());
    CHECK(graph.at("patches").id == steps.patches.id);
    ++embedded;
  }
  CHECK(embedded > 2);
}

TEST_CASE("Gradients of patch embedding are PyTorch's") {
  for (const Json& test : golden::cases("gradients")) {
    if (test["params"]["op"] != "vit_patch") continue;
    Graph<double> graph;
    const Tensor<double> image = graph.leaf("image", golden::array<double>(test["inputs"]["image"]));
    const auto steps = patch_embedding(image, parameters(graph, test["inputs"]));
    golden::check<double>(test, "output", steps.output.value());
    graph.backward(steps.output.id, golden::array<double>(test["inputs"]["g_out"]));
    for (const char* name : {"image", "weight", "bias", "cls", "pos"})
      golden::check<double>(test, std::string("grad_") + name, *graph.node(graph.at(name).id).gradient);
  }
}

TEST_CASE("Patch embedding refuses parameters that do not fit the image") {
  Graph<double> graph;
  const auto leaf = [&](const Shape& shape) { return graph.leaf("", attn::full<double>(shape, 1)); };
  const auto message = [&](const Shape& image, const PatchEmbeddingParameters<double>& given) -> std::string {
    try {
      patch_embedding(leaf(image), given);
    } catch (const attn::InputError& error) {
      return error.what();
    }
    return "";
  };
  const Tensor<double> weight = leaf({6, 3, 2, 2});
  CHECK(message({3, 4, 4}, {.weight = leaf({6, 12})}) ==
        "patch_embedding: weight has shape (6, 12), expected (D, C, ph, pw)");
  CHECK(message({1, 4, 4}, {.weight = weight}).find("with the 3 channels of weight (6, 3, 2, 2)") != std::string::npos);
  CHECK(message({3, 4, 4}, {.weight = weight, .bias = leaf({5})}) ==
        "patch_embedding: bias has shape (5,), expected (6,)");
  CHECK(message({3, 4, 4}, {.weight = weight, .cls = leaf({4})}) ==
        "patch_embedding: cls has shape (4,), expected (6,)");
  CHECK(message({3, 4, 4}, {.weight = weight, .cls = leaf({6}), .position = leaf({4, 6})}) ==
        "patch_embedding: position has shape (4, 6), expected (5, 6)");
  CHECK(message({3, 4, 4}, {.weight = weight, .position = leaf({4, 6})}).empty());
  CHECK(!message({3, 5, 4}, {.weight = weight}).empty());
}
