// Patches, the convolution's tokens, class token and positions against reference numbers.
#include "ops/patchify.hpp"

#include "golden.hpp"
#include "ops/add.hpp"
#include "ops/concat.hpp"
#include "ops/linear.hpp"
#include "ops/reshape.hpp"

using attn::Graph;
using attn::Shape;
using attn::Tensor;

namespace {

template <typename T>
void check_embedding(const golden::Json& test, Graph<T>& graph, const Tensor<T>& image,
                     const attn::PatchifyOptions& options) {
  auto input = [&](const char* name) { return graph.leaf(name, golden::array<T>(test["inputs"][name])); };
  const Tensor<T> weight = input("weight");
  const std::size_t dim = weight.shape()[0];
  const Tensor<T> flat = attn::reshape(weight, {dim, weight.value().size() / dim});
  const Tensor<T> tokens = attn::linear(attn::patchify(image, options), flat, input("bias"));
  golden::check<T>(test, "tokens", tokens.value());
  if (!test["expected"].contains("with_cls_pos")) return;
  Tensor<T> cls = input("cls");
  Shape first = tokens.shape();
  first.end()[-2] = 1;
  const Tensor<T> none = graph.leaf("none", attn::full<T>(first, T(0)));
  cls = attn::add(none, cls);  // one class token per sample
  golden::check<T>(test, "with_cls_pos", attn::add(attn::concat<T>({cls, tokens}, -2), input("pos")).value());
}

}  // namespace

TEST_CASE("Patches of an image without rows and columns have the right width, or are refused") {
  Graph<double> graph;
  const Tensor<double> image = graph.leaf("image", attn::full<double>({4, 0, 0}, 0));
  CHECK(attn::patchify(image, {16, 8}).shape() == Shape{0, 512});
  const std::size_t most = std::size_t{1} << 31;
  // 4 x 2^31 x 2^31 = 2^64, which wraps to 0 in 64 bits.
  CHECK_THROWS_WITH(attn::patchify(image, {most, most}),
                    Catch::Matchers::StartsWith("shape: (2147483648, 2147483648, 4) has too many cells"));
  if constexpr (sizeof(std::size_t) == 4)
    CHECK_THROWS_WITH(attn::patchify(image, {65536, 65536}),
                      "shape: (65536, 65536, 4) has too many cells, expected at most 4294967295");
}

TEMPLATE_TEST_CASE("patchify gives the reference numbers", "", float, double) {
  for (const golden::Json& test : golden::cases("vit_patch")) {
    INFO(test["name"].get<std::string>());
    const golden::Json& params = test["params"];
    attn::PatchifyOptions options{params["patch_h"].get<std::size_t>(), params["patch_w"].get<std::size_t>()};
    Graph<TestType> graph;
    const Tensor<TestType> image = graph.leaf("image", golden::array<TestType>(test["inputs"]["image"]));
    if (test["expected"].contains("error")) {
      CHECK_THROWS_AS(attn::patchify(image, options), attn::InputError);
    } else if (params["op"] == "embed") {
      check_embedding(test, graph, image, options);
    } else {
      for (const char* order : {"c p1 p2", "p1 p2 c"}) {
        options.order = order;
        golden::check<TestType>(test, order, attn::patchify(image, options).value());
      }
    }
  }
}
