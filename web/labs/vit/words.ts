/** What the ViT lab says of its numbers: steps, formula, names of tensors, what cells mean. */
import { symbolName } from "../../marks/lettering.js";
import type { ConfigOf, VitNumbers } from "../../config/config.js";
import { patchCount } from "../../config/labs/vit.js";
import type { Key, Words } from "../../i18n/words.js";
import type { Snapshots } from "../../marks/scene.js";
import type { FormulaPart, NodeWords, Remark, Step } from "../../marks/wording.js";
import { sizeWords } from "../../telling/phrases.js";
import { notNumbers } from "../../telling/remarks.js";
import { hasKernels } from "./kernels.js";
import { block, clsCount, rowCount, rowNames, sequenceNode, stepIds, type VitNode } from "./blocks.js";
import { largestInRow } from "../../telling/largest.js";

type Config = ConfigOf<"vit">;
type Cell = { node: string; index: number[] };

/** A row from the lower half of the image, and one not far from it. */
export function opening({ numbers }: Config): Cell {
  const count = patchCount(numbers);
  const perLine = numbers.size / numbers.patch;
  const cls = clsCount(numbers);
  const row = cls ? 0 : Math.max(0, count - Math.ceil(perLine / 2));
  const key = Math.max(cls ? 1 : 0, count - perLine);
  return { node: "weights", index: [row, Math.min(key, rowCount(numbers) - 1)] };
}

/** The tensors that appear at a step; the first is swept. */
function nodesOf(numbers: VitNumbers, id: string): VitNode[] {
  const nodes: Record<string, VitNode[]> = {
    cut: ["image", "normalised"],
    flatten: ["patches", "bands"],
    project: [
      "tokens",
      "projected",
      "W_E",
      ...(hasKernels(numbers) ? (["W_E_T", "kernels"] as const) : []),
      "b_E",
    ],
    place: ["sequence", "joined", "CLS", "position"],
    attend: ["weights", "scaled", "scores", "K_T"],
    mix: ["output"],
  };
  return nodes[id]!.filter(
    (node) => numbers.compare === "projection" || !["W_E", "b_E", "projected", "tokens"].includes(node),
  );
}

export function steps(
  config: Config,
  words: Words,
  snapshots: Snapshots,
  ids = stepIds(config.numbers),
): Step[] {
  const { numbers } = config;
  const cell = opening(config);
  const largest = (node: string, ...index: number[]): Cell => largestInRow(snapshots, { node, index });
  const patch = Math.max(0, cell.index[0]! - clsCount(numbers));
  const perLine = numbers.size / numbers.patch;
  const cells: Record<string, Cell> = {
    cut: {
      node: "image",
      index: [0, Math.floor(patch / perLine) * numbers.patch, (patch % perLine) * numbers.patch],
    },
    flatten: largest("bands", patch, 0, 0),
    project: largest("tokens", patch, 0),
    place: largest("sequence", 0, 0),
    // The class token looks at itself as well.
    attend: largestInRow(snapshots, cell, clsCount(numbers)),
    mix: largest("output", cell.index[0]!, 0),
  };
  const slots = { n: patchCount(numbers), flat: 3 * numbers.patch ** 2, dim: numbers.dim };
  return ids.map((id) => ({
    id,
    title: words(`labs.vit.step.${id}` as Key),
    sentence: words(`labs.vit.tell.${id}` as Key, slots),
    nodes: nodesOf(numbers, id),
    cell: cells[id]!,
  }));
}

export function formula(config: Config, words: Words): { id: string; parts: FormulaPart[] } {
  const projected = config.numbers.compare === "projection";
  const part = (symbol: string, node: VitNode): FormulaPart => {
    const { rows, columns, name, role, symbol: sign } = block(config, node, words);
    return {
      symbol,
      nodes: [node],
      ...(role === "activation" ? {} : { role }),
      label: words("labs.formula.part", {
        symbol: symbolName(sign),
        name,
        size: sizeWords([rows, columns], words),
      }),
    };
  };
  return projected
    ? {
        id: "patch-projection",
        parts: [part("z", "tokens"), part("x", "patches"), part("WE", "W_E"), part("bE", "b_E")],
      }
    : { id: "patch-pixels", parts: [part("A", "weights"), part("X", "patches"), part("XT", "K_T")] };
}

