// Every operation and layer by its name: what JavaScript calls with a record of nodes and settings.
#include "wasm/operations.hpp"

#include "nn/multi_head_attention.hpp"
#include "nn/patch_embedding.hpp"
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
#include "wasm/arguments.hpp"

namespace attn {
namespace {

using emscripten::val;

// A call: where its nodes are, what it was given, what to call its node.
template <typename T>
struct Call {
  Graph<T>& graph;
  const Arguments& given;
  const std::string& name;

  Tensor<T> tensor(const char* argument) const {
    const std::size_t id = given.size(argument);
    graph.node(id);
    return {&graph, id};
  }
  std::optional<Tensor<T>> optional_tensor(const char* argument) const {
    return given.has(argument) ? std::optional(tensor(argument)) : std::nullopt;
  }
  // What stands before the names of the steps of a layer.
  std::string prefix() const { return name.empty() ? name : name + "."; }
};

// The nodes of a layer by role.
class Roles {
 public:
  template <typename T>
  Roles& with(const char* role, const Tensor<T>& tensor) {
    record_.set(role, tensor.id);
    return *this;
  }
  template <typename T>
  Roles& with(const char* role, const std::optional<Tensor<T>>& tensor) {
    if (tensor) record_.set(role, tensor->id);
    return *this;
  }
  val record() const { return record_; }

 private:
  val record_ = val::object();
};

template <typename T>
Tensor<T> apply_transpose(const Call<T>& call) {
  std::vector<int> axes;
  if (call.given.has("axes")) {
    for (const double axis : call.given.numbers("axes")) axes.push_back(static_cast<int>(axis));
    // No axes at all would mean the default.
    if (axes.empty()) refuse_option("transpose", "axes", "empty", "every axis once");
  }
  return transpose(call.tensor("x"), axes, call.name);
}

template <typename T>
Tensor<T> apply_concat(const Call<T>& call) {
  std::vector<Tensor<T>> tensors;
  const std::size_t count = call.given.size("count");
  for (std::size_t i = 0; i < count; ++i) tensors.push_back(call.tensor(("tensors[" + std::to_string(i) + "]").c_str()));
  return concat(tensors, call.given.whole("axis"), call.name);
}

template <typename T>
Tensor<T> apply_patchify(const Call<T>& call) {
  const std::vector<std::size_t> patch = call.given.sizes("patch");
  if (patch.size() != 2) refuse_option("patchify", "patch", std::to_string(patch.size()) + " sizes", "a height and a width");
  return patchify(call.tensor("image"),
                  {.patch_height = patch[0], .patch_width = patch[1], .order = call.given.text("order")}, call.name);
}

template <typename T>
std::vector<double> positions(const Call<T>& call) {
  if (call.given.has("positions")) return call.given.numbers("positions");
  const std::size_t length = call.given.size("length");
  call.graph.check_memory(std::uint64_t{length} * sizeof(double), call.given.operation());
  return first_positions(length);
}

template <typename T>
Tensor<T> apply_rotary(const Call<T>& call) {
  const Tensor<T> x = call.tensor("x");
  const Shape& shape = x.shape();
  if (shape.size() < 2) refuse_shape("rotary", "x", shape, "at least 2 axes");
  const std::vector<double> places =
      call.given.has("positions") ? call.given.numbers("positions") : first_positions(shape[shape.size() - 2]);
  return rotary_encoding(x, places, {.base = call.given.number("base"), .layout = call.given.text("layout")}, call.name);
}

// What takes nodes and settings and makes one node.
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
       const ScaleOptions by{.factor = call.given.optional_number("factor"),
                             .divisor = call.given.optional_number("divisor")};
       return scale(call.tensor("x"), by, call.name);
     }},
    {"transpose", apply_transpose<T>},
    {"reshape", [](const Call<T>& call) { return reshape(call.tensor("x"), call.given.sizes("shape"), call.name); }},
    {"slice",
     [](const Call<T>& call) {
       return slice(call.tensor("x"), call.given.whole("axis"), call.given.size("start"), call.given.size("stop"), call.name);
     }},
    {"concat", apply_concat<T>},
    {"mask",
     [](const Call<T>& call) {
       return mask(call.tensor("x"), call.tensor("mask"), call.given.number("fill"), call.name);
     }},
    {"softmax",
     [](const Call<T>& call) {
       return softmax(call.tensor("x"),
                      {.axis = call.given.whole("axis"), .empty_is_zero = call.given.flag("emptyIsZero")}, call.name);
     }},
    {"logSoftmax", [](const Call<T>& call) { return log_softmax(call.tensor("x"), call.given.whole("axis"), call.name); }},
    {"linear",
     [](const Call<T>& call) {
       return linear(call.tensor("x"), call.tensor("weight"), call.optional_tensor("bias"), call.name);
     }},
    {"splitHeads",
     [](const Call<T>& call) { return split_heads(call.tensor("x"), call.given.size("numHeads"), call.name); }},
    {"mergeHeads", [](const Call<T>& call) { return merge_heads(call.tensor("x"), call.name); }},
    {"embedding",
     [](const Call<T>& call) {
       return embedding(call.tensor("ids"), call.tensor("table"), call.given.flag("scaleBySqrtDim"), call.name);
     }},
    {"tiedLogits",
     [](const Call<T>& call) { return tied_logits(call.tensor("hidden"), call.tensor("table"), call.name); }},
    {"patchify", apply_patchify<T>},
    {"sinusoidal",
     [](const Call<T>& call) {
       return sinusoidal_encoding(call.graph, positions(call), call.given.size("dim"), call.given.number("base"), call.name);
     }},
    {"absoluteIndex",
     [](const Call<T>& call) {
       return absolute_index_encoding(call.graph, positions(call), call.given.size("dim"), call.name);
     }},
    {"shiftMatrix",
     [](const Call<T>& call) {
       return sinusoidal_shift(call.graph, call.given.number("offset"), call.given.size("dim"), call.given.number("base"),
                               call.name);
     }},
    {"rotary", apply_rotary<T>},
};

