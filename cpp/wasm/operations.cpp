// Every operation and layer by name. JavaScript calls them with a record of nodes and settings.
#include "wasm/operations.hpp"

#include "nn/positional_encoding.hpp"
#include "nn/tied_embedding.hpp"
#include "ops/add.hpp"
#include "ops/concat.hpp"
#include "ops/embedding.hpp"
#include "ops/linear.hpp"
#include "ops/log_softmax.hpp"
#include "ops/mask.hpp"
#include "ops/matmul.hpp"
#include "ops/merge_heads.hpp"
#include "ops/patchify.hpp"
#include "ops/reshape.hpp"
#include "ops/scale.hpp"
#include "ops/slice.hpp"
#include "ops/softmax.hpp"
#include "ops/split_heads.hpp"
#include "ops/transpose.hpp"
#include "wasm/layers.hpp"
#include "wasm/part.hpp"

namespace attn {
namespace {

using emscripten::val;

template <typename T>
Tensor<T> apply_transpose(const Call<T>& call) {
  std::vector<int> axes;
  if (call.arguments.has("axes")) {
    for (const double axis : call.arguments.numbers("axes")) axes.push_back(static_cast<int>(axis));
    // An empty list of axes would mean the default.
    if (axes.empty()) refuse_option("transpose", "axes", "empty", "every axis once");
  }
  return transpose(call.tensor("x"), axes, call.name);
}

template <typename T>
Tensor<T> apply_concat(const Call<T>& call) {
  std::vector<Tensor<T>> tensors;
  const std::size_t count = call.arguments.size("count");
  for (std::size_t i = 0; i < count; ++i)
    tensors.push_back(call.tensor(("tensors[" + std::to_string(i) + "]").c_str()));
  return concat(tensors, call.arguments.integer("axis"), call.name);
}

template <typename T>
Tensor<T> apply_patchify(const Call<T>& call) {
  const std::vector<std::size_t> patch = call.arguments.sizes("patch");
  if (patch.size() != 2)
    refuse_option("patchify", "patch", std::to_string(patch.size()) + " sizes", "a height and a width");
  return patchify(call.tensor("image"),
                  {.patch_height = patch[0], .patch_width = patch[1], .order = call.arguments.text("order")},
                  call.name);
}

template <typename T>
std::vector<double> positions(const Call<T>& call) {
  if (call.arguments.has("positions")) return call.arguments.numbers("positions");
  return first_positions(call.graph, call.arguments.size("length"), call.arguments.operation());
}

// The positions shifted by `offset`.
template <typename T>
std::vector<double> shifted_positions(const Call<T>& call) {
  std::vector<double> shifted = positions(call);
  const double offset = call.arguments.optional_number("offset").value_or(0);
  for (double& position : shifted) position += offset;
  return shifted;
}

template <typename T>
Tensor<T> apply_rotary(const Call<T>& call) {
  const Tensor<T> x = call.tensor("x");
  const Shape& shape = x.shape();
  if (shape.size() < 2) refuse_shape("rotary", "x", shape, "at least 2 axes");
  const std::vector<double> positions =
      call.arguments.has("positions")
          ? call.arguments.numbers("positions")
          : first_positions(call.graph, shape[shape.size() - 2], call.arguments.operation());
  return rotary_encoding(x, positions, {.base = call.arguments.number("base"), .layout = call.arguments.text("layout")},
                         call.name);
}

// An operation that takes nodes and settings and adds one node.
template <typename T>
struct Operation {
  std::string_view name;
  Tensor<T> (*apply)(const Call<T>&);
};

template <typename T>
constexpr Operation<T> kOperations[] = {
    {"matmul", [](const Call<T>& call) { return matmul(call.tensor("a"), call.tensor("b"), call.name); }},
    {"add", [](const Call<T>& call) { return add(call.tensor("a"), call.tensor("b"), call.name); }},
    {"scale",
     [](const Call<T>& call) {
       const ScaleOptions by{.factor = call.arguments.optional_number("factor"),
                             .divisor = call.arguments.optional_number("divisor")};
       return scale(call.tensor("x"), by, call.name);
     }},
    {"transpose", apply_transpose<T>},
    {"reshape",
     [](const Call<T>& call) { return reshape(call.tensor("x"), call.arguments.sizes("shape"), call.name); }},
    {"slice",
     [](const Call<T>& call) {
       return slice(call.tensor("x"), call.arguments.integer("axis"), call.arguments.size("start"),
                    call.arguments.size("stop"), call.name);
     }},
    {"concat", apply_concat<T>},
    {"mask",
     [](const Call<T>& call) {
       return mask(call.tensor("x"), call.tensor("mask"), call.arguments.number("fill"), call.name);
     }},
    {"softmax",
     [](const Call<T>& call) {
       return softmax(call.tensor("x"),
                      {.axis = call.arguments.integer("axis"), .empty_is_zero = call.arguments.flag("emptyIsZero")},
                      call.name);
     }},
    {"logSoftmax",
     [](const Call<T>& call) { return log_softmax(call.tensor("x"), call.arguments.integer("axis"), call.name); }},
    {"linear",
     [](const Call<T>& call) {
       return linear(call.tensor("x"), call.tensor("weight"), call.optional_tensor("bias"), call.name);
     }},
    {"splitHeads",
     [](const Call<T>& call) { return split_heads(call.tensor("x"), call.arguments.size("numHeads"), call.name); }},
    {"mergeHeads", [](const Call<T>& call) { return merge_heads(call.tensor("x"), call.name); }},
    {"embedding",
     [](const Call<T>& call) {
       return embedding(call.tensor("ids"), call.tensor("table"), call.arguments.flag("scaleBySqrtDim"), call.name);
     }},
    {"tiedLogits",
     [](const Call<T>& call) { return tied_logits(call.tensor("hidden"), call.tensor("table"), call.name); }},
    {"patchify", apply_patchify<T>},
    {"sinusoidal",
     [](const Call<T>& call) {
       return sinusoidal_encoding(call.graph, shifted_positions(call), call.arguments.size("dim"),
                                  call.arguments.number("base"), call.name);
     }},
    {"absoluteIndex",
     [](const Call<T>& call) {
       return absolute_index_encoding(call.graph, positions(call), call.arguments.size("dim"), call.name);
     }},
    {"shiftMatrix",
     [](const Call<T>& call) {
       return sinusoidal_shift(call.graph, call.arguments.number("offset"), call.arguments.size("dim"),
                               call.arguments.number("base"), call.name);
     }},
    {"rotary", apply_rotary<T>},
};

template <typename T>
val dispatch(std::string_view operation, const Call<T>& call) {
  for (const Operation<T>& candidate : kOperations<T>) {
    if (candidate.name == operation) return Roles().with("output", candidate.apply(call)).record();
  }
  if (const std::optional<val> nodes = apply_layer(operation, call)) return *nodes;
  if (const std::optional<val> nodes = apply_of_part(operation, call)) return *nodes;
  refuse_option("graph", "operation", operation, "the name of an operation");
}

}  // namespace

template <typename T>
val apply_operation(Graph<T>& graph, const std::string& operation, const val& arguments, const std::string& name) {
  const std::size_t size = graph.size();
  try {
    return dispatch<T>(operation, {graph, Arguments(operation, arguments), name});
  } catch (...) {
    graph.truncate(size);
    throw;
  }
}

template val apply_operation(Graph<float>&, const std::string&, const val&, const std::string&);
template val apply_operation(Graph<double>&, const std::string&, const val&, const std::string&);

}  // namespace attn
