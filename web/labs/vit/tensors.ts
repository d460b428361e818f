/** The tensors of the image lab: from the image to the attention of its patches or, with an encoder, through its layers to the rollout. */
import type { ConfigOf, VitNumbers } from "../../config/config.js";
import { defaults } from "../../config/defaults.js";
import type { BlockNumbers } from "../../config/labs/block.js";
import {
  encoderOf,
  encoderWider,
  hasEncoder,
  isStretched,
  patchCount,
  positionSide,
} from "../../config/labs/vit.js";
import type { Words } from "../../i18n/words.js";
import type { Snapshots } from "../../marks/scene.js";
import {
  namedTensors,
  stringsFrom,
  type Axes,
  type NamedTensor,
  type Tensor,
} from "../../telling/declaration.js";
import { stringsIn as blockStringsIn } from "../block/strings.js";
import { axesOf as blockAxes, blockTensors } from "../block/tensors.js";
import { hasKernels } from "./build.js";
import { stringsIn } from "./strings.js";

type Config = ConfigOf<"vit">;

/** 1 if CLS precedes the patches, else 0. */
export const clsCount = ({ compare, cls }: VitNumbers): number => (compare === "projection" && cls ? 1 : 0);

export const rowCount = (numbers: VitNumbers): number => patchCount(numbers) + clsCount(numbers);

/** "patch 60"; the class token by its name. */
export function rowNames(numbers: VitNumbers, words: Words): string[] {
  const patches = Array.from({ length: patchCount(numbers) }, (_, n) => words("labs.vit.patch", { n }));
  return clsCount(numbers) ? ["CLS", ...patches] : patches;
}

/** The most probable class, the first of several; null before there are probabilities, and where they are no numbers. */
export function answerOf(snapshots: Snapshots): number | null {
  const shares = Array.from(snapshots.get("probabilities")?.data ?? []);
  const most = shares.indexOf(Math.max(...shares));
  return most < 0 ? null : most;
}

/** The layers of the encoder, from 0. */
export const layersOf = (numbers: VitNumbers): number[] => [...Array(encoderOf(numbers).layers).keys()];

/** The stops of Play. */
export function stopIds(numbers: VitNumbers): string[] {
  return [
    "cut",
    "flatten",
    ...(numbers.compare === "projection" ? ["project"] : []),
    ...(isStretched(numbers) ? ["stretch"] : []),
    ...(clsCount(numbers) ? ["place"] : []),
    ...(hasEncoder(numbers)
      ? [
          ...layersOf(numbers).map((layer) => `layer${layer + 1}`),
          "look",
          "rollout",
          ...(numbers.classes ? ["answer"] : []),
        ]
      : ["attend", "mix"]),
  ];
}

/** The node of the rows that attention reads. */
export function sequenceNode(numbers: VitNumbers): "patches" | "tokens" | "sequence" {
  if (numbers.compare === "pixels") return "patches";
  return numbers.cls ? "sequence" : "tokens";
}

/** The node of the positions that are added to the patches. */
export const positionNode = (numbers: VitNumbers): "position" | "positions" =>
  isStretched(numbers) ? "positions" : "position";

/** The name of a node of a layer. */
export const layerNode = (layer: number, name: string): string => `layers.${layer}.${name}`;

/** The node that a layer reads. */
export const inputOf = (layer: number): string =>
  layer === 0 ? "sequence" : layerNode(layer - 1, "residual2");

/** The node of the rollout up to a layer. The first layer is multiplied by nothing. */
export const rolloutNode = (layer: number): string =>
  layer > 0 ? `rollout.rollout_${layer}` : "rollout.normalised_0";

/** The settings of the block lab for a layer: pre-norm, with the rows of the sequence as words. */
function blockNumbersOf(numbers: VitNumbers, words: Words): BlockNumbers {
  const { dim } = numbers;
  const { heads } = encoderOf(numbers);
  const shape = { tokens: rowNames(numbers, words), dim, heads, hidden: encoderWider * dim, dropout: 0 };
  return { ...defaults("block").numbers, ...shape, part: "block", activation: "gelu", norm: "pre" };
}

const parameter = { role: "weight", family: "parameters" } as const;