template <typename T>
std::optional<AttentionMask<T>> attention_mask(const Call<T>& call) {
  if (!call.given.has("mask")) return std::nullopt;
  AttentionMask<T> mask{call.tensor("mask")};
  if (!call.given.flag("maskIsBoolean")) mask.kind = AttentionMask<T>::Kind::add;
  if (call.given.has("fill")) mask.fill = call.given.number("fill");
  return mask;
}

Causal causal(const Arguments& given) {
  if (!given.has("causal")) return Causal::none;
  const std::string rule = given.text("causal");
  if (rule == "top_left") return Causal::top_left;
  if (rule == "bottom_right") return Causal::bottom_right;
  refuse_option(given.operation(), "causal", rule, "top_left or bottom_right");
}

template <typename T>
void add_steps(Roles& roles, const ScaledDotProductAttention<T>& steps) {
  roles.with("keyTransposed", steps.key_transposed)
      .with("scores", steps.scores)
      .with("scaled", steps.scaled)
      .with("tempered", steps.tempered)
      .with("masked", steps.masked)
      .with("weights", steps.weights);
}

template <typename T>
val apply_attention(const Call<T>& call) {
  ScaledDotProductAttentionOptions<T> options;
  options.mask = attention_mask(call);
  options.causal = causal(call.given);
  options.scale = call.given.optional_number("scale");
  options.temperature = call.given.optional_number("temperature");
  options.name = call.prefix();
  const ScaledDotProductAttention<T> steps =
      scaled_dot_product_attention(call.tensor("query"), call.tensor("key"), call.tensor("value"), options);
  Roles roles;
  add_steps(roles, steps);
  return roles.with("output", steps.output).record();
}

