/** What a node of a graph looks like: its symbol, role and fill, and the name of its operation, from its name and from who reads it. */
import type { Fill, Role, Symbol } from "../../marks/scene.js";
import {
  abbreviated,
  isRearrangement,
  isUnnamed,
  lastPart,
  type GraphNode,
  type GraphNodes,
} from "./nodes.js";

/** Signs between two tensors of the same rows. */
const signs: Readonly<Record<string, string>> = { add: "+", subtract: "−", multiply: "×", divide: "÷" };
/** Operations as they are named on the row line, where their own name is not short. */
const operators: Readonly<Record<string, string>> = {
  cross_entropy: "CE",
  gelu: "GELU",
  layer_norm: "LN",
  merge_heads: "merge",
  patchify: "patches",
  relu: "ReLU",
  sinusoidal: "sin, cos",
  split_heads: "split",
  sqrt: "√",
  sum: "Σ",
  transpose: "T",
};
/** Symbols of names that the field writes by one letter. */
const letters: Readonly<Record<string, string>> = {
  activation: "a",
  causal: "M",
  embedded: "X",
  logits: "z",
  output: "O",
  scaled: "S′",
  masked: "S″",
};
/** What a parameter is called by where it is read: the place among the inputs of an operation. */
const parameterLetters: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  linear: { 1: "W", 2: "b" },
  conv1d: { 1: "W", 2: "b" },
  embedding: { 1: "E" },
  layer_norm: { 1: "γ", 2: "β" },
};
const byLetter: Readonly<Record<string, Role>> = { Q: "query", K: "key", V: "value" };

export const signOf = ({ op }: GraphNode): string | undefined => signs[op];

/** "÷√4" of what is divided by a root, else the name of the operation. */
export function operatorName({ op, attributes = {} }: GraphNode): string {
  const { factor, divisor, sqrt_divisor: root } = attributes;
  if (op === "scale" && typeof root === "number") return `÷√${root}`;
  if (op === "scale" && typeof divisor === "number") return `÷${divisor}`;
  if (op === "scale" && typeof factor === "number") return `×${Number(factor.toPrecision(4))}`;
  return operators[op] ?? op.replaceAll("_", " ");
}

/** The letter of a parameter, where the graph or its name says that it is one. */
function parameterLetter(node: GraphNode, nodes: GraphNodes): string | null {
  if (node.op !== "leaf" || nodes.isWhole(node)) return null;
  const last = lastPart(node.name);
  if (/^[Ww](_|\d|$)/.test(last)) return "W";
  for (const { op, place } of nodes.readingsOf(node)) {
    const letter = parameterLetters[op]?.[place];
    if (letter) return letter;
  }
  if (/weight$/.test(last)) return "W";
  if (/bias$/.test(last)) return "b";
  return /embedding$|_token$/.test(last) ? "E" : null;
}

/** The leaf that a node has its numbers of, or itself. */
function originOf(node: GraphNode, nodes: GraphNodes): GraphNode {
  let origin = node;
  while (isRearrangement(origin) && origin.op !== "concat") origin = nodes.node(origin.inputs[0]!);
  return origin;
}

/** What tells a parameter from its like: "q" of "q_proj_weight", "1" of "linear1.weight". */
function parameterSub(name: string): string {
  const plain = (part: string): string =>
    part
      .replace(/^(weight|bias|[Ww])(_|$)/, "")
      .replace(/_?(proj|embeddings?)?_?(weight|bias|token)?$/, "")
      .replace(/^(linear|norm|layer|w)_?(?=\d|$)/i, "");
  const parts = name.split(".");
  const own = plain(parts.at(-1)!);
  const part = own || plain(parts.at(-2) ?? "");
  return abbreviated(part);
}

export function isParameter(node: GraphNode, nodes: GraphNodes): boolean {
  return parameterLetter(originOf(node, nodes), nodes) !== null;
}

