// The arguments of the layers of a Transformer: sizes, settings and masks.
#include "wasm/transformer/layer_settings.hpp"

namespace attn {

LayerSizes layer_sizes_of(const Arguments& given) {
  return {.d_model = given.size("dModel"), .d_ff = given.size("dFf")};
}

LayerOptions layer_options_of(const Arguments& given) {
  return {.num_heads = given.size("numHeads"),
          .activation = activation_named(given.text("activation")),
          .norm_first = given.flag("normFirst"),
          .residual = given.flag("residual"),
          .norm = given.flag("norm"),
          .eps = given.number("eps"),
          .unbiased = given.flag("unbiased"),
          .dropout = dropout_of(given)};
}

StackOptions stack_options_of(const Arguments& given) {
  return {
      .num_layers = given.size("numLayers"), .final_norm = given.flag("finalNorm"), .layer = layer_options_of(given)};
}

TransformerOptions transformer_options_of(const Arguments& given) {
  return {.num_encoder_layers = given.size("numEncoderLayers"),
          .num_decoder_layers = given.size("numDecoderLayers"),
          .layer = layer_options_of(given)};
}

}  // namespace attn