template <typename T>
val apply_multi_head_attention(const Call<T>& call) {
  MultiHeadAttentionOptions<T> options;
  options.num_heads = call.given.size("numHeads");
  options.mask = attention_mask(call);
  options.key_mask = call.optional_tensor("keyMask");
  options.causal = causal(call.given);
  options.scale = call.given.optional_number("scale");
  options.name = call.prefix();
  const Tensor<T> query = call.tensor("query");
  const Tensor<T> key = call.tensor("key");
  const Tensor<T> value = call.tensor("value");
  MultiHeadAttention<T> steps;
  if (call.given.has("wQ")) {
    const RowVectorParameters<T> parameters{call.tensor("wQ"), call.tensor("wK"), call.tensor("wV"), call.tensor("wO")};
    steps = multi_head_attention(query, key, value, parameters, options);
  } else {
    const TorchParameters<T> parameters{.in_proj_weight = call.optional_tensor("inProjWeight"),
                                        .q_proj_weight = call.optional_tensor("qProjWeight"),
                                        .k_proj_weight = call.optional_tensor("kProjWeight"),
                                        .v_proj_weight = call.optional_tensor("vProjWeight"),
                                        .in_proj_bias = call.optional_tensor("inProjBias"),
                                        .out_proj_weight = call.tensor("outProjWeight"),
                                        .out_proj_bias = call.optional_tensor("outProjBias")};
    steps = multi_head_attention(query, key, value, parameters, options);
  }
  Roles roles;
  roles.with("query", steps.query).with("key", steps.key).with("value", steps.value);
  roles.with("queryHeads", steps.query_heads).with("keyHeads", steps.key_heads).with("valueHeads", steps.value_heads);
  add_steps(roles, steps.attention);
  return roles.with("heads", steps.attention.output).with("concat", steps.concat).with("output", steps.output).record();
}

template <typename T>
val apply_patch_embedding(const Call<T>& call) {
  const PatchEmbeddingParameters<T> parameters{.weight = call.tensor("weight"),
                                               .bias = call.optional_tensor("bias"),
                                               .cls = call.optional_tensor("cls"),
                                               .position = call.optional_tensor("position")};
  const PatchEmbedding<T> steps = patch_embedding(call.tensor("image"), parameters, call.prefix());
  return Roles().with("patches", steps.patches).with("tokens", steps.tokens).with("output", steps.output).record();
}

template <typename T>
val apply_alibi(const Call<T>& call) {
  const AlibiOptions options{.query_length = call.given.size("queryLength"),
                             .key_length = call.given.size("keyLength"),
                             .causal = call.given.flag("causal")};
  const AlibiBias<T> steps = alibi_bias(call.graph, call.given.size("numHeads"), options, call.name);
  return Roles().with("slopes", steps.slopes).with("bias", steps.bias).record();
}

template <typename T>
val dispatch(std::string_view operation, const Call<T>& call) {
  for (const Operation<T>& candidate : kOperations<T>) {
    if (candidate.name == operation) return Roles().with("output", candidate.apply(call)).record();
  }
  if (operation == "scaledDotProductAttention") return apply_attention(call);
  if (operation == "multiHeadAttention") return apply_multi_head_attention(call);
  if (operation == "patchEmbedding") return apply_patch_embedding(call);
  if (operation == "alibi") return apply_alibi(call);
  refuse_option("graph", "operation", operation, "the name of an operation");
}

}  // namespace

template <typename T>
val apply_operation(Graph<T>& graph, const std::string& operation, const val& given, const std::string& name) {
  const std::size_t size = graph.size();
  try {
    return dispatch<T>(operation, {graph, Arguments(operation, given), name});
  } catch (...) {
    graph.truncate(size);
    throw;
  }
}

template val apply_operation(Graph<float>&, const std::string&, const val&, const std::string&);
template val apply_operation(Graph<double>&, const std::string&, const val&, const std::string&);

}  // namespace attn
