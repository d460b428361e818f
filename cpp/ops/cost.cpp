// What a graph costs: floating point operations of its nodes, numbers in its parameters.
#include "ops/cost.hpp"

#include <algorithm>
#include <array>

namespace attn {
namespace {

// What an op counts, as multiples of sizes.
struct Count {
  std::string_view name;
  std::uint8_t output = 0;         // per cell of the output
  std::uint8_t input = 0;          // per cell of the first input
  std::uint8_t needed = 0;         // inputs; every one more adds 1 per cell of the output. 0: it does not
  bool contracts = false;          // each cell of the output is a dot product along the last axis of the first input
  bool adds_when_reduced = false;  // 1 more per cell of the first input when the output is their sum or mean
};

constexpr std::array<Count, 46> kCounts = {{
    {.name = "absolute_index"},
    {.name = "add", .output = 1},
    {.name = "alibi", .output = 2},
    {.name = "alibi_slopes", .output = 2},
    {.name = "attention"},  // below
    {.name = "concat"},
    {.name = "conv1d", .needed = 2},                                            // and below
    {.name = "cosine_similarity", .output = 2, .input = 2, .contracts = true},  // and below
    {.name = "cross_entropy", .input = 5},
    {.name = "divide", .output = 1},
    {.name = "dropout", .output = 2},
    {.name = "embedding"},  // below
    {.name = "entropy", .input = 3},
    {.name = "exp", .output = 1},
    {.name = "gelu", .output = 5},  // and below
    {.name = "histogram", .input = 1},
    {.name = "kl_divergence", .input = 3, .adds_when_reduced = true},
    {.name = "layer_norm", .output = 5, .needed = 1},
    {.name = "linear", .needed = 2, .contracts = true},
    {.name = "log", .output = 1},
    {.name = "log_sigmoid", .output = 3},
    {.name = "log_softmax", .output = 5},
    {.name = "mask"},
    {.name = "matmul", .contracts = true},
    {.name = "maximum", .output = 1},
    {.name = "mean", .output = 1, .input = 1},
    {.name = "merge_heads"},
    {.name = "minimum", .output = 1},
    {.name = "mse_loss", .input = 2, .adds_when_reduced = true},
    {.name = "multiply", .output = 1},
    {.name = "one_hot"},
    {.name = "patchify"},
    {.name = "relu", .output = 1},
    {.name = "reshape"},
    {.name = "rotary", .output = 3},
    {.name = "scale", .output = 1},
    {.name = "shift_matrix"},  // below
    {.name = "sinusoidal", .output = 3},
    {.name = "slice"},
    {.name = "softmax", .output = 5},
    {.name = "split_heads"},
    {.name = "sqrt", .output = 1},
    {.name = "subtract", .output = 1},
    {.name = "sum", .input = 1},
    {.name = "tanh", .output = 1},
    {.name = "transpose"},
}};

bool is(const Attributes& attributes, const char* name, const Attribute& value) {
  const auto found = attributes.find(name);
  return found != attributes.end() && found->second == value;
}

// The steps that the fused op stands for: Q K^T, scaled, tempered, biased, softmax, times V.
std::uint64_t attention_flops(std::span<const Shape> inputs, const Shape& output, const Attributes& attributes) {
  const std::uint64_t keys = inputs[1].end()[-2];
  const std::uint64_t scores = output.back() ? cell_count(output) / output.back() * keys : 0;
  const std::uint64_t scaled = is(attributes, "factor", 1.0) ? 0 : 1;
  const std::uint64_t steps = scaled + attributes.count("temperature") + (is(attributes, "has_bias", true) ? 1 : 0) + 5;
  return scores * (2 * inputs[0].back() + steps) + 2 * keys * cell_count(output);
}

// What the numbers of a node were made from, through ops of one input such as slice and reshape.
template <typename T>
std::size_t source_of(const Graph<T>& graph, std::size_t id) {
  while (graph.node(id).op && graph.node(id).inputs.size() == 1) id = graph.node(id).inputs[0];
  return id;
}

// Whether `node` reads its input at `place` as a parameter.
template <typename T>
bool reads_parameter(const Graph<T>& graph, const Node<T>& node, std::size_t place) {
  if (!node.op || place == 0) return false;
  const std::string_view name = node.op->name();
  if (name != "matmul") return name == "linear" || name == "conv1d" || name == "layer_norm" || name == "embedding";
  // x W: not K transposed, nor the values that attention's weights choose from.
  const Node<T>& matrix = graph.node(node.inputs[1]);
  const Node<T>& x = graph.node(node.inputs[0]);
  const bool is_weights = x.op && (x.op->name() == "softmax" || x.op->name() == "dropout");
  return matrix.shape.size() == 2 && (!matrix.op || matrix.op->name() == "reshape") && !is_weights;
}

template <typename T>
bool is_parameter(const Graph<T>& graph, std::size_t id) {
  if (std::binary_search(graph.parameters().begin(), graph.parameters().end(), id)) return true;
  for (std::size_t reader = id + 1; reader < graph.size(); ++reader) {
    const Node<T>& node = graph.node(reader);
    for (std::size_t place = 1; place < node.inputs.size(); ++place)
      if (reads_parameter(graph, node, place) && source_of(graph, node.inputs[place]) == id) return true;
  }
  return false;
}

}  // namespace

std::optional<std::uint64_t> flops(std::string_view name, std::span<const Shape> inputs, const Shape& output,
                                   const Attributes& attributes) {
  const Count* const end = kCounts.data() + kCounts.size();
  const Count* count =
      std::find_if(kCounts.data(), end, [&](const Count& candidate) { return candidate.name == name; });
  if (count == end) return std::nullopt;
  const std::uint64_t cells = cell_count(output);
  const std::uint64_t first = inputs.empty() ? 0 : cell_count(inputs[0]);
  std::uint64_t sum = cells * count->output + first * count->input;
  if (count->needed) sum += cells * (inputs.size() - count->needed);
  if (count->contracts) sum += 2 * cells * inputs[0].back();
  if (count->adds_when_reduced && output != inputs[0]) sum += first;
  if (name == "attention") sum += attention_flops(inputs, output, attributes);
  if (name == "conv1d") sum += 2 * cells * inputs[1][1] * inputs[1][2];
  if (name == "cosine_similarity") sum += 2 * cell_count(inputs[1]);
  if (name == "embedding" && is(attributes, "scale_by_sqrt_dim", true)) sum += cells;
  if (name == "gelu" && is(attributes, "variant", std::string("tanh"))) sum += 4 * cells;
  // Two numbers in each row of it are not 0.
  if (name == "shift_matrix") sum += 6 * output.back();
  return sum;
}

template <typename T>
Cost cost(const Graph<T>& graph, std::size_t id) {
  const Node<T>& node = graph.node(id);
  if (!node.op) return {.parameters = is_parameter(graph, id) ? cell_count(node.shape) : 0};
  std::vector<Shape> inputs;
  for (const std::size_t input : node.inputs) inputs.push_back(graph.node(input).shape);
  return {.flops = flops(node.op->name(), inputs, node.shape, node.op->attributes()).value_or(0)};
}

template <typename T>
Cost cost(const Graph<T>& graph) {
  Cost sum;
  for (std::size_t id = 0; id < graph.size(); ++id) {
    const Cost one = cost(graph, id);
    sum.flops += one.flops;
    sum.parameters += one.parameters;
  }
  return sum;
}

#define INSTANTIATE(T)                              \
  template Cost cost(const Graph<T>&, std::size_t); \
  template Cost cost(const Graph<T>&)
INSTANTIATE(float);
INSTANTIATE(double);
#undef INSTANTIATE

}  // namespace attn