export function symbolOf(node: GraphNode, nodes: GraphNodes): Symbol {
  const { name } = node;
  if (isUnnamed(name) && isRearrangement(node)) {
    const source = symbolOf(nodes.node(node.inputs[0]!), nodes);
    if (node.op === "transpose" && source.sup === undefined) return { ...source, sup: "T" };
    return { ...source, text: `${source.text}′` };
  }
  if (isUnnamed(name)) {
    const [user] = nodes.usersOf(node);
    return nodes.isWhole(node) ? { text: "ids", sub: purposeOf(user!) } : { text: "x", sub: name.slice(1) };
  }
  const letter = parameterLetter(originOf(node, nodes), nodes);
  if (letter !== null && !/_T$/.test(name)) {
    const sub = parameterSub(name);
    return { text: letter, ...(sub ? { sub } : {}) };
  }
  const last = lastPart(name);
  const number = /(?<=\D)\d+$/.exec(last)?.[0] ?? "";
  const stem = last.slice(0, last.length - number.length).replace(/_$/, "");
  const words = stem.split("_").filter(Boolean);
  const [first = last, ...rest] = words;
  if (rest.length > 0 && rest.at(-1) === "T") return { text: shortened(first), sup: "T" };
  if (rest.length > 0 && first.length <= 2)
    return { text: first, sub: rest.map((word) => (word.length > 3 ? word[0]! : word)).join("") };
  const text = letters[stem] ?? (rest.length > 0 ? initials(words) : shortened(first));
  return {
    text: stem === "weights" && node.op === "softmax" ? "A" : text,
    ...(number ? { sub: number } : {}),
  };
}

/** What ids are for, by the node that reads them: "src" of "src.embedding", "loss". */
function purposeOf({ name, op }: GraphNode): string {
  const parts = name.split(".");
  return abbreviated((parts.at(-1) === op && parts.at(-2)) || parts.at(-1)!);
}

const initials = (words: readonly string[]): string =>
  words
    .slice(0, 3)
    .map((word) => word[0]!.toUpperCase())
    .join("");

/** Three letters stand as they are. */
const shortened = (word: string): string => (word.length <= 3 ? word : word[0]!.toUpperCase());

/** Attention by what a softmax made, output by what is mixed with it; queries, keys and values by their letter. */
export function roleOf(node: GraphNode, nodes: GraphNodes): Role {
  const letter = byLetter[/^[QKV](?=_|$)/.exec(lastPart(node.name))?.[0] ?? ""];
  if (letter) return letter;
  if (node.op === "softmax") return "attention";
  if (isParameter(node, nodes)) return "weight";
  if (node.op === "leaf" || node.inputs.length === 0) return "activation";
  const from = nodes.principalOf(node);
  if (node.op === "matmul" && nodes.node(node.inputs[0]!).op === "softmax") return "output";
  return isRearrangement(node) && node.op !== "concat" ? roleOf(from, nodes) : "activation";
}

export function fillOf(node: GraphNode, nodes: GraphNodes): Fill {
  if (nodes.isWhole(node) || node.shape.length === 0) return "none";
  if (isParameter(node, nodes)) return "parameter";
  return originOf(node, nodes).op === "softmax" ? "probability" : "activation";
}

/** How a node is computed, as a formula of names: "scores = Q_heads × K_T". */
export function formulaOf(node: GraphNode, called: (name: string) => string): string {
  const [a = "", b = "", ...rest] = node.inputs.map(called);
  const made = (text: string): string => `${called(node.name)} = ${text}`;
  const sign = signOf(node);
  if (sign) return made(`${a} ${sign} ${b}`);
  if (node.op === "matmul") return made(`${a} × ${b}`);
  if (node.op === "linear") return made([`${a} × ${b}ᵀ`, ...rest].join(" + "));
  if (node.op === "embedding") return made(`${b}[${a}]`);
  if (node.op === "scale") return made(`${a} ${operatorName(node)}`);
  const given = node.inputs.length > 4 ? [a, b, "…", called(node.inputs.at(-1)!)] : [a, b, ...rest];
  return made(`${node.op}(${given.filter(Boolean).join(", ")})`);
}
