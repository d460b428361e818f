/** The tensors of the ViT lab: from the image to what its patches look at; with an encoder, through its layers to the rollout. */
import type { ConfigOf, VitNumbers } from "../../config/config.js";
import { defaults } from "../../config/defaults.js";
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
  const { dim } = numbers;
  const { heads } = encoderOf(numbers);
  const shape = { tokens: rowNames(numbers, words), dim, heads, hidden: encoderWider * dim, dropout: 0 };
  return { ...defaults("block").numbers, ...shape, part: "block", activation: "gelu", norm: "pre" };
}

const parameter = { role: "weight", family: "parameters" } as const;

/** From the image to the output of attention, with the names that the page's strings give; those of stops that there are. */
function patchTensors(numbers: VitNumbers, words: Words): Tensor[] {
  const rows = rowNames(numbers, words);
  const patches = rows.slice(clsCount(numbers));
  const channels = (["red", "green", "blue"] as const).map((name) => words(`labs.vit.${name}`));
  const { patch } = numbers;
  const pixelName = ([channel = 0, row = 0, column = 0]: number[]): string =>
    words("labs.vit.meaning.pixel", { channel: channels[channel] ?? "", row, column });
  /** A pixel of a patch, by its place in the row that the patch becomes. */
  const ofPatch = (n = 0, at = 0): string =>
    words("labs.vit.meaning.patch", {
      patch: patches[n] ?? "",
      pixel: pixelName([Math.floor(at / patch ** 2), Math.floor(at / patch) % patch, at % patch]),
    });
  const pair =
    (key: "labs.vit.meaning.pair" | "labs.vit.meaning.looks") =>
    ([row = 0, column = 0]: number[]): string =>
      words(key, { row: rows[row] ?? "", column: rows[column] ?? "" });
  const stops = stopIds(numbers);
  const one = (
    node: string,
    stop: string | null,
    symbol: Tensor["symbol"],
    axes: Tensor["axes"],
    rest: Partial<Tensor> = {},
  ): Tensor[] => {
    if (stop !== null && !stops.includes(stop)) return [];
    const [name, single] = [words(`labs.vit.name.${node}` as Key), words(`labs.vit.single.${node}` as Key)];
    return [{ node, stop, symbol, name, single, axes, ...rest }];
  };
  const pixels = [channels, null, null];
  const pixel = { at: [0, null, null], meaning: pixelName };
  const kernel = { at: [0, 0, null, null], meaning: ([, ...at]: number[]) => pixelName(at) };
  const learned = { ...parameter, meaning: () => words("labs.meaning.weight") };
  const vectors = { family: "vectors", letters: "N×D" };
  const withCls = { family: "vectors", letters: "(N+1)×D" };
  const squares = { letters: "N×N", meaning: pair("labs.vit.meaning.pair") };
  const looks = { role: "attention", letters: "N×N", meaning: pair("labs.vit.meaning.looks") } as const;
  const projection = { text: "W", sub: "E" };
  return [
    ...one("image", "cut", "I", pixels, { ...pixel, editable: true }),
    ...one("unit", null, "x", pixels, pixel),
    ...one("minus_one", null, "x", [null]),
    ...one("normalised", "cut", "x", pixels, pixel),
    ...one("patches", "flatten", "X", [patches, null], {
      family: "pixels",
      letters: "N×P·P·C",
      place: ([n, at]) => ofPatch(n, at),
    }),
    ...one("bands", "flatten", "X", [patches, channels, null], {
      family: "pixels",
      letters: "C×P·P",
      place: ([n, channel = 0, at = 0]) => ofPatch(n, channel * patch ** 2 + at),
    }),
    ...one("W_E", "project", projection, [null, null], { ...learned, letters: "P·P·C×D", editable: true }),
    ...(hasKernels(numbers)
      ? [
          ...one("W_E_T", "project", { ...projection, sup: "T" }, [null, null], learned),
          ...one("kernels", "project", projection, [null, ...pixels], {
            ...parameter,
            ...kernel,
            letters: "P×P",
          }),
        ]
      : []),
    ...one("b_E", "project", { text: "b", sub: "E" }, [null], { ...learned, letters: "D", editable: true }),
    ...one("projected", "project", "XW", [patches, null], vectors),
    ...one("tokens", "project", "Z", [patches, null], vectors),
    ...one("CLS", "place", "CLS", [["CLS"], null], { ...parameter, letters: "1×D", editable: true }),
    ...one("joined", "place", "Z", [rows, null], withCls),
    ...one("position", "place", "P", [rows, null], { ...learned, letters: "(N+1)×D", editable: true }),
    ...one("sequence", "place", "Z", [rows, null], withCls),
    ...one("K_T", "attend", { text: "K", sup: "T" }, [null, rows], {
      ...vectors,
      role: "key",
      letters: "D×N",
    }),
    ...one("scores", "attend", "S", [rows, rows], { ...squares, family: "scores" }),
    ...one("scaled", "attend", "S/√d", [rows, rows], { ...squares, family: "scaled" }),
    // Among so many patches even the largest weight is far from 1.
    ...one("weights", "attend", "A", [rows, rows], { ...looks, family: "weights", stretched: true }),
    ...one("output", "mix", "O", [rows, null], { ...vectors, role: "output" }),
  ];
}

