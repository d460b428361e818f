// Uses of operations on indices: rearrangements of cells, lookups by id, encodings of positions.
#include "op_cases.hpp"
#include "op_draws.hpp"
#include "ops/absolute_index.hpp"
#include "ops/alibi.hpp"
#include "ops/alibi_slopes.hpp"
#include "ops/concat.hpp"
#include "ops/embedding.hpp"
#include "ops/interpolation_matrix.hpp"
#include "ops/merge_heads.hpp"
#include "ops/one_hot.hpp"
#include "ops/patchify.hpp"
#include "ops/reshape.hpp"
#include "ops/rotary.hpp"
#include "ops/shift_matrix.hpp"
#include "ops/sinusoidal.hpp"
#include "ops/slice.hpp"
#include "ops/split_heads.hpp"
#include "ops/transpose.hpp"

namespace op_cases {
namespace {

using attn::Graph;
using attn::Shape;
using attn::Tensor;

// The product of the two weights that the rows give.
double interpolation_weight(const attn::Explanation& explanation) {
  double product = 1;
  for (const attn::Row& row : explanation.rows)
    if (row.role == "row_weight" || row.role == "column_weight") product *= row.value.value();
  return product;
}

template <typename T>
void add_rearrangements(std::vector<OpCase<T>>& cases) {
  cases.push_back({"transpose", "the last two axes", [](Graph<T>& graph, Draws& random) {
                     return attn::transpose(normal(graph, random, {size(random), size(random), size(random)}));
                   }});
  cases.push_back({"transpose", "given axes", [](Graph<T>& graph, Draws& random) {
                     return attn::transpose(
                         normal(graph, random, {size(random), size(random), size(random), size(random)}),
                         {2, 0, -1, 1});
                   }});
  cases.push_back({"reshape", "axes joined", [](Graph<T>& graph, Draws& random) {
                     const Shape shape = {size(random), size(random), size(random)};
                     return attn::reshape(normal(graph, random, shape), {shape[0] * shape[1], 1, shape[2]});
                   }});
  cases.push_back({"concat", "three parts", [](Graph<T>& graph, Draws& random) {
                     const std::size_t rows = size(random);
                     const std::size_t width = size(random);
                     std::vector<Tensor<T>> parts;
                     for (int part = 0; part < 3; ++part)
                       parts.push_back(normal(graph, random, {rows, size(random), width}));
                     return attn::concat(parts, -2);
                   }});
  cases.push_back({"concat", "a tensor twice", [](Graph<T>& graph, Draws& random) {
                     const Tensor<T> x = normal(graph, random, {size(random), size(random)});
                     return attn::concat<T>({x, x}, 0);
                   }});
  cases.push_back({"slice", "a middle part", [](Graph<T>& graph, Draws& random) {
                     return attn::slice(normal(graph, random, {size(random), size(random) + 2, size(random)}), 1, 1, 3);
                   }});
  cases.push_back({"split_heads", "a batch", [](Graph<T>& graph, Draws& random) {
                     const std::size_t heads = size(random);
                     return attn::split_heads(normal(graph, random, {size(random), size(random), heads * size(random)}),
                                              heads);
                   }});
  cases.push_back({"merge_heads", "a batch", [](Graph<T>& graph, Draws& random) {
                     return attn::merge_heads(
                         normal(graph, random, {size(random), size(random), size(random), size(random)}));
                   }});
  for (const char* order : {"c p1 p2", "p1 p2 c"}) {
    cases.push_back({"patchify", order, [order](Graph<T>& graph, Draws& random) {
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
    cases.push_back({"embedding", scaled ? "scaled" : "plain", [scaled](Graph<T>& graph, Draws& random) {
                       const std::size_t rows = size(random, 6, 2);
                       const Tensor<T> ids = whole(graph, random, {size(random), size(random)}, rows);
                       return attn::embedding(ids, normal(graph, random, {rows, size(random)}), scaled);
                     }});
  }
  cases.push_back({"one_hot", "any number of classes",
                   [](Graph<T>& graph, Draws& random) {
                     const std::size_t classes = size(random, 5, 2);
                     return attn::one_hot(whole(graph, random, {size(random), size(random)}, classes), classes);
                   },
                   false});
  cases.push_back({"sinusoidal", "any dim", [](Graph<T>& graph, Draws& random) {
                     return attn::sinusoidal(normal(graph, random, {size(random)}), size(random, 7), 50);
                   }});
  for (const char* layout : {"interleaved", "half"}) {
    cases.push_back({"rotary", layout, [layout](Graph<T>& graph, Draws& random) {
                       const std::size_t length = size(random);
                       const Tensor<T> x = normal(graph, random, {size(random), length, 2 * size(random)});
                       return attn::rotary(x, normal(graph, random, {length}), {.base = 50, .layout = layout});
                     }});
  }
  cases.push_back({"alibi_slopes", "any number of heads",
                   [](Graph<T>& graph, Draws& random) { return attn::alibi_slopes(graph, size(random, 12)); }});
  for (bool causal : {false, true}) {
    cases.push_back({"alibi", causal ? "causal" : "both ways",
                     [causal](Graph<T>& graph, Draws& random) {
                       return attn::alibi(normal(graph, random, {size(random)}), {size(random), size(random), causal});
                     },
                     false});
  }
  cases.push_back({"absolute_index", "any dim", [](Graph<T>& graph, Draws& random) {
                     return attn::absolute_index(normal(graph, random, {size(random)}), size(random));
                   }});
  cases.push_back({"shift_matrix", "an even dim", [](Graph<T>& graph, Draws& random) {
                     return attn::shift_matrix(normal(graph, random, {}), 2 * size(random), 50);
                   }});
  for (const char* mode : {"bilinear", "bicubic"}) {
    cases.push_back({"interpolation_matrix", mode, [mode](Graph<T>& graph, Draws& random) {
                       const Shape from = {size(random), size(random)};
                       const Shape to = {size(random, 7), size(random, 7)};
                       return attn::interpolation_matrix(graph, {.from = from, .to = to, .mode = mode});
                     }});
  }
}

}  // namespace

template <typename T>
void add_indexing(std::vector<OpCase<T>>& cases) {
  add_rearrangements(cases);
  add_lookups_and_positions(cases);
  describe(cases, "absolute_index", {.needs_cells = true});
  describe(cases, "alibi", {.why_unchanged = "the key at the query's own position has distance 0"});
  describe(cases, "alibi_slopes", {.needs_cells = true});
  describe(cases, "embedding", {.needs_cells = true});
  describe(cases, "interpolation_matrix", {.needs_cells = true, .recombine = interpolation_weight});
  describe(cases, "one_hot",
           {.why_unchanged = "another id changes only the columns of the old and the new class", .needs_cells = true});
  describe(cases, "patchify", {.needs_cells = true});
  describe(cases, "shift_matrix", {.needs_cells = true});
  describe(cases, "sinusoidal", {.needs_cells = true});
  describe(cases, "slice", {.needs_cells = true});
  describe(cases, "split_heads", {.needs_cells = true});
}

template void add_indexing(std::vector<OpCase<float>>&);
template void add_indexing(std::vector<OpCase<double>>&);

}  // namespace op_cases
