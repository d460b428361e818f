"""Trains four models with PyTorch, and prints their batches and losses: python3 tests/training/reference.py > tests/training/losses.json

A 2-layer encoder, an encoder-decoder, a decoder-only model and a BERT, each 20 steps of AdamW with warm-up, gradient clipping and label smoothing,
in float64. The parameters are drawn as the core draws them: with NumPy's generator and the seed crc32(name) XOR seed.
tests/cpp/training_losses_test.cpp trains the same models with the core.
"""

import json
import math
import zlib

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

torch.set_default_dtype(torch.float64)

SEED, STEPS, BATCH, VOCABULARY = 5, 20, 4, 12
D, HEADS, FF, LAYERS = 16, 2, 32, 2
LR, WARMUP, CLIP, SMOOTHING, DECAY = 0.01, 8, 1.0, 0.1, 0.05
NO_DECAY = ("bias", "norm1.weight", "norm2.weight", "norm3.weight", "norm.weight", "ln_1.weight", "ln_2.weight", "ln_f.weight")
PAD, BEGIN, END, IGNORED = 0, 1, 2, -100


def drawn(name, shape, kind, size):
    """`size` is the bound of a uniform draw, or the divisor of a normal one."""
    random = np.random.RandomState(zlib.crc32(name.encode()) ^ SEED)
    if kind == "uniform":
        return random.uniform(-size, size, shape)
    if kind == "normal":
        return random.randn(*shape) / size
    return np.full(shape, float(kind == "ones"))


def single(numbers):
    """The number that the core stores in float32."""
    return torch.tensor(np.asarray(numbers).astype(np.float32).astype(np.float64))


def initial(name, shape):
    """The core's initial numbers of a parameter."""
    part = ".".join(name.split(".")[-2:])
    if name.endswith(("embedding.weight", "embeddings.weight")):
        return drawn(name, shape, "normal", math.sqrt(shape[1]))
    if name.endswith("in_proj_weight"):
        return drawn(name, shape, "uniform", math.sqrt(6 / (shape[0] + shape[1])))
    if part in ("linear1.weight", "linear2.weight", "out_proj.weight", "dense.weight"):
        return drawn(name, shape, "uniform", 1 / math.sqrt(shape[1]))
    if part in ("linear1.bias", "linear2.bias", "dense.bias"):
        return drawn(name, shape, "uniform", 1 / math.sqrt(FF if part[6] == "2" else D))
    if part in ("wte.weight", "wpe.weight", "c_attn.weight", "c_fc.weight", "c_proj.weight"):
        return drawn(name, shape, "normal", 50 * (math.sqrt(2 * LAYERS) if part == "c_proj.weight" else 1))
    if ("norm" in name or "ln_" in name) and name.endswith("weight"):
        return drawn(name, shape, "ones", 0)
    return drawn(name, shape, "zeros", 0)


def encoding(length):
    position, pair = np.arange(length)[:, None], np.arange(D // 2)[None, :]
    angle = position / 10000 ** (2 * pair / D)
    return torch.tensor(np.stack([np.sin(angle), np.cos(angle)], -1).reshape(length, D))


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, D)
        layer = nn.TransformerEncoderLayer(D, HEADS, FF, dropout=0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, LAYERS)

    def embed(self, ids):
        return self.embedding(ids) * math.sqrt(D) + encoding(ids.shape[1])

    def forward(self, source, target):
        hidden = self.encoder(self.embed(source), src_key_padding_mask=source == PAD)
        return hidden @ self.embedding.weight.T


class EncoderDecoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, D)
        self.transformer = nn.Transformer(D, HEADS, LAYERS, LAYERS, FF, dropout=0, batch_first=True)

    embed = Encoder.embed

    def forward(self, source, target):
        hidden = self.transformer(
            self.embed(source),
            self.embed(target),
            tgt_mask=self.transformer.generate_square_subsequent_mask(target.shape[1]),
            src_key_padding_mask=source == PAD,
            memory_key_padding_mask=source == PAD,
        )
        return hidden @ self.embedding.weight.T


def named(model):
    """The parameters by the core's names."""
    return {name.removeprefix("transformer."): parameter for name, parameter in model.named_parameters()}


class Block(nn.Module):
    """A block of GPT-2. Its weights are (in, out)."""

    def __init__(self):
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(D), nn.LayerNorm(D)
        self.attn = nn.ModuleDict({"c_attn": Conv1D(D, 3 * D), "c_proj": Conv1D(D, D)})
        self.mlp = nn.ModuleDict({"c_fc": Conv1D(D, FF), "c_proj": Conv1D(FF, D)})

    def forward(self, x):
        length = x.shape[1]
        heads = [part.unflatten(-1, (HEADS, -1)).transpose(1, 2) for part in self.attn["c_attn"](self.ln_1(x)).chunk(3, -1)]
        scores = heads[0] @ heads[1].transpose(-1, -2) / math.sqrt(D / HEADS)
        later = torch.ones(length, length, dtype=torch.bool).triu(1)
        attended = scores.masked_fill(later, -math.inf).softmax(-1) @ heads[2]
        x = x + self.attn["c_proj"](attended.transpose(1, 2).flatten(-2))
        return x + self.mlp["c_proj"](F.gelu(self.mlp["c_fc"](self.ln_2(x)), approximate="tanh"))


