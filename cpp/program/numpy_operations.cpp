// Every operation in NumPy.
#include "program/numpy_operations.hpp"

namespace attn {

std::span<const Emitter> numpy_operations() {
  static constexpr Emitter kOperations[] = {
      {"absolute_index", "np.repeat({0}[:, None], {dim}, axis=1)"},
      {"add", "{0} + {1}"},
      {"alibi", "alibi({0}, {query_length}, {key_length}|, causal={causal}{?causal}|)"},
      {"alibi_slopes", "alibi_slopes({num_heads})"},
      {"attention",
       "attention({0}, {1}, {2}|, divisor={divisor}||, factor={factor}||, temperature={temperature}||, bias={bias}|"
       "|, keep={keep}, fill={fill}||, causal=\"{causal}\"|)"},
      {"concat", "np.concatenate([{inputs}], axis={axis})"},
      {"conv1d", "conv1d({0}, {1}|, {2}|, stride={stride}, padding={padding})"},
      {"cosine_similarity", "cosine_similarity({0}, {1})"},
      {"cross_entropy",
       "cross_entropy({0}, {1}|, weight={weight}|, reduction=\"{reduction}\", ignore_index={ignore_index}, "
       "label_smoothing={label_smoothing}, spread=\"{spread}\")"},
      {"divide", "{0} / {1}"},
      {"dropout", "np.where({1} > {p}, {0} / (1 - {p}), 0.0)"},
      {"embedding", "{1}[{0}.astype(int)]| * np.sqrt({1}.shape[1]){?scale_by_sqrt_dim}|"},
      {"entropy", "entropy({0})"},
      {"exp", "np.exp({0})"},
      {"gelu", "gelu_{variant}({0})"},
      {"histogram", "np.histogram({0}, {1})[0].astype(np.float64)"},
      {"kl_divergence", "kl_divergence({0}, {1}, \"{reduction}\")"},
      {"layer_norm", "layer_norm({0}|, weight={weight}||, bias={bias}|, eps={eps}|, unbiased={unbiased}{?unbiased}|)"},
      {"linear", "{0} @ {1}.T| + {2}|"},
      {"log", "np.log({0})"},
      {"log_sigmoid", "-np.logaddexp(0.0, -{0})"},
      {"log_softmax", "log_softmax({0}, axis={axis})"},
      {"mask", "np.where({1} != 0, {0}, {fill})"},
      {"matmul", "{0} @ {1}"},
      {"maximum", "np.maximum({0}, {1})"},
      {"mean", "np.mean({0}, axis={axes}|, keepdims={keepdim}{?keepdim}|)"},
      {"merge_heads", "merge_heads({0})"},
      {"minimum", "np.minimum({0}, {1})"},
      {"mse_loss", "reduced(({0} - {1}) ** 2, \"{reduction}\")"},
      {"multiply", "{0} * {1}"},
      {"one_hot", "({0}[..., None] == np.arange({num_classes})).astype(np.float64)"},
      {"patchify", "patchify({0}, {patch_height}, {patch_width}, \"{order}\")"},
      {"relu", "np.maximum({0}, 0.0)"},
      {"reshape", "{0}.reshape({shape})"},
      {"rotary", "rotary({0}, {1}, {base}, \"{layout}\")"},
      {"scale", "{0}| * {factor}|| / np.sqrt({sqrt_divisor})|| / {divisor}{!sqrt_divisor}|"},
      {"shift_matrix", "shift_matrix({0}, {dim}, {base})"},
      {"sinusoidal", "sinusoidal({0}, {dim}, {base})"},
      {"slice", "{0}[{colons}{start}:{stop}]"},
      {"softmax", "softmax({0}, axis={axis}|, empty_is_zero={empty_is_zero}{?empty_is_zero}|)"},
      {"split_heads", "split_heads({0}, {num_heads})"},
      {"sqrt", "np.sqrt({0})"},
      {"subtract", "{0} - {1}"},
      {"sum", "np.sum({0}, axis={axes}|, keepdims={keepdim}{?keepdim}|)"},
      {"tanh", "np.tanh({0})"},
      {"transpose", "np.transpose({0}, {axes})"},
  };
  return kOperations;
}

}  // namespace attn
