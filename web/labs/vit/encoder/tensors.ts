/** The tensors of the ViT lab's encoder: those of each layer, as the block lab calls them, what CLS looks at, and the rollout. */
import type { ConfigOf, VitNumbers } from "../../../config/config.js";
import { encoderOf, encoderWider } from "../../../config/labs/vit.js";
import type { BlockNumbers } from "../../../config/labs/block.js";
import { own, type OwnWords, type Words } from "../../../i18n/words.js";
import { sayIn as sayBlock } from "../../block/strings.js";
import { blockTensors } from "../../block/tensors.js";
import type { FullTensor as Tensor } from "../../../telling/telling.js";
import { block, rowCount, rowNames, stepIds } from "../blocks.js";
import { en } from "./en.js";
import { zhCN } from "./zh-CN.js";

export type Say = OwnWords<typeof en>;
export const sayIn = (words: Words): Say => own(words, { en, "zh-CN": zhCN });

/** The prefix of a layer's nodes. */
export const layerNode = (layer: number, name: string): string => `layers.${layer}.${name}`;

/** The last matrix of the rollout: a layer alone has no product. */
export function rolloutNode(numbers: VitNumbers, layer = encoderOf(numbers).layers - 1): string {
  return layer > 0 ? `rollout.rollout_${layer}` : "rollout.normalised_0";
}

/** A layer as the block lab has one: pre-norm, with the rows of the sequence for words. */
export function asBlock(numbers: VitNumbers, words: Words): BlockNumbers {
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

/** What a layer reads. */
export const inputOf = (layer: number): string =>
  layer === 0 ? "sequence" : layerNode(layer - 1, "residual2");

/** Parts of the block lab that a layer of an encoder does not have. */
const others = new Set([
  "E",
  "embedded",
  "PE",
  "x",
  "path",
  "path_squares",
  "variances",
  "means",
  "deviations",
]);

/** The tensors of a layer by their names inside it, "x" what it reads. */
export function layerTensors(config: ConfigOf<"vit">, words: Words, layer: number): Map<string, Tensor> {
  const { numbers } = config;
  const step = stepIds(numbers).indexOf(`layer${layer + 1}`);
  const made = new Map<string, Tensor>();
  for (const tensor of blockTensors(asBlock(numbers, words), sayBlock(words)) as Tensor[]) {
    const { node, editable: _typed, ...rest } = tensor;
    const inside = !others.has(node);
    made.set(node, {
      ...rest,
      // Of so many patches each gets little.
      ...(rest.fill === "probability" ? { stretched: true } : {}),
      node: inside ? layerNode(layer, node) : node,
      step,
    });
  }
  const sequence = block(config, "sequence", words);
  const before = made.get("x")!;
  made.set("x", { ...before, ...(layer === 0 ? { name: sequence.name } : {}), node: inputOf(layer) });
  return made;
}

/** What follows the layers: the last norm, what CLS looks at, the rollout. */
function afterLayers({ numbers }: ConfigOf<"vit">, words: Words): Tensor[] {
  const say = sayIn(words);
  const ofBlock = sayBlock(words);
  const { layers, heads } = encoderOf(numbers);
  const names = rowNames(numbers, words);
  const count = rowCount(numbers);
  const headNames = Array.from({ length: heads }, (_, n) => say("head", { n }));
  const stops = stepIds(numbers);
  const [look, rollout] = [stops.indexOf("look"), stops.indexOf("rollout")];
  const layerStop = stops.indexOf(`layer${layers}`);
  const { dim } = numbers;
  const parameter = { role: "weight", fill: "parameter", family: "parameters" } as const;
  const row = { rows: 1, columns: count, letters: "1×(N+1)" };
  const square = (node: string, text: string, name: string, columns = count): Tensor => ({
    node,
    rows: count,
    columns,
    letters: columns === 1 ? "N×1" : "N×N",
    role: "attention",
    fill: "probability",
    family: "rollout",
    symbol: { text },
    name,
    single: say("single.cls_rollout"),
    step: rollout,
    joined: true,
    stretched: true,
    axes: columns === 1 ? [names, null] : [names, names],
    meaning: ([of = 0, from = 0]) =>
      say("meaning.pair", { row: names[of] ?? "", column: columns === 1 ? "" : (names[from] ?? "") }),
  });
  const perLayer = Array.from({ length: layers }, (_, layer): Tensor[] => {
    const n = layer;
    return [
      square(`rollout.mean_${layer}`, "Ā", say("name.mean", { n })),
      {
        ...square(`rollout.residual_${layer}`, "Ā+I", say("name.residual", { n })),
        fill: "activation",
        family: "residuals",
      },
      {
        ...square(`rollout.sums_${layer}`, "Σ", say("name.sums", { n }), 1),
        fill: "none",
      },
      {
        ...square(`rollout.normalised_${layer}`, "Â", say("name.normalised", { n })),
        symbol: { text: "Â", sub: String(n) },
      },
      ...(layer > 0 ? [square(rolloutNode(numbers, layer), "R", say("name.rollout", { n }))] : []),
    ];
  });
  return [
    {
      node: "norm",
      rows: count,
      columns: dim,
      letters: "(N+1)×D",
      role: "output",
      fill: "activation",
      family: "path",
      symbol: { text: "Y" },
      name: say("name.final"),
      single: say("single.final"),
      step: layerStop,
      axes: [names, null],
    },
    ...(["weight", "bias"] as const).map((which): Tensor => ({
      node: `norm.${which}`,
      rows: 1,
      columns: dim,
      letters: "1×D",
      ...parameter,
      symbol: { text: which === "weight" ? "γ" : "β" },
      name: ofBlock(which === "weight" ? "name.gain" : "name.bias"),
      single: ofBlock(which === "weight" ? "single.gain" : "single.bias"),
      step: which === "weight" ? layerStop : -1,
      at: [null],
      axes: [null],
    })),
    {
      node: "cls_weights",
      ...row,
      role: "attention",
      fill: "probability",
      family: "looks",
      stretched: true,
      symbol: { text: "A", sub: "CLS" },
      name: say("name.cls"),
      single: say("single.cls"),
      step: look,
      at: [0, 0, null],
      axes: [headNames, ["CLS"], names],
      meaning: ([head = 0, , key = 0]) =>
        say("meaning.looks", { head: headNames[head] ?? "", key: names[key] ?? "" }),
    },
    ...perLayer.flat(),
    {
      ...square("rollout.identity", "I", say("name.identity")),
      step: -1,
    },
    {
      node: "cls_rollout",
      ...row,
      role: "attention",
      fill: "probability",
      family: "rolled",
      stretched: true,
      symbol: { text: "R", sub: "CLS" },
      name: say("name.cls_rollout"),
      single: say("single.cls_rollout"),
      step: rollout,
      at: [0, null],
      axes: [["CLS"], names],
      meaning: ([, key = 0]) => say("meaning.rolled", { key: names[key] ?? "" }),
    },
  ];
}

/** Every tensor that the encoder adds to the lab. */
export function encoderTensors(config: ConfigOf<"vit">, words: Words): Tensor[] {
  const { layers } = encoderOf(config.numbers);
  const inside = Array.from({ length: layers }, (_, layer) =>
    [...layerTensors(config, words, layer)].filter(([name]) => !others.has(name)).map(([, tensor]) => tensor),
  );
  return [...inside.flat(), ...afterLayers(config, words)];
}
