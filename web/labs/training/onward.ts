/**
 * The trained model in other labs: a head with what it reads, the attention of a layer, the encoding of positions, the layers of an encoder or
 * of a decoder without one, the losses of its answer, the embeddings of its tokens, and a whole vision Transformer, on the first sample.
 * A link holds all the numbers, so that the other lab computes the same weights from them.
 */
import type { Config, Edit, Matrix, NumbersOf } from "../../config/config.js";
import { bounds, linkBounds } from "../../config/bounds.js";
import type { Snapshot, Snapshots } from "../../marks/scene.js";
import { isFloat32 } from "../../config/forms.js";
import { givenBounds } from "../../config/given.js";
import { encoderMost, encoderWider, parameterShapes as vitShapes } from "../../config/labs/vit.js";
import {
  blockBounds,
  inLayer,
  layerAndName,
  parameterCount,
  parameterShapes,
} from "../../config/labs/block.js";
import { lossesBounds } from "../../config/labs/losses.js";
import { bounds as wordsBounds } from "../../config/labs/words.js";
import type { TrainingNumbers } from "../../config/labs/training.js";
import { valuesOf } from "../../stage/series.js";
import { configOf } from "./config-of.js";
import { bestHead, focusNode } from "./focus.js";
import { GRAY, levelOf } from "./gray.js";
import { shownAttention } from "./tensors.js";
import { placesOf, tokensOf, vocabularyOf } from "./tokens.js";

/** A matrix of the last two axes of a node, of its first sample, as far as `rows` go. */
function matrixOf({ shape, data }: Snapshot, rows = shape.at(-2) ?? 1): Matrix {
  const columns = shape.at(-1)!;
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => data[row * columns + column]!),
  );
}

/** PyTorch keeps a weight as (outputs, inputs); labs multiply from the right, (inputs, outputs). */
const transposed = (matrix: Matrix): Matrix =>
  matrix[0]!.map((_, column) => matrix.map((row) => row[column]!));

/** A linear map: (inputs, outputs), and a number to add to each output. */
interface Linear {
  weight: Matrix;
  bias: number[];
}

/** The linear map of PyTorch's nn.Linear, which makes a node; null where the node is made in another way. */
function linearOf(snapshots: Snapshots, node: string): Linear | null {
  const [, weight, bias] = (snapshots.get(node)?.inputs ?? []).map((name) => snapshots.get(name));
  return weight && bias ? { weight: transposed(matrixOf(weight)), bias: Array.from(bias.data) } : null;
}

/** GPT-2's linear map of this name, with its weight as (inputs, outputs); one of `parts` equal parts of its outputs. */
function convolutionOf(snapshots: Snapshots, name: string, part = 0, parts = 1): Linear | null {
  const [weight, bias] = [snapshots.get(`${name}.weight`), snapshots.get(`${name}.bias`)];
  if (!weight || !bias) return null;
  const width = bias.data.length / parts;
  const own = (numbers: readonly number[]): number[] => numbers.slice(part * width, (part + 1) * width);
  return { weight: matrixOf(weight).map(own), bias: own(Array.from(bias.data)) };
}

/** The self-attention of a layer on the first sample. */
export interface LayerOfModel {
  tokens: string[];
  rows: Matrix;
  heads: number;
  isCausal: boolean;
  isScaled: boolean;
  query: Linear;
  key: Linear;
  value: Linear;
  output: Linear;
  /** The place that shows what the layer looks at: the first one, or the last, which sees all, where each sees only those before it. */
  row: number;
  /** The place that each head looks at most from there. */
  looks: number[];
}

/** A place of a vision Transformer, in a link that readers of both languages open. */
const placeInLink = (n: number): string => (n === 0 ? "CLS" : String(n - 1));

