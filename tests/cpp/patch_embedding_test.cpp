// Patch embedding against PyTorch's convolution; its gradients and errors.
#include "nn/patch_embedding.hpp"

#include "golden.hpp"
#include "ops/reshape.hpp"
#include "ops/transpose.hpp"

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

TEST_CASE("Patch embedding in row-vector form equals the convolution, and its steps have names") {
  Graph<double> graph({.observe = true});
  const auto leaf = [&](const std::string& name, const Shape& shape) {
    attn::Array<double> numbers = attn::full<double>(shape, 0);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers.data()[i] = double((7 * i) % 11) - 5;
    return graph.leaf(name, std::move(numbers));
  };
  const Tensor<double> image = leaf("image", {3, 4, 4});
  const Tensor<double> rows = leaf("W_E", {12, 6});
  const Tensor<double> bias = leaf("b_E", {6});
  const Tensor<double> cls = leaf("CLS", {1, 6});
  const Tensor<double> position = leaf("position", {5, 6});
  const PatchEmbeddingParameters<double> row_form{.weight = rows, .bias = bias, .cls = cls, .position = position};
  const auto steps = patch_embedding(image, row_form, {.patch = attn::PatchSize{2, 2}, .output_name = "sequence"});
  const Tensor<double> kernel = attn::reshape(attn::transpose(rows), {6, 3, 2, 2});
  const PatchEmbeddingParameters<double> as_kernel{.weight = kernel, .bias = bias, .cls = cls, .position = position};
  const auto convolved = patch_embedding(image, as_kernel, {.name = "convolution."});
  CHECK(steps.output.value() == convolved.output.value());
  for (const auto& [name, id] : {std::pair{"patches", steps.patches.id}, std::pair{"projected", steps.projected->id},
                                 std::pair{"tokens", steps.tokens.id}, std::pair{"joined", steps.joined->id},
                                 std::pair{"sequence", steps.output.id}})
    CHECK(graph.at(name).id == id);
  CHECK(graph.node(steps.joined->id).inputs == std::vector<std::size_t>{cls.id, steps.tokens.id});
  CHECK_THROWS_WITH(
      patch_embedding(image, row_form, {.patch = attn::PatchSize{4, 2}}),
      "patch_embedding: weight has shape (12, 6), expected as many rows as a patch of image (3, 4, 4) has "
      "numbers");
}

TEST_CASE("Patch embedding refuses parameters that do not fit the image") {
  Graph<double> graph;
  const auto leaf = [&](const Shape& shape) { return graph.leaf("", attn::full<double>(shape, 1)); };
  const auto message = [&](const Shape& image, const PatchEmbeddingParameters<double>& parameters) -> std::string {
    try {
      patch_embedding(leaf(image), parameters);
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
