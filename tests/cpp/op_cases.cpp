// Uses of every operation over shapes drawn at random.
#include "op_cases.hpp"

#include "ops/absolute_index.hpp"
#include "ops/add.hpp"
#include "ops/alibi.hpp"
#include "ops/alibi_slopes.hpp"
#include "ops/attention.hpp"
#include "ops/concat.hpp"
#include "ops/embedding.hpp"
#include "ops/linear.hpp"
#include "ops/log_softmax.hpp"
#include "ops/mask.hpp"
#include "ops/matmul.hpp"
#include "ops/merge_heads.hpp"
#include "ops/patchify.hpp"
#include "ops/reshape.hpp"
#include "ops/rotary.hpp"
#include "ops/scale.hpp"
#include "ops/shift_matrix.hpp"
#include "ops/sinusoidal.hpp"
#include "ops/slice.hpp"
#include "ops/softmax.hpp"
#include "ops/split_heads.hpp"
#include "ops/transpose.hpp"

namespace op_cases {
namespace {

using attn::Graph;
using attn::RandomState;
using attn::Shape;
using attn::Tensor;

// A size from 1 to `most`.
std::size_t size(RandomState& random, std::int64_t most = 4) {
  return static_cast<std::size_t>(random.randint(1, most + 1));
}

template <typename T>
Tensor<T> normal(Graph<T>& graph, RandomState& random, const Shape& shape) {
  attn::Array<T> array = attn::full<T>(shape, T(0));
  for (std::size_t i = 0; i < array.size(); ++i) array.data()[i] = static_cast<T>(random.randn());
  return graph.leaf("", std::move(array));
}

// Whole numbers from 0 to `below` - 1.
template <typename T>
Tensor<T> whole(Graph<T>& graph, RandomState& random, const Shape& shape, std::size_t below) {
  attn::Array<T> array = attn::full<T>(shape, T(0));
  for (std::size_t i = 0; i < array.size(); ++i)
    array.data()[i] = static_cast<T>(random.randint(0, static_cast<std::int64_t>(below)));
  return graph.leaf("", std::move(array));
}

// `shape` with some axes made 1 and some leading ones left out, so that it broadcasts back.
Shape narrowed(RandomState& random, Shape shape) {
  for (std::size_t& axis : shape)
    if (random.randint(0, 3) == 0) axis = 1;
  const std::int64_t leading = random.randint(0, static_cast<std::int64_t>(shape.size()) + 1);
  shape.erase(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(leading));
  return shape;
}

template <typename T>
Tensor<T> batched_matmul(Graph<T>& graph, RandomState& random) {
  const Shape batch = {size(random, 3), size(random, 3)};
  Shape a = narrowed(random, batch);
  Shape b = narrowed(random, batch);
  const std::size_t m = size(random, 9);
  a.insert(a.end(), {size(random, 6), m});
  b.insert(b.end(), {m, size(random, 6)});
  const Tensor<T> left = normal(graph, random, a);
  return attn::matmul(left, normal(graph, random, b));
}

template <typename T>
Tensor<T> attended(Graph<T>& graph, RandomState& random, bool with_bias, bool with_keep,
                   attn::AttentionOptions<T> options = {}) {
  const Shape batch = {size(random, 2), size(random, 2)};
  const std::size_t queries = size(random, 11);
  const std::size_t keys = size(random, 9) + 1;
  const std::size_t width = size(random);
  Shape query = narrowed(random, batch);
  Shape key = narrowed(random, batch);
  Shape value = narrowed(random, batch);
  query.insert(query.end(), {queries, width});
  key.insert(key.end(), {keys, width});
  value.insert(value.end(), {keys, size(random)});
  Shape lead(std::max({query.size(), key.size(), value.size()}) - 2, 1);
  for (const Shape& shape : {query, key, value})
    for (std::size_t i = 2; i < shape.size(); ++i)
      lead.end()[1 - static_cast<std::ptrdiff_t>(i)] =
          std::max(lead.end()[1 - static_cast<std::ptrdiff_t>(i)], shape.end()[-1 - static_cast<std::ptrdiff_t>(i)]);
  Shape scores = lead;
  scores.insert(scores.end(), {queries, keys});
  const Tensor<T> q = normal(graph, random, query);
  const Tensor<T> k = normal(graph, random, key);
  const Tensor<T> v = normal(graph, random, value);
  if (with_bias) options.bias = normal(graph, random, narrowed(random, scores));
  if (with_keep) options.keep = whole(graph, random, narrowed(random, scores), 2);
  return attn::attention(q, k, v, options);
}

template <typename T>
void add_arithmetic(std::vector<OpCase<T>>& cases) {
  cases.push_back({"matmul", "two matrices", [](Graph<T>& graph, RandomState& random) {
                     const std::size_t m = size(random, 12);
                     const Tensor<T> a = normal(graph, random, {size(random, 9), m});
                     return attn::matmul(a, normal(graph, random, {m, size(random, 9)}));
                   }});
  cases.push_back({"matmul", "batches that broadcast", batched_matmul<T>});
  cases.push_back({"matmul", "a tensor with itself", [](Graph<T>& graph, RandomState& random) {
                     const std::size_t n = size(random);
                     const Tensor<T> a = normal(graph, random, {n, n});
                     return attn::matmul(a, a);
                   }});
  cases.push_back({"linear", "with a bias", [](Graph<T>& graph, RandomState& random) {
                     const std::size_t in = size(random, 10);
                     const std::size_t out = size(random, 6);
                     const Tensor<T> x = normal(graph, random, {size(random, 2), size(random, 6), in});
                     const Tensor<T> weight = normal(graph, random, {out, in});
                     return attn::linear(x, weight, normal(graph, random, {out}));
                   }});
  cases.push_back({"linear", "a vector without a bias", [](Graph<T>& graph, RandomState& random) {
                     const std::size_t in = size(random);
                     const Tensor<T> x = normal(graph, random, {in});
                     return attn::linear(x, normal(graph, random, {size(random), in}));
                   }});
  cases.push_back({"add", "shapes that broadcast", [](Graph<T>& graph, RandomState& random) {
                     const Shape shape = {size(random), size(random), size(random)};
                     const Tensor<T> a = normal(graph, random, narrowed(random, shape));
                     return attn::add(a, normal(graph, random, narrowed(random, shape)));
                   }});
  cases.push_back({"add", "a tensor to itself", [](Graph<T>& graph, RandomState& random) {
                     const Tensor<T> a = normal(graph, random, {size(random)});
                     return attn::add(a, a);
                   }});
  cases.push_back({"scale", "by a factor", [](Graph<T>& graph, RandomState& random) {
                     return attn::scale(normal(graph, random, {size(random), size(random)}), {.factor = -1.7});
                   }});
  cases.push_back({"scale", "by a divisor", [](Graph<T>& graph, RandomState& random) {
                     return attn::scale(normal(graph, random, {}), {.divisor = 1.7});
                   }});
  cases.push_back({"mask", "with -infinity",
                   [](Graph<T>& graph, RandomState& random) {
                     const Shape shape = {size(random), size(random), size(random)};
                     const Tensor<T> x = normal(graph, random, shape);
                     return attn::mask(x, whole(graph, random, narrowed(random, shape), 2));
                   },
                   false});
  cases.push_back({"mask", "with a number",
                   [](Graph<T>& graph, RandomState& random) {
                     const Shape shape = {size(random), size(random)};
                     const Tensor<T> x = normal(graph, random, shape);
                     return attn::mask(x, whole(graph, random, shape, 2), -3);
                   },
                   false});
  for (int axis : {-1, 0, 1}) {
    cases.push_back({"softmax", "axis " + std::to_string(axis), [axis](Graph<T>& graph, RandomState& random) {
                       return attn::softmax(
                           normal(graph, random, {size(random) + 1, size(random) + 1, size(random, 9) + 1}),
                           {.axis = axis, .empty_is_zero = axis == 0});
                     }});
    cases.push_back({"log_softmax", "axis " + std::to_string(axis), [axis](Graph<T>& graph, RandomState& random) {
                       return attn::log_softmax(
                           normal(graph, random, {size(random) + 1, size(random) + 1, size(random, 9) + 1}), axis);
                     }});
  }
  cases.push_back({"attention", "plain",
                   [](Graph<T>& graph, RandomState& random) { return attended<T>(graph, random, false, false); }});
  cases.push_back({"attention", "with a factor, a temperature and a bias",
                   [](Graph<T>& graph, RandomState& random) {
                     attn::AttentionOptions<T> options;
                     options.factor = 0.3;
                     options.temperature = 2;
                     return attended<T>(graph, random, true, false, options);
                   },
                   false});
  cases.push_back({"attention", "masked",
                   [](Graph<T>& graph, RandomState& random) { return attended<T>(graph, random, false, true); },
                   false});
  cases.push_back({"attention", "masked with a number, with a bias",
                   [](Graph<T>& graph, RandomState& random) {
                     attn::AttentionOptions<T> options;
                     options.divisor = 1.3;
                     options.fill = -0.5;
                     return attended<T>(graph, random, true, true, options);
                   },
                   false});
}

template <typename T>
void add_rearrangements(std::vector<OpCase<T>>& cases) {
  cases.push_back({"transpose", "the last two axes", [](Graph<T>& graph, RandomState& random) {
                     return attn::transpose(normal(graph, random, {size(random), size(random), size(random)}));
                   }});
  cases.push_back({"transpose", "given axes", [](Graph<T>& graph, RandomState& random) {
                     return attn::transpose(
                         normal(graph, random, {size(random), size(random), size(random), size(random)}),
                         {2, 0, -1, 1});
                   }});
  cases.push_back({"reshape", "axes joined", [](Graph<T>& graph, RandomState& random) {
                     const Shape shape = {size(random), size(random), size(random)};
                     return attn::reshape(normal(graph, random, shape), {shape[0] * shape[1], 1, shape[2]});
                   }});
  cases.push_back({"concat", "three parts", [](Graph<T>& graph, RandomState& random) {
                     const std::size_t rows = size(random);
                     const std::size_t width = size(random);
                     std::vector<Tensor<T>> parts;
                     for (int part = 0; part < 3; ++part)
                       parts.push_back(normal(graph, random, {rows, size(random), width}));
                     return attn::concat(parts, -2);
                   }});
  cases.push_back({"concat", "a tensor twice", [](Graph<T>& graph, RandomState& random) {
                     const Tensor<T> x = normal(graph, random, {size(random), size(random)});
                     return attn::concat<T>({x, x}, 0);
                   }});
  cases.push_back({"slice", "a middle part", [](Graph<T>& graph, RandomState& random) {
                     return attn::slice(normal(graph, random, {size(random), size(random) + 2, size(random)}), 1, 1, 3);
                   }});
  cases.push_back({"split_heads", "a batch", [](Graph<T>& graph, RandomState& random) {
                     const std::size_t heads = size(random);
                     return attn::split_heads(normal(graph, random, {size(random), size(random), heads * size(random)}),
                                              heads);
                   }});
  cases.push_back({"merge_heads", "a batch", [](Graph<T>& graph, RandomState& random) {
                     return attn::merge_heads(
                         normal(graph, random, {size(random), size(random), size(random), size(random)}));
                   }});
  for (const char* order : {"c p1 p2", "p1 p2 c"}) {
    cases.push_back({"patchify", order, [order](Graph<T>& graph, RandomState& random) {
                       const std::size_t height = size(random, 3);
                       const std::size_t width = size(random, 3);
                       Shape image = {size(random, 2), size(random, 3), height * size(random, 3),
                                      width * size(random, 3)};
                       if (random.randint(0, 2) == 0) image.erase(image.begin());
                       return attn::patchify(normal(graph, random, image), {height, width, order});
                     }});
  }
}

template <typename T>
void add_lookups_and_positions(std::vector<OpCase<T>>& cases) {
  for (bool scaled : {false, true}) {
    cases.push_back({"embedding", scaled ? "scaled" : "plain", [scaled](Graph<T>& graph, RandomState& random) {
                       const std::size_t rows = size(random, 5) + 1;
                       const Tensor<T> ids = whole(graph, random, {size(random), size(random)}, rows);
                       return attn::embedding(ids, normal(graph, random, {rows, size(random)}), scaled);
                     }});
  }
  cases.push_back({"sinusoidal", "any dim", [](Graph<T>& graph, RandomState& random) {
                     return attn::sinusoidal(normal(graph, random, {size(random)}), size(random, 7), 50);
                   }});
  for (const char* layout : {"interleaved", "half"}) {
    cases.push_back({"rotary", layout, [layout](Graph<T>& graph, RandomState& random) {
                       const std::size_t length = size(random);
                       const Tensor<T> x = normal(graph, random, {size(random), length, 2 * size(random)});
                       return attn::rotary(x, normal(graph, random, {length}), {.base = 50, .layout = layout});
                     }});
  }
  cases.push_back({"alibi_slopes", "any number of heads",
                   [](Graph<T>& graph, RandomState& random) { return attn::alibi_slopes(graph, size(random, 12)); }});
  for (bool causal : {false, true}) {
    cases.push_back({"alibi", causal ? "causal" : "both ways",
                     [causal](Graph<T>& graph, RandomState& random) {
                       return attn::alibi(normal(graph, random, {size(random)}), {size(random), size(random), causal});
                     },
                     false});
  }
  cases.push_back({"absolute_index", "any dim", [](Graph<T>& graph, RandomState& random) {
                     return attn::absolute_index(normal(graph, random, {size(random)}), size(random));
                   }});
  cases.push_back({"shift_matrix", "an even dim", [](Graph<T>& graph, RandomState& random) {
                     return attn::shift_matrix(normal(graph, random, {}), 2 * size(random), 50);
                   }});
}

}  // namespace

template <typename T>
std::vector<OpCase<T>> all() {
  std::vector<OpCase<T>> cases;
  add_arithmetic(cases);
  add_rearrangements(cases);
  add_lookups_and_positions(cases);
  return cases;
}

template std::vector<OpCase<float>> all<float>();
template std::vector<OpCase<double>> all<double>();

}  // namespace op_cases