class Conv1D(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.empty(inputs, outputs)), nn.Parameter(torch.empty(outputs))

    def forward(self, x):
        return x @ self.weight + self.bias


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(VOCABULARY, D), nn.Embedding(11, D)
        self.h = nn.ModuleList([Block() for _ in range(LAYERS)])
        self.ln_f = nn.LayerNorm(D)

    def forward(self, source, target):
        x = self.wte(source) + self.wpe.weight[: source.shape[1]]
        for block in self.h:
            x = block(x)
        return self.ln_f(x) @ self.wte.weight.T


class Bert(nn.Module):
    """Post-norm with GELU, on sources between begin and end; the head predicts with the table of words."""

    def __init__(self):
        super().__init__()
        tables = {"word": VOCABULARY, "position": 7, "token_type": 2}
        parts = {f"{name}_embeddings": nn.Embedding(rows, D) for name, rows in tables.items()}
        self.embeddings = nn.ModuleDict({**parts, "norm": nn.LayerNorm(D, eps=1e-12)})
        options = {"dropout": 0, "activation": "gelu", "layer_norm_eps": 1e-12, "batch_first": True}
        self.layers = nn.ModuleList([nn.TransformerEncoderLayer(D, HEADS, FF, **options) for _ in range(LAYERS)])
        self.head = nn.ModuleDict({"dense": nn.Linear(D, D), "norm": nn.LayerNorm(D, eps=1e-12)})
        self.head.register_parameter("bias", nn.Parameter(torch.empty(VOCABULARY)))

    def forward(self, source, target):
        words, positions, segments = (self.embeddings[f"{name}_embeddings"] for name in ("word", "position", "token_type"))
        x = self.embeddings["norm"](words(source) + positions.weight[: source.shape[1]] + segments.weight[0])
        for layer in self.layers:
            x = layer(x, src_key_padding_mask=source == PAD)
        return F.linear(self.head["norm"](F.gelu(self.head["dense"](x))), words.weight, self.head.bias)


def sentences(random):
    """The sources and targets of a batch: the source reversed; lengths vary, so that there is padding."""
    rows = [random.randint(3, VOCABULARY, random.randint(2, 6)).tolist() for _ in range(BATCH)]
    return [(row, row[::-1]) for row in rows]


def padded(rows, length, fill):
    return torch.tensor([row + [fill] * (length - len(row)) for row in rows])


def train(kind, model, batches):
    parameters = named(model)
    with torch.no_grad():
        for name, parameter in parameters.items():
            parameter.copy_(single(initial(name, tuple(parameter.shape))))
    decaying = [p for name, p in parameters.items() if not name.endswith(NO_DECAY)]
    others = [p for name, p in parameters.items() if name.endswith(NO_DECAY)]
    groups = [{"params": decaying, "weight_decay": DECAY}, {"params": others, "weight_decay": 0}]
    optimizer = torch.optim.AdamW(groups, lr=LR, betas=(0.9, 0.98), eps=1e-8)
    losses = []
    for step, batch in enumerate(batches):
        if kind == "encoder":
            source, target = padded([s for s, _ in batch], 5, PAD), None
            labels = padded([t for _, t in batch], 5, IGNORED)
        elif kind == "decoder":
            source = padded([s + [BEGIN] + t for s, t in batch], 11, PAD)
            target = None
            labels = padded([[IGNORED] * len(s) + t + [END] for s, t in batch], 11, IGNORED)
        elif kind == "bert":
            source, target = padded([[BEGIN] + s + [END] for s, _ in batch], 7, PAD), None
            labels = padded([[IGNORED] + t for _, t in batch], 7, IGNORED)
        else:
            source, target = padded([s for s, _ in batch], 5, PAD), padded([[BEGIN] + t for _, t in batch], 6, PAD)
            labels = padded([t + [END] for _, t in batch], 6, IGNORED)
        for group in optimizer.param_groups:
            group["lr"] = LR * min(1, (step + 1) / WARMUP)
        logits = model(source, target)
        loss = F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=IGNORED, label_smoothing=SMOOTHING)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), CLIP)
        optimizer.step()
        losses.append(loss.item())
    return losses


def main():
    random = np.random.RandomState(SEED)
    batches = [sentences(random) for _ in range(STEPS)]
    models = {"encoder": Encoder(), "encoderDecoder": EncoderDecoder(), "decoder": Decoder(), "bert": Bert()}
    losses = {kind: train(kind, model, batches) for kind, model in models.items()}
    print(json.dumps({"batches": batches, "losses": losses}))


main()