/** The place that a head of the first sample looks at most from the place `row`, among the first `count`. */
export function mostLookedAt({ shape, data }: Snapshot, head: number, row: number, count: number): number {
  const [rows, columns] = shape.slice(-2) as [number, number];
  const start = (head * rows + row) * columns;
  const weights = data.subarray(start, start + count);
  return weights.indexOf(Math.max(...weights));
}

/** Null for cross attention, whose keys come from elsewhere, and for samples of no named or of too many places. */
export function layerOf(snapshots: Snapshots, weightsNode: string): LayerOfModel | null {
  const weights = snapshots.get(weightsNode);
  if (!weights || weightsNode.includes("multihead_attn")) return null;
  const prefix = weightsNode.slice(0, -"weights".length);
  const fused = `${prefix}c_attn`;
  const isFused = snapshots.has(fused);
  const [query, key, value] = ["Q", "K", "V"].map((name, part) =>
    isFused ? convolutionOf(snapshots, fused, part, 3) : linearOf(snapshots, prefix + name),
  );
  const output = isFused
    ? convolutionOf(snapshots, `${prefix}c_proj`)
    : linearOf(snapshots, `${prefix}output`);
  const reader = snapshots.get(isFused ? `${fused}_projected` : `${prefix}Q`);
  const input = snapshots.get(reader?.inputs[0] ?? "");
  if (!query || !key || !value || !output || !input) return null;
  const [, heads = 1, length = 0] = weights.shape;
  // What follows the named places is padding, which no other place looks at.
  const tokens = placesOf(snapshots, [length, length], placeInLink).columns.filter((name) => name !== "");
  if (tokens.length === 0 || tokens.length > bounds.words.max) return null;
  const first = weights.data.subarray(0, length * length);
  const isCausal =
    length > 1 && first.every((weight, at) => at % length <= Math.floor(at / length) || weight === 0);
  const row = isCausal ? tokens.length - 1 : 0;
  return {
    tokens,
    rows: matrixOf(input, tokens.length),
    heads,
    isCausal,
    isScaled: snapshots.has(`${prefix}scaled`),
    query,
    key,
    value,
    output,
    row,
    looks: Array.from({ length: heads }, (_, head) => mostLookedAt(weights, head, row, tokens.length)),
  };
}

/**
 * A head in the attention lab, which has no biases: a column of ones at the end of X, and the bias as the last row of each weight, give the
 * same Q, K and V.
 */
export function headConfig(layer: LayerOfModel, head: number): Config {
  const width = layer.query.bias.length / layer.heads;
  const own = (numbers: readonly number[]): number[] => numbers.slice(head * width, (head + 1) * width);
  const withBias = ({ weight, bias }: Linear): Matrix => [...weight.map(own), own(bias)];
  const x = layer.rows.map((row) => [...row, 1]);
  const numbers: Partial<NumbersOf["attention"]> = {
    tokens: layer.tokens,
    memory: [],
    dim: x[0]!.length,
    keyDim: width,
    valueDim: width,
    x,
    source: "values",
    wq: withBias(layer.query),
    wk: withBias(layer.key),
    wv: withBias(layer.value),
    scale: layer.isScaled,
    mask: layer.isCausal ? "causal" : "none",
    paint: null,
    edits: [],
  };
  return configOf("attention", numbers, { node: "weights", index: [layer.row, layer.looks[head] ?? 0] });
}

/** The attention of a layer in the multi-head lab, at one of its heads. */
export function layerConfig({ query, key, value, output, ...layer }: LayerOfModel, head: number): Config {
  const width = query.bias.length / layer.heads;
  const biases = { b_Q: query.bias, b_K: key.bias, b_V: value.bias, b_O: output.bias };
  const numbers: Partial<NumbersOf["multi-head"]> = {
    tokens: layer.tokens,
    source: "words",
    dim: layer.rows[0]!.length,
    heads: layer.heads,
    keyDim: width,
    valueDim: width,
    x: layer.rows,
    wq: query.weight,
    wk: key.weight,
    wv: value.weight,
    wo: output.weight,
    output: true,
    biases: true,
    scale: layer.isScaled,
    mask: layer.isCausal ? "causal" : "none",
    paint: null,
    edits: Object.entries(biases).flatMap(([node, bias]) =>
      bias.map((number, at): Edit => ({ node, index: [at], value: number })),
    ),
  };
  return configOf("multi-head", numbers, {
    node: "weights",
    index: [0, head, layer.row, layer.looks[head] ?? 0],
  });
}

