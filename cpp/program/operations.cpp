// The table of all operations and their texts in NumPy and PyTorch.
#include "program/operations.hpp"

namespace attn {

std::span<const OperationText> operations() {
  static constexpr OperationText kOperations[] = {
      {"absolute_index", "np.repeat({0}[:, None], {dim}, axis=1)", "{0}[:, None].repeat(1, {dim})"},
      {"add", "{0} + {1}", "{0} + {1}"},
      {"alibi", "alibi({0}, {query_length}, {key_length}|, causal={causal}{?causal}|)",
       "alibi({0}, {query_length}, {key_length}|, causal={causal}{?causal}|)"},
      {"alibi_slopes", "alibi_slopes({num_heads})", "alibi_slopes({num_heads})"},
      {"argmax", "np.argmax({0}|, axis={axis}||, keepdims={keepdim}{?keepdim}|).astype({0}.dtype)",
       "|torch.argmax({0}, dim={axis}, keepdim={keepdim})||torch.argmax({0}){!axis}|"
       "|.reshape([1] * {0}.dim()){!axis}{?keepdim}|.to({0}.dtype)"},
      {"attention",
       "attention({0}, {1}, {2}|, divisor={divisor}||, factor={factor}||, temperature={temperature}||, bias={bias}|"
       "|, keep={keep}, fill={fill}||, causal=\"{causal}\"|)",
       "attention({0}, {1}, {2}|, divisor={divisor}||, factor={factor}||, temperature={temperature}||, bias={bias}|"
       "|, keep={keep}, fill={fill}||, causal=\"{causal}\"|)"},
      {"concat", "np.concatenate([{inputs}], axis={axis})", "torch.cat([{inputs}], dim={axis})"},
      {"conv1d", "conv1d({0}, {1}|, {2}|, stride={stride}, padding={padding})",
       "F.conv1d({0}, {1}|, {2}|, stride={stride}, padding={padding})"},
      // Small enough to change the result of a row of zeros only.
      {"cosine_similarity", "cosine_similarity({0}, {1})", "F.cosine_similarity({0}, {1}, dim=-1, eps=1e-150)"},
      {"cross_entropy",
       "cross_entropy({0}, {1}|, weight={weight}|, reduction=\"{reduction}\", ignore_index={ignore_index}, "
       "label_smoothing={label_smoothing}, spread=\"{spread}\")",
       "cross_entropy({0}, {1}|, weight={weight}|, reduction=\"{reduction}\", ignore_index={ignore_index}, "
       "label_smoothing={label_smoothing}, spread=\"{spread}\")"},
      {"divide", "{0} / {1}", "{0} / {1}"},
      {"dropout", "np.where({1} > {p}, {0} / (1 - {p}), 0.0)", "({0} / (1 - {p})).masked_fill({1} <= {p}, 0.0)"},
      {"embedding", "{1}[{0}.astype(int)]| * np.sqrt({1}.shape[1]){?scale_by_sqrt_dim}|",
       "F.embedding({0}.long(), {1})| * {1}.shape[1] ** 0.5{?scale_by_sqrt_dim}|"},
      {"entropy", "entropy({0})", "torch.special.entr({0}).sum(dim=-1)"},
      {"exp", "np.exp({0})", "torch.exp({0})"},
      {"gelu", "gelu_{variant}({0})", "gelu_{variant}({0})"},
      {"histogram", "np.histogram({0}, {1})[0].astype(np.float64)", "torch.histogram({0}, {1}).hist"},
      {"interpolation_matrix", "interpolation_matrix({from}, {to}, \"{mode}\")",
       "interpolation_matrix({from}, {to}, \"{mode}\")"},
      {"kl_divergence", "kl_divergence({0}, {1}, \"{reduction}\")", "F.kl_div({0}, {1}, reduction=\"{reduction}\")"},
      {"layer_norm", "layer_norm({0}|, weight={weight}||, bias={bias}|, eps={eps}|, unbiased={unbiased}{?unbiased}|)",
       "layer_norm({0}|, weight={weight}||, bias={bias}|, eps={eps}|, unbiased={unbiased}{?unbiased}|)"},
      {"linear", "{0} @ {1}.T| + {2}|", "F.linear({0}, {1}|, {2}|)"},
      {"log", "np.log({0})", "torch.log({0})"},
      {"log_sigmoid", "-np.logaddexp(0.0, -{0})", "F.logsigmoid({0})"},
      {"log_softmax", "log_softmax({0}, axis={axis})", "F.log_softmax({0}, dim={axis})"},
      {"mask", "np.where({1} != 0, {0}, {fill})", "{0}.masked_fill({1} == 0, {fill})"},
      {"matmul", "{0} @ {1}", "{0} @ {1}"},
      {"maximum", "np.maximum({0}, {1})", "torch.maximum({0}, {1})"},
      // Without axes, PyTorch reduces all of them.
      {"mean", "np.mean({0}, axis={axes}|, keepdims={keepdim}{?keepdim}|)",
       "|torch.mean({0}, dim={axes}, keepdim={keepdim}){?axes}||{0}.clone(){!axes}|"},
      {"merge_heads", "merge_heads({0})", "merge_heads({0})"},
      {"minimum", "np.minimum({0}, {1})", "torch.minimum({0}, {1})"},
      {"mse_loss", "reduced(({0} - {1}) ** 2, \"{reduction}\")", "F.mse_loss({0}, {1}, reduction=\"{reduction}\")"},
      {"multiply", "{0} * {1}", "{0} * {1}"},
      {"one_hot", "({0}[..., None] == np.arange({num_classes})).astype(np.float64)",
       "F.one_hot({0}.long(), {num_classes}).to({0}.dtype)"},
      {"patchify", "patchify({0}, {patch_height}, {patch_width}, \"{order}\")",
       "patchify({0}, {patch_height}, {patch_width}, \"{order}\")"},
      {"relu", "np.maximum({0}, 0.0)", "F.relu({0})"},
      {"reshape", "{0}.reshape({shape})", "{0}.reshape({shape})"},
      {"rotary", "rotary({0}, {1}, {base}, \"{layout}\")", "rotary({0}, {1}, {base}, \"{layout}\")"},
      {"scale", "{0}| * {factor}|| / np.sqrt({sqrt_divisor})|| / {divisor}{!sqrt_divisor}|",
       "{0}| * {factor}|| / {sqrt_divisor} ** 0.5|| / {divisor}{!sqrt_divisor}|"},
      {"shift_matrix", "shift_matrix({0}, {dim}, {base})", "shift_matrix({0}, {dim}, {base})"},
      {"sinusoidal", "sinusoidal({0}, {dim}, {base})", "sinusoidal({0}, {dim}, {base})"},
      {"slice", "{0}[{colons}{start}:{stop}]", "{0}[{colons}{start}:{stop}]"},
      {"softmax", "softmax({0}, axis={axis}|, empty_is_zero={empty_is_zero}{?empty_is_zero}|)",
       "|softmax_or_zero({0}, dim={axis}){?empty_is_zero}||torch.softmax({0}, dim={axis}){!empty_is_zero}|"},
      {"split_heads", "split_heads({0}, {num_heads})", "split_heads({0}, {num_heads})"},
      {"sqrt", "np.sqrt({0})", "torch.sqrt({0})"},
      {"subtract", "{0} - {1}", "{0} - {1}"},
      {"sum", "np.sum({0}, axis={axes}|, keepdims={keepdim}{?keepdim}|)",
       "|torch.sum({0}, dim={axes}, keepdim={keepdim}){?axes}||{0}.clone(){!axes}|"},
      {"tanh", "np.tanh({0})", "torch.tanh({0})"},
      {"transpose", "np.transpose({0}, {axes})", "{0}.permute({axes})"},
  };
  return kOperations;
}

}  // namespace attn
