// The layers that PyTorch provides as modules.
#include "program/torch_layers.hpp"

namespace attn {

std::span<const LayerEmitter> torch_layers() {
  static constexpr LayerEmitter kLayers[] = {
      {"linear", "nn.Linear({in}, {out}, bias={bias})", "({0})"},
      {"layer_norm", "nn.LayerNorm({dim}, eps={eps})", "({0})"},
      {"multi_head_attention",
       "nn.MultiheadAttention({embed_dim}, {num_heads}, bias={bias}|, kdim={kdim}, vdim={vdim}|, batch_first=True)",
       "({0}, {1}, {2}, need_weights=False|, attn_mask=hidden({queries}, {keys}){?causal}|)[0]"},
      {"encoder_layer",
       "nn.TransformerEncoderLayer({d_model}, {num_heads}, {d_ff}, dropout=0.0, activation=\"{activation}\", "
       "layer_norm_eps={eps}, batch_first=True, norm_first={norm_first})",
       "({0}|, src_mask=hidden({queries}, {queries}){?causal}|)"},
      {"decoder_layer",
       "nn.TransformerDecoderLayer({d_model}, {num_heads}, {d_ff}, dropout=0.0, activation=\"{activation}\", "
       "layer_norm_eps={eps}, batch_first=True, norm_first={norm_first})",
       "({0}, {1}|, tgt_mask=hidden({queries}, {queries}){?causal}|)"},
      {"transformer",
       "nn.Transformer({d_model}, {num_heads}, {encoder_layers}, {decoder_layers}, {d_ff}, dropout=0.0, "
       "activation=\"{activation}\", layer_norm_eps={eps}, batch_first=True, norm_first={norm_first})",
       "({0}, {1}|, tgt_mask=hidden({queries}, {queries}){?causal}|)"},
  };
  return kLayers;
}

}  // namespace attn