/** The positions that are added to the embeddings of the first sample; null where the model adds none. */
export function positionsConfig(snapshots: Snapshots): Config | null {
  const [encoding, embedding] = ["src.positional_encoding", "src.embedding"].map((node) =>
    snapshots.get(node),
  );
  if (!encoding || !embedding) return null;
  const [length = 1, dim = 1] = encoding.shape;
  return configOf("positions", {
    encoding: "sinusoidal",
    length,
    dim,
    x: matrixOf(embedding, length),
    edits: [],
  });
}

/** Where an encoder of PyTorch's layers has a parameter of the block lab. */
function encoderParameter(snapshots: Snapshots, name: string): number[] {
  const { layer, own } = layerAndName(name);
  const node = name === "E" ? "embedding.weight" : `encoder.layers.${layer}.${own}`;
  return Array.from(valuesOf(snapshots, node));
}

/** The names of GPT-2's blocks for those of PyTorch's layers. */
const ofGpt2: Readonly<Record<string, string>> = {
  "self_attn.in_proj_": "attn.c_attn.",
  "self_attn.out_proj.": "attn.c_proj.",
  "linear1.": "mlp.c_fc.",
  "linear2.": "mlp.c_proj.",
  "norm1.": "ln_1.",
  "norm2.": "ln_2.",
};

/** Where a decoder of GPT-2's blocks has a parameter of the block lab; its matrices are (inputs, outputs). */
function decoderParameter(snapshots: Snapshots, name: string): number[] {
  const table = { E: "wte.weight", P: "wpe.weight" }[name];
  if (table) return Array.from(valuesOf(snapshots, table));
  const { layer, own } = layerAndName(name);
  const part = Object.keys(ofGpt2).find((start) => own.startsWith(start))!;
  const snapshot = snapshots.get(`h.${layer}.${ofGpt2[part]!}${own.slice(part.length)}`);
  if (!snapshot) return [];
  return snapshot.shape.length === 2 ? transposed(matrixOf(snapshot)).flat() : Array.from(snapshot.data);
}

/** The tokens that an encoder, or a decoder without one, reads of the first sample: with the sign to begin, and with its own answer. */
function readTokens(snapshots: Snapshots): string[] {
  const { shape, data } = snapshots.get("source")!;
  const vocabulary = vocabularyOf(snapshots);
  const ids = Array.from(data.subarray(0, shape.at(-1)));
  const padding = 0;
  return ids.slice(0, ids.findLastIndex((id) => id !== padding) + 1).map((id) => vocabulary[id] ?? "");
}

