// Uses of every operation with random shapes.
#include "op_cases.hpp"

namespace op_cases {

template <typename T>
std::vector<OpCase<T>> all() {
  std::vector<OpCase<T>> cases;
  add_attention(cases);
  add_indexing(cases);
  add_arithmetic(cases);
  add_losses(cases);
  return cases;
}

template <typename T>
std::vector<OpCase<T>> all_with_gradients() {
  std::vector<OpCase<T>> cases = all<T>();
  std::erase_if(cases, [](const OpCase<T>& one) {
    Draws draws(1);
    attn::Graph<T> graph;
    return graph.node(one.build(graph, draws).id).content.kind != attn::Content::Kind::numbers;
  });
  return cases;
}

template std::vector<OpCase<float>> all<float>();
template std::vector<OpCase<double>> all<double>();
template std::vector<OpCase<float>> all_with_gradients<float>();
template std::vector<OpCase<double>> all_with_gradients<double>();

}  // namespace op_cases
