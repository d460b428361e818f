// Programs in PyTorch: their opening, and the functions they may define.
#include "program/torch_layers.hpp"

namespace attn {
namespace {

constexpr Function kFunctions[] = {
    {"softmax_or_zero", R"(
def softmax_or_zero(x, dim):  # a slice of -inf becomes zeros
    empty = (x == -np.inf).all(dim=dim, keepdim=True)
    return torch.softmax(x.masked_fill(empty, 0.0), dim=dim).masked_fill(empty, 0.0)
)"},
    {"attention", R"(
def attention(
    query, key, value, divisor=1.0, factor=1.0, temperature=1.0, bias=0.0, keep=None, fill=-np.inf, causal=None
):
    scores = query @ key.transpose(-1, -2) / divisor * factor / temperature + bias
    if keep is not None:
        scores = torch.where(keep != 0, scores, scores.new_tensor(fill))
    if causal is not None:
        queries, keys = scores.shape[-2:]
        hidden = torch.ones(queries, keys, dtype=torch.bool)
        hidden = hidden.triu((keys - queries if causal == "bottom_right" else 0) + 1)
        scores = scores.masked_fill(hidden, -np.inf)
    return softmax_or_zero(scores, dim=-1) @ value
)"},
    {"alibi_slopes", R"(
def alibi_slopes(num_heads):
    n = 1 << (num_heads.bit_length() - 1)  # further heads take every second slope of twice as many
    powers = [k / n for k in range(1, n + 1)] + [k / (2 * n) for k in range(1, 2 * (num_heads - n), 2)]
    return 2.0 ** (-8 * torch.tensor(powers))
)"},
    {"alibi", R"(
def alibi(slopes, queries, keys, causal=False):
    steps_back = torch.arange(queries)[:, None] + keys - queries - torch.arange(keys)
    bias = -slopes[:, None, None] * steps_back.abs()
    return bias.masked_fill(steps_back < 0, -np.inf) if causal else bias
)"},
    {"sinusoidal", R"(
def sinusoidal(positions, dim, base):
    column = torch.arange(dim)
    angles = positions[:, None] / base ** (2 * (column // 2) / dim)
    return torch.where(column % 2 == 0, angles.sin(), angles.cos())
)"},
    {"shift_matrix", R"(
def shift_matrix(offset, dim, base):
    angles = offset / base ** (2 * torch.arange(dim // 2) / dim)
    turns = torch.stack([angles.cos(), angles.sin(), -angles.sin(), angles.cos()], dim=-1)
    return torch.block_diag(*turns.reshape(-1, 2, 2))
)"},
    {"interpolation_matrix", R"(
def interpolation_matrix(before, after, mode):
    units = torch.eye(before[0] * before[1]).unflatten(1, before)[:, None]
    return F.interpolate(units, size=after, mode=mode, align_corners=False).flatten(1).T
)"},
    {"rotary", R"(
def rotary(x, positions, base, layout):
    half = x.shape[-1] // 2
    angles = positions[:, None] / base ** (2 * torch.arange(half) / x.shape[-1])
    pairs = (slice(half), slice(half, None)) if layout == "half" else (slice(0, None, 2), slice(1, None, 2))
    first, second = x[..., pairs[0]], x[..., pairs[1]]
    turned = torch.empty_like(x)
    turned[..., pairs[0]] = first * angles.cos() - second * angles.sin()
    turned[..., pairs[1]] = first * angles.sin() + second * angles.cos()
    return turned
)"},
    {"split_heads", R"(
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, x.shape[-1] // num_heads)).transpose(-3, -2)
)"},
    {"merge_heads", R"(
def merge_heads(x):
    return x.transpose(-3, -2).flatten(-2)
)"},
    {"patchify", R"(
def patchify(image, height, width, order):
    x = image.unflatten(-1, (image.shape[-1] // width, width)).unflatten(-3, (image.shape[-2] // height, height))
    axes = (-4, -2, -5, -3, -1) if order == "c p1 p2" else (-4, -2, -3, -1, -5)
    x = x.permute(*range(x.ndim - 5), *(x.ndim + axis for axis in axes))
    return x.flatten(-3).flatten(-3, -2)
)"},
    {"layer_norm", R"(
def layer_norm(x, weight=None, bias=None, eps=1e-5, unbiased=False):
    if not unbiased:
        return F.layer_norm(x, x.shape[-1:], weight, bias, eps)
    variance, mean = torch.var_mean(x, dim=-1, unbiased=True, keepdim=True)
    normalised = (x - mean) / torch.sqrt(variance + eps)
    return normalised * (1.0 if weight is None else weight) + (0.0 if bias is None else bias)
)"},
    {"hidden", R"(
def hidden(queries, keys):  # of a causal attention: the keys that come later
    return torch.ones(queries, keys, dtype=torch.bool).triu(1)
)"},
    {"gelu_erf", R"(
def gelu_erf(x):
    return F.gelu(x)
)"},
    {"gelu_tanh", R"(
def gelu_tanh(x):
    return F.gelu(x, approximate="tanh")
)"},
    {"cross_entropy", R"(
def cross_entropy(logits, target, weight=None, reduction="mean", ignore_index=-100, label_smoothing=0, spread="all"):
    classes = logits.shape[-1]
    rows = logits.shape[:-1]
    target = target.reshape(-1).long() if target.ndim < logits.ndim else target.reshape(-1, classes)
    if spread == "others":  # over all of them it is more
        label_smoothing *= classes / (classes - 1)
    losses = F.cross_entropy(
        logits.reshape(-1, classes),
        target,
        weight=weight,
        ignore_index=ignore_index,
        reduction=reduction,
        label_smoothing=label_smoothing,
    )
    return losses.reshape(rows) if reduction == "none" else losses
)"},
};

}  // namespace

const Language& torch_language() {
  static constexpr std::string_view kOpening =
      "import numpy as np\nimport torch\nimport torch.nn.functional as F\nfrom torch import nn\n\n"
      "torch.set_default_dtype(torch.float64)\ntorch.set_grad_enabled(False)\n";
  static const Language kTorch = {"PyTorch",  kOpening,      "torch.from_numpy({0})", &OperationText::torch,
                                  kFunctions, torch_layers()};
  return kTorch;
}

}  // namespace attn