/** The layers of the encoder, or of a decoder without one, in the block lab; null for a model whose layers that lab does not have. */
export function blockConfig(numbers: TrainingNumbers, snapshots: Snapshots): Config | null {
  const { model, layers, heads, dim, ff: hidden = 4 * dim, norm, residual, factor } = numbers;
  const vocabulary = vocabularyOf(snapshots);
  const isDecoder = model === "decoder";
  const isEncoder = model === "encoder" || model === "encoder-decoder";
  if ((!isEncoder && !isDecoder) || !numbers.divide || layers > blockBounds.layers.max) return null;
  const tokens = readTokens(snapshots);
  if (vocabulary.length > blockBounds.vocabulary.max || tokens.length > bounds.words.max) return null;
  const learned = snapshots.get("wpe.weight")?.shape[0];
  // The run of an encoder and a decoder shows cross attention, which the block lab does not have.
  const shown = model === "encoder-decoder" ? null : shownHead(snapshots);
  const layer = shown?.layer ?? 0;
  const block = {
    part: "block",
    tokens,
    dim,
    heads,
    hidden,
    activation: "relu",
    norm: norm === "post" ? "post" : "pre",
    unbiased: false,
    dropout: 0,
    edits: [],
    residual,
    layerNorm: norm !== "none",
    layers,
    layer,
    scaleEmbedding: factor && !isDecoder,
    vocabulary,
    ...(isDecoder && { causal: true, positions: learned }),
    ...(isEncoder && !numbers.positions && { positions: 0 }),
  } satisfies Partial<NumbersOf["block"]>;
  const count = parameterCount(block);
  if (count > givenBounds.max) return null;
  const parameterOf = isDecoder ? decoderParameter : encoderParameter;
  const all = Object.keys(parameterShapes(block)).flatMap((name) => parameterOf(snapshots, name));
  if (all.length !== count) return null;
  const row = isDecoder ? tokens.length - 1 : 0;
  const look = shown ? mostLookedAt(snapshots.get(shown.node)!, shown.head, row, tokens.length) : 0;
  const cell = { node: inLayer(layer, "self_attn.weights"), index: [shown?.head ?? 0, row, look] };
  return configOf("block", { ...block, parameters: [all] }, cell);
}

/** Where CLS looks most on the first sample, of all heads of the last layer. */
function classLook(snapshots: Snapshots, { layers, heads }: TrainingNumbers): Config["view"]["cell"] {
  const { data, shape } = snapshots.get(`layers.${layers - 1}.self_attn.weights`)!;
  const length = shape.at(-1)!;
  const weightAt = ([head = 0, row = 0, place = 0]: number[]): number =>
    data[(head * length + row) * length + place]!;
  const looks = Array.from({ length: heads * (length - 1) }, (_, at) => [
    Math.floor(at / (length - 1)),
    0,
    1 + (at % (length - 1)),
  ]);
  const index = looks.reduce((most, look) => (weightAt(look) > weightAt(most) ? look : most));
  return { node: "cls_weights", index };
}

/** A vision Transformer in the image lab, on the first sample in 16 shades of gray; null for a model that the lab does not have. */
export function imageConfig(numbers: TrainingNumbers, snapshots: Snapshots): Config | null {
  const { layers, heads, dim, ff = encoderWider * dim, norm, residual, divide } = numbers;
  // A run that is not at its step yet has no projection of gray images.
  const [images, weight] = [
    snapshots.get("source"),
    snapshots.has(GRAY.weight) && snapshots.get("conv_proj.weight"),
  ];
  if (numbers.model !== "vit" || !images || !weight || norm !== "pre" || !residual || !divide) return null;
  if (ff !== encoderWider * dim || dim > encoderMost.dim || layers > bounds.vitLayers.max) return null;
  const size = images.shape.at(-1)!;
  const gray = images.data.subarray(0, size ** 2);
  const vit: NumbersOf["vit"] = {
    image: {
      pixels: Uint8Array.from({ length: 3 * size ** 2 }, (_, at) => levelOf(gray[Math.floor(at / 3)]!)),
    },
    size: size as NumbersOf["vit"]["size"],
    patch: weight.shape.at(-1) as NumbersOf["vit"]["patch"],
    compare: "projection",
    dim,
    cls: true,
    seed: 0,
    edits: [],
    layers,
    heads,
    classes: vocabularyOf(snapshots),
  };
  const inModel: Record<string, string> = {
    W_E: GRAY.weight,
    b_E: GRAY.bias,
    CLS: "class_token",
    position: "pos_embedding",
  };
  const all = Object.keys(vitShapes(vit)).flatMap((name) =>
    Array.from(valuesOf(snapshots, inModel[name] ?? name)),
  );
  if (all.length > givenBounds.max) return null;
  return configOf("vit", { ...vit, parameters: [all] }, classLook(snapshots, numbers));
}

