// Models that read ids, and the layers that attention is compared with, by name.
#include "wasm/transformer/sequence_models.hpp"

#include "nn/bert.hpp"
#include "nn/convolution.hpp"
#include "nn/recurrent.hpp"
#include "wasm/transformer/layer_settings.hpp"
#include "wasm/transformer/model_roles.hpp"
#include "wasm/transformer/models.hpp"
#include "wasm/transformer/state_dict.hpp"

namespace attn {

using emscripten::val;

namespace {

// How ids become the rows of a sequence.
Seq2SeqOptions embedding_options_of(const Arguments& arguments) {
  return {.base = arguments.number("base"),
          .positions = arguments.flag("positions"),
          .scale_embedding = arguments.flag("scaleEmbedding")};
}

}  // namespace

Seq2SeqOptions seq2seq_options_of(const Arguments& arguments) {
  Seq2SeqOptions options = embedding_options_of(arguments);
  options.transformer = transformer_options_of(arguments);
  return options;
}

GreedyOptions greedy_options_of(const Arguments& arguments) {
  GreedyOptions greedy{
      .begin = arguments.size("begin"), .steps = arguments.size("steps"), .cache = arguments.flag("cache")};
  if (arguments.has("end")) greedy.end = arguments.size("end");
  return greedy;
}

val list_of_ids(const std::vector<std::vector<std::size_t>>& samples) {
  val list = val::array();
  for (const std::vector<std::size_t>& sample : samples) {
    const std::vector<std::int32_t> ids(sample.begin(), sample.end());
    list.call<void>("push", copy_of(ids.data(), ids.size()));
  }
  return list;
}

namespace {

template <typename T>
val apply_seq2seq(const Call<T>& call) {
  const TransformerMasks<T> masks{
      .source = masks_of(call, "source."), .target = masks_of(call, "target."), .memory = masks_of(call, "memory.")};
  const Seq2Seq<T> model = seq2seq(call.tensor("srcIds"), call.tensor("tgtIds"), state_dict_of(call),
                                   seq2seq_options_of(call.arguments), masks, call.prefix());
  return Roles()
      .with("source", model.source)
      .with("target", model.target)
      .with("transformer", roles_of(model.transformer))
      .with("logits", model.logits)
      .with("logProbs", model.log_probs)
      .record();
}

template <typename T>
val apply_greedy_decoding(const Call<T>& call) {
  const GreedyDecoding<T> decoded =
      greedy_decoding(call.tensor("srcIds"), state_dict_of(call), seq2seq_options_of(call.arguments),
                      greedy_options_of(call.arguments), call.optional_tensor("keyMask"), call.prefix());
  val logits = val::array();
  for (const Tensor<T>& row : decoded.logits) logits.call<void>("push", row.id);
  return Roles().with("memory", decoded.memory).with("ids", list_of_ids(decoded.ids)).with("logits", logits).record();
}

template <typename T>
val apply_bert(const Call<T>& call) {
  const Bert<T> model = bert(call.tensor("ids"), call.optional_tensor("segmentIds"), state_dict_of(call),
                             stack_options_of(call.arguments), call.optional_tensor("keyMask"), call.prefix());
  return Roles()
      .with("tokens", model.tokens)
      .with("positions", model.positions)
      .with("segments", model.segments)
      .with("embedded", model.embedded)
      .with("encoder", roles_of_stack(model.encoder))
      .with("transformed", model.transformed)
      .with("logits", model.logits)
      .record();
}

template <typename T>
val apply_recurrent(const Call<T>& call) {
  const Recurrent<T> steps = recurrent(call.tensor("x"), state_dict_of(call), call.prefix());
  val hidden = val::array();
  for (const Tensor<T>& state : steps.hidden) hidden.call<void>("push", state.id);
  return Roles().with("hidden", hidden).with("output", steps.output).record();
}

template <typename T>
val apply_convolution(const Call<T>& call) {
  const Conv1dOptions options{.stride = call.arguments.size("stride"), .padding = call.arguments.size("padding")};
  return Roles().with("output", convolution(call.tensor("x"), state_dict_of(call), options, call.name)).record();
}

template <typename T>
val apply_embed_sequence(const Call<T>& call) {
  return Roles()
      .with("output", embed_sequence(call.tensor("ids"), state_dict_of(call), embedding_options_of(call.arguments),
                                     call.name, call.prefix(), call.arguments.size("start")))
      .record();
}

}  // namespace

template <typename T>
std::optional<val> apply_sequence_model(std::string_view model, const Call<T>& call) {
  if (model == "embedSequence") return apply_embed_sequence(call);
  if (model == "seq2seq") return apply_seq2seq(call);
  if (model == "greedyDecoding") return apply_greedy_decoding(call);
  if (model == "bert") return apply_bert(call);
  if (model == "recurrent") return apply_recurrent(call);
  if (model == "convolution") return apply_convolution(call);
  return std::nullopt;
}

template std::optional<val> apply_sequence_model(std::string_view, const Call<float>&);
template std::optional<val> apply_sequence_model(std::string_view, const Call<double>&);

}  // namespace attn
