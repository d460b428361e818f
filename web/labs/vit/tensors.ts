/** The tensors of the ViT lab: from the image to what its patches look at; with an encoder, through its layers to the rollout. */
import type { ConfigOf, VitNumbers } from "../../config/config.js";
import type { BlockNumbers } from "../../config/labs/block.js";
import { encoderOf, encoderWider, hasEncoder, patchCount } from "../../config/labs/vit.js";
import type { Key, Words } from "../../i18n/words.js";
import type { Tensor } from "../../telling/telling.js";
import { sayIn as sayBlock } from "../block/strings.js";
import { blockTensors } from "../block/tensors.js";
import { hasKernels } from "./build.js";
import { sayIn } from "./strings.js";

type Config = ConfigOf<"vit">;

/** 1 where CLS stands before the patches. */
export const clsCount = ({ compare, cls }: VitNumbers): number => (compare === "projection" && cls ? 1 : 0);

export const rowCount = (numbers: VitNumbers): number => patchCount(numbers) + clsCount(numbers);

/** "patch 60"; the class token by its name. */
export function rowNames(numbers: VitNumbers, words: Words): string[] {
  const patches = Array.from({ length: patchCount(numbers) }, (_, n) => words("labs.vit.patch", { n }));
  return clsCount(numbers) ? ["CLS", ...patches] : patches;
}

/** The layers of the encoder, from 0. */
export const layersOf = (numbers: VitNumbers): number[] => [...Array(encoderOf(numbers).layers).keys()];

/** The stops of Play. */
export function stopIds(numbers: VitNumbers): string[] {
  return [
    "cut",
    "flatten",
    ...(numbers.compare === "projection" ? ["project"] : []),
    ...(clsCount(numbers) ? ["place"] : []),
    ...(hasEncoder(numbers)
      ? [...layersOf(numbers).map((layer) => `layer${layer + 1}`), "look", "rollout"]
      : ["attend", "mix"]),
  ];
}

/** What is compared: the rows that attention reads. */
export function sequenceNode(numbers: VitNumbers): "patches" | "tokens" | "sequence" {
  if (numbers.compare === "pixels") return "patches";
  return numbers.cls ? "sequence" : "tokens";
}

/** A node of a layer. */
export const layerNode = (layer: number, name: string): string => `layers.${layer}.${name}`;

/** What a layer reads. */
export const inputOf = (layer: number): string =>
  layer === 0 ? "sequence" : layerNode(layer - 1, "residual2");

/** The rollout up to a layer: the first alone has no product. */
export const rolloutNode = (layer: number): string =>
  layer > 0 ? `rollout.rollout_${layer}` : "rollout.normalised_0";

/** A layer as the block lab has one: pre-norm, with the rows of the sequence for words. */
function asBlock(numbers: VitNumbers, words: Words): BlockNumbers {
  const { dim, seed } = numbers;
  return {
    part: "block",
    tokens: rowNames(numbers, words),
    dim,
    heads: encoderOf(numbers).heads,
    hidden: encoderWider * dim,
    activation: "gelu",
    norm: "pre",
    unbiased: false,
    dropout: 0,
    seed,
    x: null,
    claim: null,
    edits: [],
  };
}

const parameter = { role: "weight", family: "parameters" } as const;

