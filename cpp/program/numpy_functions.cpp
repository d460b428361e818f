// Programs in NumPy: their opening, and the functions they may define.
#include "program/language.hpp"

namespace attn {
namespace {

constexpr Function kFunctions[] = {
    {"softmax", R"(
def softmax(x, axis, empty_is_zero=False):
    largest = x.max(axis=axis, keepdims=True, initial=-np.inf)
    if empty_is_zero:  # a slice of -inf becomes zeros
        largest = np.where(largest == -np.inf, 0.0, largest)
    powers = np.exp(x - largest)
    total = powers.sum(axis=axis, keepdims=True)
    return powers / np.where(total == 0, 1.0, total)
)"},
    {"log_softmax", R"(
def log_softmax(x, axis):
    shifted = x - x.max(axis=axis, keepdims=True, initial=-np.inf)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))
)"},
    {"attention", R"(
def attention(
    query, key, value, divisor=1.0, factor=1.0, temperature=1.0, bias=0.0, keep=True, fill=-np.inf, causal=None
):
    scores = query @ np.swapaxes(key, -1, -2) / divisor * factor / temperature + bias
    scores = np.where(keep, scores, fill)
    if causal is not None:
        queries, keys = scores.shape[-2:]
        visible = np.tri(queries, keys, keys - queries if causal == "bottom_right" else 0, dtype=bool)
        scores = np.where(visible, scores, -np.inf)
    return softmax(scores, axis=-1, empty_is_zero=True) @ value
)"},
    {"alibi_slopes", R"(
def alibi_slopes(num_heads):
    n = 1 << (num_heads.bit_length() - 1)  # further heads take every second slope of twice as many
    powers = [k / n for k in range(1, n + 1)] + [k / (2 * n) for k in range(1, 2 * (num_heads - n), 2)]
    return 2.0 ** (-8 * np.array(powers))
)"},
    {"alibi", R"(
def alibi(slopes, queries, keys, causal=False):
    steps_back = np.arange(queries)[:, None] + keys - queries - np.arange(keys)
    bias = -slopes[:, None, None] * np.abs(steps_back)
    return np.where(steps_back < 0, -np.inf, bias) if causal else bias
)"},
    {"sinusoidal", R"(
def sinusoidal(positions, dim, base):
    column = np.arange(dim)
    angles = positions[:, None] / base ** (2 * (column // 2) / dim)
    return np.where(column % 2 == 0, np.sin(angles), np.cos(angles))
)"},
    {"shift_matrix", R"(
def shift_matrix(offset, dim, base):
    matrix = np.zeros((dim, dim))
    for i in range(dim // 2):
        angle = offset / base ** (2 * i / dim)
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [
            [np.cos(angle), np.sin(angle)],
            [-np.sin(angle), np.cos(angle)],
        ]
    return matrix
)"},
    {"interpolation_matrix", R"(
def interpolation_matrix(before, after, mode):
    def weights(n, m):  # of n places for each of m
        reach = 2 if mode == "bicubic" else 1
        place = (np.arange(m)[:, None] + 0.5) * (n / m) - 0.5
        near = np.floor(place) + np.arange(1 - reach, 1 + reach)
        t, a = np.abs(place - near), -0.75
        weight = 1 - t
        if mode == "bicubic":
            weight = np.where(t <= 1, ((a + 2) * t - (a + 3)) * t * t + 1, ((a * t - 5 * a) * t + 8 * a) * t - 4 * a)
        return (weight[..., None] * (np.clip(near, 0, n - 1)[..., None] == np.arange(n))).sum(axis=1)

    return np.kron(weights(before[0], after[0]), weights(before[1], after[1]))
)"},
    {"rotary", R"(
def rotary(x, positions, base, layout):
    half = x.shape[-1] // 2
    angles = positions[:, None] / base ** (2 * np.arange(half) / x.shape[-1])
    pairs = (slice(half), slice(half, None)) if layout == "half" else (slice(0, None, 2), slice(1, None, 2))
    first, second = x[..., pairs[0]], x[..., pairs[1]]
    turned = np.empty_like(x)
    turned[..., pairs[0]] = first * np.cos(angles) - second * np.sin(angles)
    turned[..., pairs[1]] = first * np.sin(angles) + second * np.cos(angles)
    return turned
)"},
    {"split_heads", R"(
def split_heads(x, num_heads):
    return np.swapaxes(x.reshape(*x.shape[:-1], num_heads, x.shape[-1] // num_heads), -3, -2)
)"},
    {"merge_heads", R"(
def merge_heads(x):
    x = np.swapaxes(x, -3, -2)
    return x.reshape(*x.shape[:-2], x.shape[-2] * x.shape[-1])
)"},
    {"patchify", R"(
def patchify(image, height, width, order):
    *batch, channels, rows, columns = image.shape
    x = image.reshape(*batch, channels, rows // height, height, columns // width, width)
    axes = (1, 3, 0, 2, 4) if order == "c p1 p2" else (1, 3, 2, 4, 0)
    x = x.transpose(*range(len(batch)), *(len(batch) + axis for axis in axes))
    return x.reshape(*batch, (rows // height) * (columns // width), channels * height * width)
)"},
    {"layer_norm", R"(
def layer_norm(x, weight=1.0, bias=0.0, eps=1e-5, unbiased=False):
    mean = x.mean(axis=-1, keepdims=True)
    variance = x.var(axis=-1, ddof=1 if unbiased else 0, keepdims=True)
    return (x - mean) / np.sqrt(variance + eps) * weight + bias
)"},
    {"gelu_erf", R"(
def gelu_erf(x):
    erf = np.vectorize(math.erf, otypes=[np.float64])
    return x * (1 + erf(x / np.sqrt(2.0))) / 2
)"},
    {"gelu_tanh", R"(
def gelu_tanh(x):
    return x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))) / 2
)"},
    {"conv1d", R"(
def conv1d(x, weight, bias=None, stride=1, padding=0):
    x = np.pad(x, [(0, 0)] * (x.ndim - 1) + [(padding, padding)])
    size = weight.shape[-1]
    windows = [x[..., start : start + size] for start in range(0, x.shape[-1] - size + 1, stride)]
    result = np.einsum("l...ck,ock->...ol", np.stack(windows), weight)
    return result if bias is None else result + bias[:, None]
)"},
    {"reduced", R"(
def reduced(losses, reduction):
    if reduction == "batchmean":
        return losses.sum() / losses.shape[0]
    return {"none": losses, "sum": losses.sum(), "mean": losses.mean()}[reduction]
)"},
    {"kl_divergence", R"(
def kl_divergence(log_p, target, reduction):
    return reduced(np.where(target == 0, 0.0, target * (np.log(target) - log_p)), reduction)
)"},
    {"cosine_similarity", R"(
def cosine_similarity(a, b):
    lengths = np.linalg.norm(a, axis=-1) * np.linalg.norm(b, axis=-1)
    return np.where(lengths == 0, 0.0, (a * b).sum(axis=-1) / lengths)
)"},
    {"entropy", R"(
def entropy(p):
    return -np.where(p == 0, 0.0, p * np.log(p)).sum(axis=-1)
)"},
    {"cross_entropy", R"(
def cross_entropy(logits, target, weight=None, reduction="mean", ignore_index=-100, label_smoothing=0, spread="all"):
    classes = logits.shape[-1]
    share = np.ones(logits.shape[:-1])  # of each row in a mean
    if target.ndim < logits.ndim:  # class ids
        share = (target != ignore_index).astype(np.float64)
        ids = np.where(share > 0, target, 0).astype(int)
        counts = (ids[..., None] == np.arange(classes)) * share[..., None]
        kept = share > 0
        if weight is not None:
            share = share * weight[ids]
    else:
        counts, kept = target, share > 0
    if label_smoothing:
        others = (1 - counts) / (classes - 1) if spread == "others" else 1 / classes
        counts = (1 - label_smoothing) * counts + label_smoothing * others
    if weight is not None:
        counts = counts * weight
    terms = np.where(counts == 0, 0.0, counts * log_softmax(logits, axis=-1))
    losses = np.where(kept, -terms.sum(axis=-1), 0.0)
    return losses.sum() / share.sum() if reduction == "mean" else reduced(losses, reduction)
)"},
};

}  // namespace

const Language& numpy_language() {
  static constexpr std::string_view kOpening = "import numpy as np\n";
  static const Language kNumpy = {"NumPy", kOpening, "{0}", &OperationText::numpy, kFunctions};
  return kNumpy;
}

}  // namespace attn