const channelNames = (words: Words): string[] =>
  (["red", "green", "blue"] as const).map((name) => words(`labs.vit.${name}`));

/** The kinds of axes: N counts the patches, N+1 the patches and the class token. */
export function axes({ numbers }: Config, words: Words): Axes {
  const rows = rowNames(numbers, words);
  const { heads } = encoderOf(numbers);
  const strings = stringsIn(words);
  const perLine = numbers.size / numbers.patch;
  const linesOf = (line: "row" | "column", count: number): string[] =>
    Array.from({ length: count }, (_, n) => words(`stage.${line}`, { [line]: n }));
  return {
    patch: ["N", rows.slice(clsCount(numbers))],
    row: ["N", rows],
    column: ["N", rows],
    token: ["(N+1)", rows],
    key: ["(N+1)", rows],
    channel: ["C", channelNames(words)],
    CLS: ["1", ["CLS"]],
    head: ["h", Array.from({ length: heads }, (_, n) => strings("head", { n }))],
    side: ["P"],
    class: ["K", numbers.classes ?? []],
    old_row: ["g", linesOf("row", positionSide(numbers))],
    old_column: ["g", linesOf("column", positionSide(numbers))],
    new_row: ["G", linesOf("row", perLine)],
    new_column: ["G", linesOf("column", perLine)],
  };
}

/** The original positions, the interpolation weights and the interpolated positions. */
function positionTensors(numbers: VitNumbers, words: Words): Tensor[] {
  const strings = stringsIn(words);
  const perLine = numbers.size / numbers.patch;
  const names = rowNames(numbers, words).slice(1);
  const patch = (row = 0, column = 0): string => names[row * perLine + column] ?? "";
  const small = positionSide(numbers);
  const stop = "stretch";
  const map = { ...parameter, at: [null, null, 0] };
  return [
    {
      ...parameter,
      node: "position",
      stop,
      symbol: "P_g",
      axes: "(g²+1) D",
      key: "small",
      meaning: ([row = 0]) =>
        row === 0
          ? "CLS"
          : strings("meaning.small", {
              row: Math.floor((row - 1) / small),
              column: (row - 1) % small,
            }),
      editable: true,
    },
    {
      ...map,
      node: "position_grid",
      stop,
      symbol: "P_g",
      axes: "g g D",
      meaning: ([row = 0, column = 0]) => strings("meaning.small", { row, column }),
    },
    {
      node: "interpolation",
      stop,
      symbol: "M",
      family: "interpolation",
      at: [0, 0, null, null],
      axes: "new_row new_column old_row old_column",
      meaning: ([row, column, y = 0, x = 0]) =>
        strings("meaning.interpolation", { patch: patch(row, column), row: y, column: x }),
    },
    {
      ...map,
      node: "stretched",
      stop,
      symbol: "P",
      axes: "G G D",
      meaning: ([row, column]) => strings("meaning.stretched", { patch: patch(row, column) }),
    },
    { ...parameter, node: "positions", stop: "place", symbol: "P", axes: "token D" },
  ];
}

/**
 * The tensors from the image to the output of attention, without those of stops that these settings do not have. Their names are
 * among the page's strings.
 */
