// Every operation in PyTorch.
#include "program/torch_operations.hpp"

namespace attn {

std::span<const Emitter> torch_operations() {
  static constexpr Emitter kOperations[] = {
      {"absolute_index", "{0}[:, None].repeat(1, {dim})"},
      {"add", "{0} + {1}"},
      {"alibi", "alibi({0}, {query_length}, {key_length}|, causal={causal}{?causal}|)"},
      {"alibi_slopes", "alibi_slopes({num_heads})"},
      {"attention",
       "attention({0}, {1}, {2}|, divisor={divisor}||, factor={factor}||, temperature={temperature}||, bias={bias}|"
       "|, keep={keep}, fill={fill}||, causal=\"{causal}\"|)"},
      {"concat", "torch.cat([{inputs}], dim={axis})"},
      {"conv1d", "F.conv1d({0}, {1}|, {2}|, stride={stride}, padding={padding})"},
      // Small enough that only a row of zeros meets it.
      {"cosine_similarity", "F.cosine_similarity({0}, {1}, dim=-1, eps=1e-150)"},
      {"cross_entropy",
       "cross_entropy({0}, {1}|, weight={weight}|, reduction=\"{reduction}\", ignore_index={ignore_index}, "
       "label_smoothing={label_smoothing}, spread=\"{spread}\")"},
      {"divide", "{0} / {1}"},
      {"dropout", "({0} / (1 - {p})).masked_fill({1} <= {p}, 0.0)"},
      {"embedding", "F.embedding({0}.long(), {1})| * {1}.shape[1] ** 0.5{?scale_by_sqrt_dim}|"},
      {"entropy", "torch.special.entr({0}).sum(dim=-1)"},
      {"exp", "torch.exp({0})"},
      {"gelu", "gelu_{variant}({0})"},
      {"histogram", "torch.histogram({0}, {1}).hist"},
      {"kl_divergence", "F.kl_div({0}, {1}, reduction=\"{reduction}\")"},
      {"layer_norm", "layer_norm({0}|, weight={weight}||, bias={bias}|, eps={eps}|, unbiased={unbiased}{?unbiased}|)"},
      {"linear", "F.linear({0}, {1}|, {2}|)"},
      {"log", "torch.log({0})"},
      {"log_sigmoid", "F.logsigmoid({0})"},
      {"log_softmax", "F.log_softmax({0}, dim={axis})"},
      {"mask", "{0}.masked_fill({1} == 0, {fill})"},
      {"matmul", "{0} @ {1}"},
      // Without axes PyTorch takes all of them.
      {"maximum", "torch.maximum({0}, {1})"},
      {"mean", "|torch.mean({0}, dim={axes}, keepdim={keepdim}){?axes}||{0}.clone(){!axes}|"},
      {"merge_heads", "merge_heads({0})"},
      {"minimum", "torch.minimum({0}, {1})"},
      {"mse_loss", "F.mse_loss({0}, {1}, reduction=\"{reduction}\")"},
      {"multiply", "{0} * {1}"},
      {"one_hot", "F.one_hot({0}.long(), {num_classes}).to({0}.dtype)"},
      {"patchify", "patchify({0}, {patch_height}, {patch_width}, \"{order}\")"},
      {"relu", "F.relu({0})"},
      {"reshape", "{0}.reshape({shape})"},
      {"rotary", "rotary({0}, {1}, {base}, \"{layout}\")"},
      {"scale", "{0}| * {factor}|| / {sqrt_divisor} ** 0.5|| / {divisor}{!sqrt_divisor}|"},
      {"shift_matrix", "shift_matrix({0}, {dim}, {base})"},
      {"sinusoidal", "sinusoidal({0}, {dim}, {base})"},
      {"slice", "{0}[{colons}{start}:{stop}]"},
      {"softmax", "|softmax_or_zero({0}, dim={axis}){?empty_is_zero}||torch.softmax({0}, dim={axis}){!empty_is_zero}|"},
      {"split_heads", "split_heads({0}, {num_heads})"},
      {"sqrt", "torch.sqrt({0})"},
      {"subtract", "{0} - {1}"},
      {"sum", "|torch.sum({0}, dim={axes}, keepdim={keepdim}){?axes}||{0}.clone(){!axes}|"},
      {"tanh", "torch.tanh({0})"},
      {"transpose", "{0}.permute({axes})"},
  };
  return kOperations;
}

}  // namespace attn