/**
 * The losses of the answer to the first sample; null where there are too many classes or no known answer, and for models that write token by
 * token, whose logits follow from their own tokens and not from the right ones.
 */
export function lossesConfig({ model }: TrainingNumbers, snapshots: Snapshots): Config | null {
  const logits = snapshots.get("asked_0.logits");
  const targets = Array.from(valuesOf(snapshots, "asked_0.expected"));
  const classes = vocabularyOf(snapshots);
  const { rows, classes: count } = lossesBounds;
  if (model === "decoder" || model === "encoder-decoder") return null;
  // A place that is not asked has no class.
  if (!logits || targets.length === 0 || targets.some((target) => target < 0)) return null;
  if (classes.length > count.max) return null;
  const shown = targets.slice(0, rows.max);
  const losses = {
    topic: "smoothing",
    classes,
    targets: shown,
    logits: matrixOf(logits, shown.length),
  } as const;
  return configOf("losses", { ...losses, edits: [] }, { node: "loss", index: [0] });
}

/** Embeddings of the model in the words lab: those of the first sample, then others; null where there are too few or they are too wide. */
export function embeddingsConfig(snapshots: Snapshots): Config | null {
  const tables = ["embedding.weight", "wte.weight", "embeddings.word_embeddings.weight"];
  const embedding = tables.map((name) => snapshots.get(name)).find(Boolean);
  const vocabulary = vocabularyOf(snapshots);
  const asked = ["source", "start", "expected", "answer"].flatMap((part) =>
    tokensOf(snapshots, `asked_0.${part}`),
  );
  const names = [...new Set([...asked, ...vocabulary])]
    // Special tokens are no words, and the settings of that lab separate words by commas and spaces.
    .filter((token) => !/^(<.+>)?$|[\s,，;；]/.test(token))
    .slice(0, wordsBounds.names.max);
  if (!embedding || embedding.shape[1]! > wordsBounds.width.max || names.length < wordsBounds.names.min)
    return null;
  const rows = matrixOf(embedding);
  const x = names.map((name) => rows[vocabulary.indexOf(name)]!);
  const near = { topic: "near", names, x } as const;
  return configOf(
    "words",
    { ...near, analogy: [0, 1, 2], edits: [] },
    { node: "table.cosine", index: [0, 1] },
  );
}

/** The most characters of a link that a number of 64 or of 32 bits, an edit and all the rest take. */
const MOST_CHARACTERS = { double: 11, float: 16 / 3, edit: 40, rest: 2000 };

/** The characters of a setting of numbers; others are among the rest. */
function mostCharacters(value: unknown): number {
  if (!Array.isArray(value) || !Array.isArray(value[0])) return 0;
  const matrix = value as Matrix;
  const count = matrix.reduce((sum, row) => sum + row.length, 0);
  return count * MOST_CHARACTERS[isFloat32(matrix) ? "float" : "double"];
}

/** Whether a link surely can hold a state; the link itself takes long to make. */
export function fitsLink({ numbers }: Config): boolean {
  const { edit, rest } = MOST_CHARACTERS;
  const { edits, ...others } = numbers;
  const matrices = Object.values(others).reduce((sum: number, value) => sum + mostCharacters(value), 0);
  return matrices + edits.length * edit + rest <= linkBounds.characters;
}

/** The head that looks most at the place that the task asks for; the first of the last layer where it names none. */
export function shownHead(snapshots: Snapshots): { node: string; layer: number; head: number } | null {
  const nodes = shownAttention(snapshots);
  const last = nodes.length - 1;
  const best = bestHead(nodes.map((_, layer) => snapshots.get(focusNode(layer))?.data ?? []));
  const { layer, head } = best ?? { layer: last, head: 0 };
  return last < 0 ? null : { node: nodes[layer]!.name, layer, head };
}