/** From the image to the output of attention, with the names that the page's strings give; those of stops that there are. */
function patchTensors(numbers: VitNumbers, words: Words): Tensor[] {
  const rows = rowNames(numbers, words);
  const patches = rows.slice(clsCount(numbers));
  const channels = (["red", "green", "blue"] as const).map((name) => words(`labs.vit.${name}`));
  const { patch } = numbers;
  const pixelName = (channel = 0, row = 0, column = 0): string =>
    words("labs.vit.meaning.pixel", { channel: channels[channel] ?? "", row, column });
  /** A pixel of a patch, by its place in the row that the patch becomes. */
  const ofPatch = (n = 0, at = 0): string =>
    words("labs.vit.meaning.patch", {
      patch: patches[n] ?? "",
      pixel: pixelName(Math.floor(at / patch ** 2), Math.floor(at / patch) % patch, at % patch),
    });
  const pair =
    (key: "labs.vit.meaning.pair" | "labs.vit.meaning.looks") =>
    ([row = 0, column = 0]: number[]): string =>
      words(key, { row: rows[row] ?? "", column: rows[column] ?? "" });
  const learned = { ...parameter, meaning: () => words("labs.meaning.weight") };
  const pixel = {
    symbol: "x",
    family: "pixels",
    letters: "C×H×W",
    at: [0, null, null],
    axes: [channels, null, null],
    meaning: ([channel, row, column]: number[]) => pixelName(channel, row, column),
  };
  const byPatch = { family: "vectors", letters: "N×D", axes: [patches, null] };
  const byRow = { family: "vectors", letters: "(N+1)×D", axes: [rows, null] };
  const compared = { letters: "N×N", axes: [rows, rows], meaning: pair("labs.vit.meaning.pair") };
  const project = { text: "W", sub: "E" };
  const again: Omit<Tensor, "name" | "single">[] = [
    {
      node: "W_E_T",
      stop: "project",
      symbol: { ...project, sup: "T" },
      letters: "D×P·P·C",
      axes: [null, null],
      ...learned,
    },
    {
      node: "kernels",
      stop: "project",
      symbol: project,
      letters: "P×P",
      at: [0, 0, null, null],
      axes: [null, channels, null, null],
      ...parameter,
      meaning: ([, channel, row, column]) => pixelName(channel, row, column),
    },
  ];
  const all: Omit<Tensor, "name" | "single">[] = [
    { node: "image", stop: "cut", ...pixel, symbol: "I", family: "image", editable: true },
    { node: "unit", ...pixel },
    { node: "minus_one", symbol: "x", axes: [null] },
    { node: "normalised", stop: "cut", ...pixel },
    {
      node: "patches",
      stop: "flatten",
      symbol: "X",
      family: "pixels",
      letters: "N×P·P·C",
      axes: [patches, null],
      place: ([n, at]) => ofPatch(n, at),
    },
    {
      node: "bands",
      stop: "flatten",
      symbol: "X",
      family: "pixels",
      letters: "C×P·P",
      axes: [patches, channels, null],
      place: ([n, channel = 0, at = 0]) => ofPatch(n, channel * patch ** 2 + at),
    },
    {
      node: "W_E",
      stop: "project",
      symbol: project,
      letters: "P·P·C×D",
      axes: [null, null],
      editable: true,
      ...learned,
    },
    ...(hasKernels(numbers) ? again : []),
    {
      node: "b_E",
      stop: "project",
      symbol: { text: "b", sub: "E" },
      letters: "D",
      axes: [null],
      editable: true,
      ...learned,
    },
    { node: "projected", stop: "project", symbol: "XW", ...byPatch },
    { node: "tokens", stop: "project", symbol: "Z", ...byPatch },
    {
      node: "CLS",
      stop: "place",
      symbol: "CLS",
      letters: "1×D",
      axes: [["CLS"], null],
      editable: true,
      ...parameter,
    },
    { node: "joined", stop: "place", symbol: "Z", ...byRow },
    { node: "position", stop: "place", symbol: "P", ...byRow, editable: true, ...learned },
    { node: "sequence", stop: "place", symbol: "Z", ...byRow },
    {
      node: "K_T",
      stop: "attend",
      symbol: { text: "K", sup: "T" },
      role: "key",
      family: "vectors",
      letters: "D×N",
      axes: [null, rows],
    },
    { node: "scores", stop: "attend", symbol: "S", family: "scores", ...compared },
    { node: "scaled", stop: "attend", symbol: "S/√d", family: "scaled", ...compared },
    {
      node: "weights",
      stop: "attend",
      symbol: "A",
      role: "attention",
      family: "weights",
      ...compared,
      // Among so many patches even the largest weight is far from 1.
      stretched: true,
      meaning: pair("labs.vit.meaning.looks"),
    },
    { node: "output", stop: "mix", symbol: "O", role: "output", ...byRow, letters: "N×D" },
  ];
  const stops = stopIds(numbers);
  return all
    .filter(({ stop }) => !stop || stops.includes(stop))
    .map((tensor) => ({
      ...tensor,
      name: words(`labs.vit.name.${tensor.node}` as Key),
      single: words(`labs.vit.single.${tensor.node}` as Key),
    }));
}

/** The parts of a layer, and the nodes of each inside the layer: its own, then those it reads; "x" is what the layer reads. */
export const parts = {
  norm1: ["norm1", "norm1.weight", "norm1.bias", "x"],
  project: [
    ...["Q", "K", "V", "in_proj_weight", "in_proj_bias"],
    ...["q", "k", "v"].flatMap((letter) => [`${letter}_proj_weight`, `${letter}_proj_bias`]),
  ]
    .map((name) => `self_attn.${name}`)
    .concat("norm1"),
  attend: ["Q_heads", "K_heads", "K_T", "scores", "scaled", "weights", "V_heads", "heads"].map(
    (name) => `self_attn.${name}`,
  ),
  join: ["concat", "out_proj.weight", "out_proj.bias", "output"].map((name) => `self_attn.${name}`),
  add1: ["residual1", "x", "self_attn.output"],
  norm2: ["norm2", "norm2.weight", "norm2.bias", "residual1"],
  feed: [
    "linear1.weight",
    "linear1.bias",
    "linear1",
    "activation",
    "linear2.weight",
    "linear2.bias",
    "linear2",
  ],
  add2: ["residual2", "residual1", "linear2"],
} as const satisfies Record<string, readonly string[]>;
export type Part = keyof typeof parts;
const inLayer = new Set<string>(Object.values(parts).flat());

