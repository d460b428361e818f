/** The tensors of the ViT lab, and the patch that the stage unfolds. */
import type { ConfigOf, VitNumbers } from "../../config/config.js";
import { encoderOf, hasEncoder } from "../../config/labs/vit.js";
import { patchCount } from "../../config/labs/vit.js";
import type { Words } from "../../i18n/words.js";
import type { Block } from "../../stage/place.js";

export type VitNode =
  | "image"
  | "unit"
  | "minus_one"
  | "normalised"
  | "patches"
  | "bands"
  | "W_E"
  | "W_E_T"
  | "kernels"
  | "b_E"
  | "projected"
  | "tokens"
  | "CLS"
  | "joined"
  | "position"
  | "sequence"
  | "K_T"
  | "scores"
  | "scaled"
  | "weights"
  | "output";

export function stepIds(numbers: VitNumbers): string[] {
  const projected = numbers.compare === "projection";
  return [
    "cut",
    "flatten",
    ...(projected ? ["project"] : []),
    ...(projected && numbers.cls ? ["place"] : []),
    ...(hasEncoder(numbers)
      ? [
          ...Array.from({ length: encoderOf(numbers).layers }, (_, layer) => `layer${layer + 1}`),
          "look",
          "rollout",
        ]
      : ["attend", "mix"]),
  ];
}

/** What is compared: the rows that attention reads. */
export function sequenceNode(numbers: VitNumbers): VitNode {
  if (numbers.compare === "pixels") return "patches";
  return numbers.cls ? "sequence" : "tokens";
}

/** 1 where CLS stands before the patches. */
export function clsCount(numbers: VitNumbers): number {
  return numbers.compare === "projection" && numbers.cls ? 1 : 0;
}

export function rowCount(numbers: VitNumbers): number {
  return patchCount(numbers) + clsCount(numbers);
}

/** "patch 60"; the class token by its name. */
export function rowNames(numbers: VitNumbers, words: Words): string[] {
  const patches = Array.from({ length: patchCount(numbers) }, (_, n) => words("labs.vit.patch", { n }));
  return clsCount(numbers) ? ["CLS", ...patches] : patches;
}

const STEP: Partial<Record<VitNode, string>> = {
  image: "cut",
  unit: "cut",
  minus_one: "cut",
  normalised: "cut",
  patches: "flatten",
  bands: "flatten",
  W_E: "project",
  W_E_T: "project",
  kernels: "project",
  b_E: "project",
  projected: "project",
  tokens: "project",
  CLS: "place",
  joined: "place",
  position: "place",
  sequence: "place",
  K_T: "attend",
  scores: "attend",
  scaled: "attend",
  weights: "attend",
  output: "mix",
};

