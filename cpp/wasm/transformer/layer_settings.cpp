// The arguments of the layers of a Transformer: sizes, settings and masks.
#include "wasm/transformer/layer_settings.hpp"

namespace attn {

LayerSizes layer_sizes_of(const Arguments& arguments) {
  return {.d_model = arguments.size("dModel"), .d_ff = arguments.size("dFf")};
}

LayerOptions layer_options_of(const Arguments& arguments) {
  return {.num_heads = arguments.size("numHeads"),
          .activation = activation_named(arguments.text("activation")),
          .norm_first = arguments.flag("normFirst"),
          .residual = arguments.flag("residual"),
          .norm = arguments.flag("norm"),
          .eps = arguments.number("eps"),
          .unbiased = arguments.flag("unbiased"),
          .dropout = dropout_of(arguments)};
}

StackOptions stack_options_of(const Arguments& arguments) {
  return {.num_layers = arguments.size("numLayers"),
          .final_norm = arguments.flag("finalNorm"),
          .layer = layer_options_of(arguments)};
}

TransformerOptions transformer_options_of(const Arguments& arguments) {
  return {.num_encoder_layers = arguments.size("numEncoderLayers"),
          .num_decoder_layers = arguments.size("numDecoderLayers"),
          .layer = layer_options_of(arguments)};
}

}  // namespace attn