/** The layers, what CLS looks at, and the rollout. */
function encoderTensors(numbers: VitNumbers, words: Words): Tensor[] {
  const say = sayIn(words);
  const ofBlock = sayBlock(words);
  const { layers, heads } = encoderOf(numbers);
  const names = rowNames(numbers, words);
  const headNames = Array.from({ length: heads }, (_, n) => say("head", { n }));
  const inside = blockTensors(asBlock(numbers, words), ofBlock).filter(
    ({ node }) => node !== "x" && inLayer.has(node),
  );
  const looks = { role: "attention", letters: "1×(N+1)", stretched: true } as const;
  const square = (node: string, text: string, name: string): Tensor => ({
    node: `rollout.${node}`,
    role: "attention",
    letters: "N×N",
    family: "rollout",
    symbol: text,
    name,
    single: say("single.cls_rollout"),
    stop: "rollout",
    joined: true,
    stretched: true,
    axes: [names, names],
    meaning: ([row = 0, column = 0]) =>
      say("meaning.pair", { row: names[row] ?? "", column: names[column] ?? "" }),
  });
  return [
    ...layersOf(numbers).flatMap((layer) =>
      inside.map(
        ({ editable: _editable, rows: _rows, columns: _columns, step: _step, ...tensor }): Tensor => ({
          ...tensor,
          // Of so many patches each gets little.
          ...(tensor.fill === "probability" ? { stretched: true } : {}),
          node: layerNode(layer, tensor.node),
          stop: `layer${layer + 1}`,
        }),
      ),
    ),
    {
      node: "norm",
      letters: "(N+1)×D",
      role: "output",
      family: "path",
      symbol: "Y",
      name: say("name.final"),
      single: say("single.final"),
      stop: `layer${layers}`,
      axes: [names, null],
    },
    ...(["gain", "bias"] as const).map((which): Tensor => ({
      node: which === "gain" ? "norm.weight" : "norm.bias",
      letters: "1×D",
      ...parameter,
      symbol: which === "gain" ? "γ" : "β",
      name: ofBlock(`name.${which}`),
      single: ofBlock(`single.${which}`),
      stop: which === "gain" ? `layer${layers}` : null,
      axes: [null],
    })),
    {
      node: "cls_weights",
      ...looks,
      family: "looks",
      symbol: { text: "A", sub: "CLS" },
      name: say("name.cls"),
      single: say("single.cls"),
      stop: "look",
      at: [0, 0, null],
      axes: [headNames, ["CLS"], names],
      meaning: ([head = 0, , key = 0]) =>
        say("meaning.looks", { head: headNames[head] ?? "", key: names[key] ?? "" }),
    },
    ...layersOf(numbers).flatMap((n): Tensor[] => [
      square(`mean_${n}`, "Ā", say("name.mean", { n })),
      {
        ...square(`residual_${n}`, "Ā+I", say("name.residual", { n })),
        fill: "activation",
        family: "residuals",
      },
      {
        ...square(`sums_${n}`, "Σ", say("name.sums", { n })),
        fill: "none",
        letters: "N×1",
        axes: [names, null],
        meaning: ([row = 0]) => say("meaning.pair", { row: names[row] ?? "", column: "" }),
      },
      {
        ...square(`normalised_${n}`, "Â", say("name.normalised", { n })),
        symbol: { text: "Â", sub: String(n) },
      },
      ...(n > 0 ? [square(`rollout_${n}`, "R", say("name.rollout", { n }))] : []),
    ]),
    { ...square("identity", "I", say("name.identity")), stop: null },
    {
      node: "cls_rollout",
      ...looks,
      family: "rolled",
      symbol: { text: "R", sub: "CLS" },
      name: say("name.cls_rollout"),
      single: say("single.cls_rollout"),
      stop: "rollout",
      at: [0, null],
      axes: [["CLS"], names],
      meaning: ([, key = 0]) => say("meaning.rolled", { key: names[key] ?? "" }),
    },
  ];
}

export function tensors({ numbers }: Config, words: Words): Tensor[] {
  return [...patchTensors(numbers, words), ...(hasEncoder(numbers) ? encoderTensors(numbers, words) : [])];
}