/** The parts of a layer, first what a stop opens, and the nodes of each: its own, then those it reads; "x" is what the layer reads. */
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
  const row = { role: "attention", letters: "1×(N+1)", stretched: true } as const;
  const norm = (node: string, symbol: string, which: "gain" | "bias", stop: string | null): Tensor => ({
    ...parameter,
    node,
    stop,
    symbol,
    letters: "1×D",
    name: ofBlock(`name.${which}`),
    single: ofBlock(`single.${which}`),
    axes: [null],
  });
  const square = (
    node: string,
    symbol: Tensor["symbol"],
    name: string,
    rest: Partial<Tensor> = {},
  ): Tensor => ({
    node: `rollout.${node}`,
    stop: "rollout",
    symbol,
    name,
    role: "attention",
    family: "rollout",
    letters: "N×N",
    single: say("single.cls_rollout"),
    joined: true,
    stretched: true,
    axes: [names, names],
    meaning: ([row = 0, column = 0]) =>
      say("meaning.pair", { row: names[row] ?? "", column: names[column] ?? "" }),
    ...rest,
  });
  const sums: Partial<Tensor> = {
    fill: "none",
    letters: "N×1",
    axes: [names, null],
    meaning: ([row = 0]) => names[row] ?? "",
  };
  return [
    ...layersOf(numbers).flatMap((layer) =>
      inside.map((tensor): Tensor => ({
        ...tensor,
        // Of so many patches each gets little.
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
      name: say("name.final"),
      single: say("single.final"),
      role: "output",
      family: "path",
      letters: "(N+1)×D",
      axes: [names, null],
    },
    norm("norm.weight", "γ", "gain", `layer${layers}`),
    norm("norm.bias", "β", "bias", null),
    {
      ...row,
      node: "cls_weights",
      stop: "look",
      symbol: { text: "A", sub: "CLS" },
      name: say("name.cls"),
      single: say("single.cls"),
      family: "looks",
      at: [0, 0, null],
      axes: [headNames, ["CLS"], names],
      meaning: ([head = 0, , key = 0]) =>
        say("meaning.looks", { head: headNames[head] ?? "", key: names[key] ?? "" }),
    },
    ...layersOf(numbers).flatMap((n): Tensor[] => [
      square(`mean_${n}`, "Ā", say("name.mean", { n })),
      square(`residual_${n}`, "Ā+I", say("name.residual", { n }), {
        fill: "activation",
        family: "residuals",
      }),
      square(`sums_${n}`, "Σ", say("name.sums", { n }), sums),
      square(`normalised_${n}`, { text: "Â", sub: String(n) }, say("name.normalised", { n })),
      ...(n > 0 ? [square(`rollout_${n}`, "R", say("name.rollout", { n }))] : []),
    ]),
    square("identity", "I", say("name.identity"), { stop: null }),
    {
      ...row,
      node: "cls_rollout",
      stop: "rollout",
      symbol: { text: "R", sub: "CLS" },
      name: say("name.cls_rollout"),
      single: say("single.cls_rollout"),
      family: "rolled",
      at: [0, null],
      axes: [["CLS"], names],
      meaning: ([, key = 0]) => say("meaning.rolled", { key: names[key] ?? "" }),
    },
  ];
}

export function tensors({ numbers }: Config, words: Words): Tensor[] {
  return [...patchTensors(numbers, words), ...(hasEncoder(numbers) ? encoderTensors(numbers, words) : [])];
}