function patchTensors(numbers: VitNumbers, words: Words): NamedTensor[] {
  const rows = rowNames(numbers, words);
  const patches = rows.slice(clsCount(numbers));
  const channels = channelNames(words);
  const { patch } = numbers;
  const pixelName = ([channel = 0, row = 0, column = 0]: number[]): string =>
    words("labs.vit.meaning.pixel", { channel: channels[channel] ?? "", row, column });
  /** A pixel of a patch, by its place in the row that the patch becomes. */
  const ofPatch = (n = 0, at = 0): string =>
    words("labs.vit.meaning.patch", {
      patch: patches[n] ?? "",
      pixel: pixelName([Math.floor(at / patch ** 2), Math.floor(at / patch) % patch, at % patch]),
    });
  const stops = stopIds(numbers);
  const one = (
    node: string,
    stop: string | null,
    symbol: string,
    axes: string,
    rest: Partial<Tensor> = {},
  ): Tensor[] => (stop === null || stops.includes(stop) ? [{ node, stop, symbol, axes, ...rest }] : []);
  const pixel = { at: [0, null, null], letters: "", meaning: pixelName };
  const kernel = { at: [0, 0, null, null], meaning: ([, ...at]: number[]) => pixelName(at) };
  const learned = { ...parameter, meaning: () => words("labs.meaning.weight") };
  const vectors = { family: "vectors" };
  const pair = { meaning: "meaning.pair" };
  const tensors = [
    ...one("image", "cut", "I", "channel side side", { ...pixel, editable: true }),
    ...one("unit", null, "x", "channel side side", pixel),
    ...one("minus_one", null, "x", "value", { letters: "" }),
    ...one("normalised", "flatten", "x", "channel side side", pixel),
    ...one("patches", "flatten", "X", "patch P·P·C", {
      family: "pixels",
      place: ([n, at]) => ofPatch(n, at),
    }),
    ...one("bands", "flatten", "X", "patch channel P·P", {
      family: "pixels",
      letters: "C×P·P",
      place: ([n, channel = 0, at = 0]) => ofPatch(n, channel * patch ** 2 + at),
    }),
    ...one("W_E", "project", "W_E", "P·P·C D", { ...learned, editable: true }),
    ...(hasKernels(numbers)
      ? [
          ...one("W_E_T", "project", "W_E^T", "D P·P·C", { ...learned, letters: "" }),
          ...one("kernels", "project", "W_E", "D channel side side", { ...parameter, ...kernel }),
        ]
      : []),
    ...one("b_E", "project", "b_E", "D", { ...learned, editable: true }),
    ...one("projected", "project", "XW", "patch D", vectors),
    ...one("tokens", "project", "Z", "patch D", vectors),
    ...one("CLS", "place", "CLS", "CLS D", { ...parameter, editable: true }),
    ...one("joined", "place", "Z", "token D", vectors),
    ...(isStretched(numbers) ? [] : one("position", "place", "P", "token D", { ...learned, editable: true })),
    ...one("sequence", "place", "Z", "token D", vectors),
    ...one("K_T", "attend", "K^T", "D row", { ...vectors, role: "key" }),
    ...one("scores", "attend", "S", "row column", { ...pair, family: "scores" }),
    ...one("scaled", "attend", "S/√d", "row column", { ...pair, family: "scaled" }),
    // With so many patches even the largest weight is far from 1.
    ...one("weights", "attend", "A", "row column", {
      role: "attention",
      meaning: "meaning.looks",
      family: "weights",
      stretched: true,
    }),
    ...one("output", "mix", "O", "row D", { ...vectors, role: "output" }),
  ];
  return namedTensors(stringsFrom("labs.vit.")(words), axes({ numbers } as Config, words), tensors);
}

/** The parts of a layer and the nodes of each: its own, then those that it reads. A stop opens the first part. "x" is the input of the layer. */
export const parts = {
  attend: ["Q_heads", "K_heads", "K_T", "scores", "scaled", "weights", "V_heads", "heads"].map(
    (name) => `self_attn.${name}`,
  ),
  norm1: ["norm1", "norm1.weight", "norm1.bias", "x"],
  project: [
    ...["Q", "K", "V", "in_proj_weight", "in_proj_bias"],
    ...["q", "k", "v"].flatMap((letter) => [`${letter}_proj_weight`, `${letter}_proj_bias`]),
  ]
    .map((name) => `self_attn.${name}`)
    .concat("norm1"),
  join: ["concat", "out_proj.weight", "out_proj.bias", "output"].map((name) => `self_attn.${name}`),
  add1: ["residual1", "x", "self_attn.output"],
  norm2: ["norm2", "norm2.weight", "norm2.bias", "residual1"],
  feed: ["linear1", "linear2"]
    .flatMap((name) => [name, `${name}.weight`, `${name}.bias`])
    .concat("activation"),
  add2: ["residual2", "residual1", "linear2"],
} as const satisfies Record<string, readonly string[]>;
export type Part = keyof typeof parts;
const inLayer = new Set<string>(Object.values(parts).flat());

