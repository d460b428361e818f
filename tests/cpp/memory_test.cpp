// A thousand graphs, created and freed, use no more memory than ten.
#include <cstdlib>

#include <catch_amalgamated.hpp>

#include "nn/transformer.hpp"
#include "nn/vision_transformer.hpp"

// The sanitizers of native builds have an allocator of their own.
#ifdef __EMSCRIPTEN__
#include <malloc.h>

using attn::Graph;
using attn::Parameters;
using attn::StateDict;

namespace {

std::size_t live_bytes() {
  const auto memory_info = mallinfo();
  return memory_info.uordblks + memory_info.hblkhd;
}

template <typename T, typename Build>
void check_freed(const attn::ParameterSpecs& specs, Build build) {
  Parameters<T> parameters;
  parameters.draw(specs, 1);
  std::size_t bytes_while_alive = 0;
  const auto build_many = [&](int times) {
    for (int i = 0; i < times; ++i) {
      Graph<T> graph({.observe = i % 2 == 0});
      const StateDict<T> state(graph, parameters);
      const attn::Tensor<T> output = build(graph, state);
      graph.backward(output.id);
      const std::size_t size = graph.size();
      try {
        graph.leaf("", attn::full<T>({2}, T{1}));
        graph.leaf(graph.node(0).name, attn::full<T>({2}, T{1}));
      } catch (const attn::InputError&) {
        graph.truncate(size);
      }
      (void)graph.explain(output.id, attn::Index(output.shape().size(), 0));
      bytes_while_alive = live_bytes();
    }
  };
  build_many(10);
  const std::size_t after_ten = live_bytes();
  CHECK(bytes_while_alive > after_ten);  // the measurement sees a graph
  build_many(1000);
  // Less than a thousand of the smallest blocks: malloc may keep some memory for later, but no graph may leave a
  // block.
  CHECK(live_bytes() < after_ten + 1000 * 32);
}

}  // namespace

TEMPLATE_TEST_CASE("A thousand graphs use no more memory than ten", "", float, double) {
  using T = TestType;
  const attn::LayerSizes sizes{.d_model = 8, .d_ff = 16};
  SECTION("transformer") {
    const attn::TransformerOptions options{
        .num_encoder_layers = 2, .num_decoder_layers = 2, .layer = {.num_heads = 2, .dropout = {.p = 0.1, .seed = 3}}};
    check_freed<T>(attn::transformer_parameters(sizes, options), [&](Graph<T>& graph, const StateDict<T>& state) {
      return attn::transformer(graph.leaf("", attn::full<T>({2, 4, 8}, T{1})),
                               graph.leaf("", attn::full<T>({2, 3, 8}, T{2})), state, options)
          .output;
    });
  }
  SECTION("vision transformer") {
    const attn::StackOptions options = attn::vision_transformer_options(2, 2);
    const attn::VisionTransformerSizes image{
        .layer = sizes, .channels = 3, .image_height = 8, .image_width = 8, .patch = 4, .num_classes = 5};
    check_freed<T>(
        attn::vision_transformer_parameters(image, options), [&](Graph<T>& graph, const StateDict<T>& state) {
          return attn::vision_transformer(graph.leaf("", attn::full<T>({2, 3, 8, 8}, T{1})), state, options).logits;
        });
  }
}

#endif