export function nodeWords(config: Config, node: string, words: Words): NodeWords {
  const { numbers } = config;
  const name = node as VitNode;
  const shape = block(config, name, words);
  const rows = rowNames(numbers, words);
  const patches = rowNames({ ...numbers, cls: false }, words);
  const channels = [words("labs.vit.red"), words("labs.vit.green"), words("labs.vit.blue")];
  const pixels: NodeWords["axes"] = [channels, null, null];
  const axes: Partial<Record<VitNode, NodeWords["axes"]>> = {
    image: pixels,
    unit: pixels,
    normalised: pixels,
    minus_one: [null],
    patches: [patches, null],
    bands: [patches, channels, null],
    W_E: [null, null],
    W_E_T: [null, null],
    kernels: [null, channels, null, null],
    b_E: [null],
    projected: [patches, null],
    tokens: [patches, null],
    CLS: [["CLS"], null],
    joined: [rows, null],
    position: [rows, null],
    sequence: [rows, null],
    K_T: [null, rows],
    scores: [rows, rows],
    scaled: [rows, rows],
    weights: [rows, rows],
    output: [rows, null],
  };
  const width = block(config, sequenceNode(numbers), words).columns;
  const { patch } = numbers;
  /** A pixel of a patch, by its place in the row that the patch becomes. */
  const pixelOf = (n: number, at: number): string =>
    words("labs.vit.meaning.patch", {
      patch: patches[n] ?? "",
      pixel: words("labs.vit.meaning.pixel", {
        channel: channels[Math.floor(at / patch ** 2)] ?? "",
        row: Math.floor(at / patch) % patch,
        column: at % patch,
      }),
    });
  const places: Partial<Record<VitNode, NodeWords["place"]>> = {
    patches: ([n = 0, at = 0]) => pixelOf(n, at),
    bands: ([n = 0, channel = 0, at = 0]) => pixelOf(n, channel * patch ** 2 + at),
  };
  const place = places[name];
  return {
    ...(place && { place }),
    symbol: shape.symbol,
    role: shape.role,
    name: shape.name,
    single: words(`labs.vit.single.${name}`, { root: `√${width}` }),
    axes: axes[name] ?? [],
    meaning: (index) => {
      const pair = { row: rows[index[0]!] ?? "", column: rows[index[1]!] ?? "" };
      switch (name) {
        case "image":
        case "unit":
        case "normalised":
          return words("labs.vit.meaning.pixel", {
            channel: channels[index[0]!] ?? "",
            row: index[1]!,
            column: index[2]!,
          });
        case "scores":
        case "scaled":
          return words("labs.vit.meaning.pair", pair);
        case "weights":
          return words("labs.vit.meaning.looks", pair);
        case "K_T":
          return rows[index[1]!] ?? "";
        case "kernels":
          return words("labs.vit.meaning.pixel", {
            channel: channels[index[1]!] ?? "",
            row: index[2]!,
            column: index[3]!,
          });
        case "patches":
        case "bands":
          return place!(index);
        case "W_E":
        case "W_E_T":
        case "b_E":
        case "position":
          return words("labs.meaning.weight");
        default:
          return (axes[name]?.[0] ?? [])[index[0]!] ?? "";
      }
    },
  };
}

export function remarks(_config: Config, snapshots: Snapshots, words: Words): Remark[] {
  return notNumbers(
    snapshots,
    ["image", "W_E", "b_E", "CLS", "position", "tokens", "sequence", "scores", "weights", "output"],
    words,
  );
}
