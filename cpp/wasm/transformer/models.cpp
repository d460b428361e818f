// Encoder, decoder, Transformer and ViT by name.
#include "wasm/transformer/models.hpp"

#include "nn/attention_rollout.hpp"
#include "nn/vision_transformer.hpp"
#include "wasm/transformer/layer_settings.hpp"
#include "wasm/transformer/model_roles.hpp"
#include "wasm/transformer/state_dict.hpp"

namespace attn {
namespace {

using emscripten::val;

template <typename T>
val apply_feed_forward(const Call<T>& call) {
  return roles_of(feed_forward(
      call.tensor("x"), state_dict_of(call),
      {.activation = activation_named(call.arguments.text("activation")), .dropout = {}, .name = call.prefix()}));
}

template <typename T>
val apply_encoder_layer(const Call<T>& call) {
  return roles_of(encoder_layer(call.tensor("src"), state_dict_of(call), layer_options_of(call.arguments),
                                masks_of(call), call.prefix()));
}

template <typename T>
val apply_decoder_layer(const Call<T>& call) {
  return roles_of(decoder_layer(call.tensor("tgt"), call.tensor("memory"), state_dict_of(call),
                                layer_options_of(call.arguments), masks_of(call, "target."), masks_of(call, "memory."),
                                call.prefix()));
}

template <typename T>
val apply_encoder(const Call<T>& call) {
  return roles_of_stack(encoder(call.tensor("src"), state_dict_of(call), stack_options_of(call.arguments),
                                masks_of(call), call.prefix()));
}

template <typename T>
val apply_decoder(const Call<T>& call) {
  return roles_of_stack(decoder(call.tensor("tgt"), call.tensor("memory"), state_dict_of(call),
                                stack_options_of(call.arguments), masks_of(call, "target."), masks_of(call, "memory."),
                                call.prefix()));
}

template <typename T>
val apply_transformer(const Call<T>& call) {
  const TransformerMasks<T> masks{
      .source = masks_of(call, "source."), .target = masks_of(call, "target."), .memory = masks_of(call, "memory.")};
  return roles_of(transformer(call.tensor("src"), call.tensor("tgt"), state_dict_of(call),
                              transformer_options_of(call.arguments), masks, call.prefix()));
}

template <typename T>
val apply_vision_transformer(const Call<T>& call) {
  const VisionTransformer<T> model =
      vision_transformer(call.tensor("image"), state_dict_of(call), stack_options_of(call.arguments), call.prefix());
  return Roles()
      .with("patches", model.embedding.patches)
      .with("tokens", model.embedding.tokens)
      .with("embedded", model.embedding.output)
      .with("encoder", roles_of_stack(model.encoder))
      .with("cls", model.cls)
      .with("logits", model.logits)
      .record();
}

template <typename T>
val apply_attention_rollout(const Call<T>& call) {
  std::vector<Tensor<T>> weights;
  const std::size_t count = call.arguments.size("count");
  for (std::size_t i = 0; i < count; ++i)
    weights.push_back(call.tensor(("weights[" + std::to_string(i) + "]").c_str()));
  return Roles().with("output", attention_rollout(weights, call.prefix())).record();
}

}  // namespace

template <typename T>
std::optional<val> apply_model(std::string_view model, const Call<T>& call) {
  if (model == "feedForward") return apply_feed_forward(call);
  if (model == "encoderLayer") return apply_encoder_layer(call);
  if (model == "decoderLayer") return apply_decoder_layer(call);
  if (model == "encoder") return apply_encoder(call);
  if (model == "decoder") return apply_decoder(call);
  if (model == "transformer") return apply_transformer(call);
  if (model == "visionTransformer") return apply_vision_transformer(call);
  if (model == "attentionRollout") return apply_attention_rollout(call);
  return std::nullopt;
}

template std::optional<val> apply_model(std::string_view, const Call<float>&);
template std::optional<val> apply_model(std::string_view, const Call<double>&);

}  // namespace attn
