// The layers by name: calls that add several nodes.
#include "wasm/layers.hpp"

#include <algorithm>
#include <initializer_list>

#include "nn/multi_head_attention.hpp"
#include "nn/patch_embedding.hpp"
#include "nn/positional_encoding.hpp"

namespace attn {
namespace {

using emscripten::val;

template <typename T>
void add_steps(Roles& roles, const ScaledDotProductAttention<T>& steps) {
  roles.with("keyTransposed", steps.key_transposed)
      .with("scores", steps.scores)
      .with("scaled", steps.scaled)
      .with("tempered", steps.tempered)
      .with("masked", steps.masked)
      .with("weights", steps.weights)
      .with("dropped", steps.dropped);
}

template <typename T>
val apply_attention(const Call<T>& call) {
  ScaledDotProductAttentionOptions<T> options;
  options.mask = attention_mask(call);
  options.causal = causal_of(call.arguments);
  options.scale = call.arguments.optional_number("scale");
  options.unscaled = call.arguments.flag("unscaled");
  options.temperature = call.arguments.optional_number("temperature");
  options.dropout = dropout_of(call.arguments);
  options.name = call.prefix();
  const ScaledDotProductAttention<T> steps =
      scaled_dot_product_attention(call.tensor("query"), call.tensor("key"), call.tensor("value"), options);
  Roles roles;
  add_steps(roles, steps);
  return roles.with("output", steps.output).record();
}

// Whether a multi-head attention may have PyTorch's parameters. The labs that the opening part computes use the
// row-vector form.
#ifdef PLAYGROUND_OPENING
constexpr bool kHasTorchParameters = false;
#else
constexpr bool kHasTorchParameters = true;
#endif

// Determines which of the two forms the parameters have. Throws InputError for a mixture, part of which would be
// ignored.
[[maybe_unused]] bool has_row_vectors(const Arguments& arguments) {
  const auto first_of = [&](std::initializer_list<const char*> names) -> const char* {
    const auto found = std::find_if(names.begin(), names.end(), [&](const char* name) { return arguments.has(name); });
    return found == names.end() ? nullptr : *found;
  };
  const char* row = first_of({"wQ", "wK", "wV", "wO", "bQ", "bK", "bV", "bO"});
  const char* torch = first_of(
      {"inProjWeight", "qProjWeight", "kProjWeight", "vProjWeight", "inProjBias", "outProjWeight", "outProjBias"});
  if (row && torch) {
    refuse_option(arguments.operation(), "parameters", std::string("a mixture with ") + row + " and " + torch,
                  "either { wQ, wK, wV, wO } and their biases or those of torch.nn.MultiheadAttention");
  }
  return row != nullptr;
}

template <typename T>
val apply_multi_head_attention(const Call<T>& call) {
  MultiHeadAttentionOptions<T> options;
  options.num_heads = call.arguments.size("numHeads");
  options.mask = attention_mask(call);
  options.key_mask = call.optional_tensor("keyMask");
  options.causal = causal_of(call.arguments);
  options.scale = call.arguments.optional_number("scale");
  options.unscaled = call.arguments.flag("unscaled");
  options.dropout = dropout_of(call.arguments);
  options.name = call.prefix();
  const Tensor<T> query = call.tensor("query");
  const Tensor<T> key = call.tensor("key");
  const Tensor<T> value = call.tensor("value");
  if constexpr (kHasTorchParameters) {
    if (!has_row_vectors(call.arguments)) {
      const TorchParameters<T> parameters{.in_proj_weight = call.optional_tensor("inProjWeight"),
                                          .q_proj_weight = call.optional_tensor("qProjWeight"),
                                          .k_proj_weight = call.optional_tensor("kProjWeight"),
                                          .v_proj_weight = call.optional_tensor("vProjWeight"),
                                          .in_proj_bias = call.optional_tensor("inProjBias"),
                                          .out_proj_weight = call.tensor("outProjWeight"),
                                          .out_proj_bias = call.optional_tensor("outProjBias")};
      return roles_of(multi_head_attention(query, key, value, parameters, options));
    }
  }
  const RowVectorParameters<T> parameters{.w_q = call.tensor("wQ"),
                                          .w_k = call.tensor("wK"),
                                          .w_v = call.tensor("wV"),
                                          .w_o = call.optional_tensor("wO"),
                                          .b_q = call.optional_tensor("bQ"),
                                          .b_k = call.optional_tensor("bK"),
                                          .b_v = call.optional_tensor("bV"),
                                          .b_o = call.optional_tensor("bO")};
  return roles_of(multi_head_attention(query, key, value, parameters, options));
}

template <typename T>
val apply_patch_embedding(const Call<T>& call) {
  const PatchEmbeddingParameters<T> parameters{.weight = call.tensor("weight"),
                                               .bias = call.optional_tensor("bias"),
                                               .cls = call.optional_tensor("cls"),
                                               .position = call.optional_tensor("position")};
  PatchEmbeddingOptions options{.name = call.prefix()};
  if (call.arguments.has("patch")) {
    const std::vector<std::size_t> patch = call.arguments.sizes("patch");
    if (patch.size() != 2)
      refuse_option(call.arguments.operation(), "patch", std::to_string(patch.size()) + " sizes",
                    "a height and a width");
    options.patch = PatchSize{patch[0], patch[1]};
  }
  if (call.arguments.has("outputName")) options.output_name = call.arguments.text("outputName");
  const PatchEmbedding<T> steps = patch_embedding(call.tensor("image"), parameters, options);
  return Roles()
      .with("patches", steps.patches)
      .with("projected", steps.projected)
      .with("tokens", steps.tokens)
      .with("joined", steps.joined)
      .with("output", steps.output)
      .record();
}

template <typename T>
val apply_alibi(const Call<T>& call) {
  const AlibiOptions options{.query_length = call.arguments.size("queryLength"),
                             .key_length = call.arguments.size("keyLength"),
                             .causal = call.arguments.flag("causal")};
  const AlibiBias<T> steps = alibi_bias(call.graph, call.arguments.size("numHeads"), options, call.name);
  return Roles().with("slopes", steps.slopes).with("bias", steps.bias).record();
}

}  // namespace

Causal causal_of(const Arguments& arguments, const std::string& of) {
  const std::string argument = of + "causal";
  if (!arguments.has(argument.c_str())) return Causal::none;
  const std::string rule = arguments.text(argument.c_str());
  if (rule == "top_left") return Causal::top_left;
  if (rule == "bottom_right") return Causal::bottom_right;
  refuse_option(arguments.operation(), argument, rule, "top_left or bottom_right");
}

Dropout dropout_of(const Arguments& arguments) {
  if (!arguments.has("dropout.p")) return {};
  return {.p = arguments.number("dropout.p"), .seed = static_cast<std::uint32_t>(arguments.size("dropout.seed"))};
}

template <typename T>
val roles_of(const MultiHeadAttention<T>& steps) {
  Roles roles;
  roles.with("query", steps.query).with("key", steps.key).with("value", steps.value);
  roles.with("queryHeads", steps.query_heads).with("keyHeads", steps.key_heads).with("valueHeads", steps.value_heads);
  add_steps(roles, steps.attention);
  return roles.with("heads", steps.attention.output).with("concat", steps.concat).with("output", steps.output).record();
}

template val roles_of(const MultiHeadAttention<float>&);
template val roles_of(const MultiHeadAttention<double>&);

template <typename T>
std::optional<val> apply_layer(std::string_view layer, const Call<T>& call) {
  if (layer == "scaledDotProductAttention") return apply_attention(call);
  if (layer == "multiHeadAttention") return apply_multi_head_attention(call);
  if (layer == "patchEmbedding") return apply_patch_embedding(call);
  if (layer == "alibi") return apply_alibi(call);
  return std::nullopt;
}

template std::optional<val> apply_layer(std::string_view, const Call<float>&);
template std::optional<val> apply_layer(std::string_view, const Call<double>&);

}  // namespace attn