export function block({ numbers }: ConfigOf<"vit">, node: VitNode, words: Words): Block {
  const { size, patch, dim } = numbers;
  const flat = 3 * patch * patch;
  const count = patchCount(numbers);
  const total = rowCount(numbers);
  const width = numbers.compare === "pixels" ? flat : dim;
  const shape: Record<VitNode, [number, number, string]> = {
    image: [size, size, "C×H×W"],
    unit: [size, size, "C×H×W"],
    minus_one: [1, 1, ""],
    normalised: [size, size, "C×H×W"],
    patches: [count, flat, "N×P·P·C"],
    bands: [3, patch * patch, "C×P·P"],
    W_E: [flat, dim, "P·P·C×D"],
    W_E_T: [dim, flat, "D×P·P·C"],
    kernels: [patch, patch, "P×P"],
    b_E: [1, dim, "D"],
    projected: [count, dim, "N×D"],
    tokens: [count, dim, "N×D"],
    CLS: [1, dim, "1×D"],
    joined: [total, dim, "(N+1)×D"],
    position: [total, dim, "(N+1)×D"],
    sequence: [total, dim, "(N+1)×D"],
    K_T: [width, total, "D×N"],
    scores: [total, total, "N×N"],
    scaled: [total, total, "N×N"],
    weights: [total, total, "N×N"],
    output: [total, width, "N×D"],
  };
  const symbols: Partial<Record<VitNode, Block["symbol"]>> = {
    patches: { text: "X" },
    bands: { text: "X" },
    W_E: { text: "W", sub: "E" },
    W_E_T: { text: "W", sub: "E", sup: "T" },
    kernels: { text: "W", sub: "E" },
    b_E: { text: "b", sub: "E" },
    projected: { text: "XW" },
    tokens: { text: "Z" },
    joined: { text: "Z" },
    position: { text: "P" },
    sequence: { text: "Z" },
    K_T: { text: "K", sup: "T" },
    scores: { text: "S" },
    scaled: { text: "S/√d" },
    weights: { text: "A" },
    output: { text: "O" },
    CLS: { text: "CLS" },
  };
  const computed = node === "W_E_T" || node === "kernels";
  const parameter = computed || ["W_E", "b_E", "CLS", "position"].includes(node);
  const role = { K_T: "key", weights: "attention", output: "output" }[node as string] as
    Block["role"] | undefined;
  const pixel = node === "image" || node === "unit" || node === "normalised";
  const family = parameter
    ? "parameters"
    : { weights: "weights", scores: "scores", scaled: "scaled" }[node as string];
  const step = stepIds(numbers).indexOf(STEP[node] ?? "cut");
  const [rows, columns, letters] = shape[node];
  return {
    node,
    rows,
    columns,
    letters,
    role: parameter ? "weight" : (role ?? "activation"),
    fill: parameter ? "parameter" : node === "weights" ? "probability" : "activation",
    family:
      family ??
      (node === "image" ? "image" : pixel || node === "patches" || node === "bands" ? "pixels" : "vectors"),
    symbol: symbols[node] ?? { text: node === "image" ? "I" : "x" },
    name: words(`labs.vit.name.${node}`),
    step: Math.max(0, step),
    ...(pixel ? { at: [0, null, null] } : {}),
    // Among so many patches even the largest weight is far from 1.
    ...(node === "weights" ? { stretched: true } : {}),
    ...((parameter && !computed) || node === "image" ? { editable: true } : {}),
    ...(node === "b_E" ? { at: [null] } : {}),
    ...(node === "kernels" ? { at: [0, 0, null, null] } : {}),
  };
}

/** Which row the stage unfolds, and which it is compared with. */
export interface Focus {
  node: string;
  /** Row of the sequence; CLS is 0 where there is one. */
  row: number;
  /** The other row, where the target names one. */
  key: number | null;
  /** Patch of `row`, or the first one for CLS. */
  patch: number;
  channel: number;
}

const ROWLESS = new Set(["K_T", "W_E", "W_E_T", "kernels", "b_E", "CLS", "minus_one"]);
const PATCH_ROWS = new Set(["patches", "bands", "projected", "tokens"]);

/** What the stage unfolds for a target; `before` is the row shown last, for targets that have none of their own. */
export function focusOf(
  numbers: VitNumbers,
  cell: { node: string; index: number[] } | null,
  before: number,
): Focus {
  const cls = clsCount(numbers);
  const perLine = numbers.size / numbers.patch;
  const last = rowCount(numbers) - 1;
  const node = cell?.node ?? "weights";
  const index = cell?.index ?? [];
  const focus: Focus = { node, row: Math.min(last, index[0] ?? 0), key: null, patch: 0, channel: 0 };
  if (node === "image" || node === "unit" || node === "normalised") {
    const [channel = 0, y = 0, x = 0] = index;
    focus.channel = channel;
    focus.row = cls + Math.floor(y / numbers.patch) * perLine + Math.floor(x / numbers.patch);
  } else if (PATCH_ROWS.has(node)) focus.row = Math.min(last, cls + (index[0] ?? 0));
  else if (ROWLESS.has(node)) focus.row = Math.min(last, before);
  if (node === "scores" || node === "scaled" || node === "weights") focus.key = Math.min(last, index[1] ?? 0);
  if (node === "K_T") focus.key = Math.min(last, index[1] ?? 0);
  focus.patch = Math.max(0, focus.row - cls);
  return focus;
}