/** The tensors of the layers, of the attention of CLS, and of the rollout. */
function encoderTensors(numbers: VitNumbers, words: Words): (Tensor | NamedTensor)[] {
  const strings = stringsIn(words);
  const blockStrings = blockStringsIn(words);
  const { layers } = encoderOf(numbers);
  const block = blockNumbersOf(numbers, words);
  const inside = blockTensors(block, blockStrings).filter(({ node }) => node !== "x" && inLayer.has(node));
  const row = { role: "attention", stretched: true } as const;
  const norm = (node: string, symbol: string, which: "gain" | "bias", stop: string | null): Tensor => ({
    ...parameter,
    node,
    stop,
    symbol,
    letters: "1×D",
    name: blockStrings(`name.${which}`),
    single: blockStrings(`single.${which}`),
    axes: "D",
  });
  const square = (node: string, symbol: string, n: number, rest: Partial<Tensor> = {}): Tensor => ({
    node: `rollout.${node}_${n}`,
    key: node,
    slots: { n },
    stop: "rollout",
    symbol,
    role: "attention",
    family: "rollout",
    single: strings("single.cls_rollout"),
    joined: true,
    stretched: true,
    axes: "row column",
    meaning: "meaning.pair",
    ...rest,
  });
  const names = rowNames(numbers, words);
  const sums: Partial<Tensor> = { fill: "none", axes: "row 1", meaning: ([row = 0]) => names[row] ?? "" };
  return [
    ...layersOf(numbers).flatMap((layer) =>
      namedTensors(blockStrings, blockAxes(block, blockStrings), inside).map((tensor) => ({
        ...tensor,
        // With so many patches each weight is small.
        ...(tensor.fill === "probability" ? { stretched: true } : {}),
        node: layerNode(layer, tensor.node),
        stop: `layer${layer + 1}`,
        editable: false,
      })),
    ),
    {
      node: "norm",
      stop: `layer${layers}`,
      symbol: "Y",
      key: "final",
      role: "output",
      family: "path",
      axes: "token D",
    },
    norm("norm.weight", "γ", "gain", `layer${layers}`),
    norm("norm.bias", "β", "bias", null),
    {
      ...row,
      node: "cls_weights",
      stop: "look",
      symbol: "A_CLS",
      key: "cls",
      family: "looks",
      at: [0, 0, null],
      letters: "1×(N+1)",
      axes: "head CLS key",
      meaning: "meaning.looks",
    },
    ...layersOf(numbers).flatMap((n): Tensor[] => [
      square("mean", "Ā", n),
      square("residual", "Ā+I", n, { fill: "activation", family: "residuals" }),
      square("sums", "Σ", n, sums),
      square("normalised", `Â_${n}`, n),
      ...(n > 0 ? [square("rollout", "R", n)] : []),
    ]),
    square("identity", "I", 0, { node: "rollout.identity", stop: null }),
    {
      ...row,
      node: "cls_rollout",
      stop: "rollout",
      symbol: "R_CLS",
      family: "rolled",
      at: [0, null],
      letters: "1×(N+1)",
      axes: "CLS key",
      meaning: "meaning.rolled",
    },
  ];
}

/** The tensors of the answer: what the row of CLS says of each class. */
function answerTensors(): Tensor[] {
  const one = (node: string, symbol: string, rest: Partial<Tensor> = {}): Tensor => ({
    node,
    symbol,
    stop: "answer",
    family: "logits",
    axes: "class CLS",
    meaning: "meaning.class",
    ...rest,
  });
  return [
    one("cls", "y", { role: "output", family: "path", axes: "D CLS", key: "row", meaning: "meaning.row" }),
    one("head.weight", "W_C", { ...parameter, axes: "class D" }),
    one("products", "Wy"),
    one("head.bias", "b_C", parameter),
    one("logits", "z"),
    one("probabilities", "p", { role: "attention", family: "probabilities" }),
  ];
}

export function tensors({ numbers }: Config, words: Words): (Tensor | NamedTensor)[] {
  return [
    ...patchTensors(numbers, words),
    ...(isStretched(numbers) ? positionTensors(numbers, words) : []),
    ...(hasEncoder(numbers) ? encoderTensors(numbers, words) : []),
    ...(numbers.classes ? answerTensors() : []),
  ];
}
