/** The look of a graph's nodes: symbol, role, fill and the name of the operation. It follows from the node's name and from the nodes that read it. */
import type { Fill, Role, Symbol } from "../../marks/scene.js";
import {
  abbreviate,
  isRearrangement,
  isUnnamed,
  lastPart,
  type GraphNode,
  type GraphNodes,
} from "./nodes.js";

/** The signs between two tensors with the same rows. */
const signs: Readonly<Record<string, string>> = { add: "+", subtract: "−", multiply: "×", divide: "÷" };
/** Short names of operations over an arrow, for operations whose own name is long. */
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
/** The usual letters for some names. */
const letters: Readonly<Record<string, string>> = {
  activation: "a",
  causal: "M",
  embedded: "X",
  logits: "z",
  output: "O",
  scaled: "S′",
  masked: "S″",
};
/** The letters of parameters, by the operation that reads them and their place among its inputs. */
const parameterLetters: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  linear: { 1: "W", 2: "b" },
  conv1d: { 1: "W", 2: "b" },
  embedding: { 1: "E" },
  layer_norm: { 1: "γ", 2: "β" },
};
const byLetter: Readonly<Record<string, Role>> = { Q: "query", K: "key", V: "value" };

export const signOf = ({ op }: GraphNode): string | undefined => signs[op];

/** The name of an operation over its arrow: "÷√4" for a division by a root. */
export function operatorName({ op, attributes = {} }: GraphNode): string {
  const { factor, divisor, sqrt_divisor: root } = attributes;
  if (op === "scale" && typeof root === "number") return `÷√${root}`;
  if (op === "scale" && typeof divisor === "number") return `÷${divisor}`;
  if (op === "scale" && typeof factor === "number") return `×${Number(factor.toPrecision(4))}`;
  return operators[op] ?? op.replaceAll("_", " ");
}

/** The letter of a parameter; null if neither the graph nor the name shows that the node is one. */
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

/** The node whose numbers this node only rearranges, or the node itself. */
function originOf(node: GraphNode, nodes: GraphNodes): GraphNode {
  let origin = node;
  while (isRearrangement(origin) && origin.op !== "concat") origin = nodes.node(origin.inputs[0]!);
  return origin;
}

/** The subscript that distinguishes a parameter from others: "q" for "q_proj_weight", "1" for "linear1.weight". */
function parameterSub(name: string): string {
  const plain = (part: string): string =>
    part
      .replace(/^(weight|bias|[Ww])(_|$)/, "")
      .replace(/_?(proj|embeddings?)?_?(weight|bias|token)?$/, "")
      .replace(/^(linear|norm|layer|w)_?(?=\d|$)/i, "");
  const parts = name.split(".");
  const own = plain(parts.at(-1)!);
  const part = own || plain(parts.at(-2) ?? "");
  return abbreviate(part);
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
  if (rest.length > 0 && rest.at(-1) === "T") return { text: shorten(first), sup: "T" };
  if (rest.length > 0 && first.length <= 2)
    return { text: first, sub: rest.map((word) => (word.length > 3 ? word[0]! : word)).join("") };
  const text = letters[stem] ?? (rest.length > 0 ? initials(words) : shorten(first));
  return {
    text: stem === "weights" && node.op === "softmax" ? "A" : text,
    ...(number ? { sub: number } : {}),
  };
}

/** The subscript of ids, from the node that reads them: "src" for "src.embedding", "loss". */
function purposeOf({ name, op }: GraphNode): string {
  const parts = name.split(".");
  return abbreviate((parts.at(-1) === op && parts.at(-2)) || parts.at(-1)!);
}

const initials = (words: readonly string[]): string =>
  words
    .slice(0, 3)
    .map((word) => word[0]!.toUpperCase())
    .join("");

/** A word of up to three letters, or the initial of a longer one. */
const shorten = (word: string): string => (word.length <= 3 ? word : word[0]!.toUpperCase());

/** The role of a node: "attention" for the result of a softmax, "output" for a product with one; queries, keys and values by their letter. */
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

/** The nodes with one colour scale: those of one fill, without the gains and shifts of layer norms, which are much larger than weights. */
export function familyOf(node: GraphNode, nodes: GraphNodes): string {
  const fill = fillOf(node, nodes);
  const readings = fill === "parameter" ? [...nodes.readingsOf(node)] : [];
  return readings.some(({ op, place }) => op === "layer_norm" && place > 0) ? "norm" : fill;
}

/** The formula of a node with the names of its inputs: "scores = Q_heads × K_T". */
export function formulaOf(node: GraphNode, nameOf: (name: string) => string): string {
  const [a = "", b = "", ...rest] = node.inputs.map(nameOf);
  const formula = (text: string): string => `${nameOf(node.name)} = ${text}`;
  const sign = signOf(node);
  if (sign) return formula(`${a} ${sign} ${b}`);
  if (node.op === "matmul") return formula(`${a} × ${b}`);
  if (node.op === "linear") return formula([`${a} × ${b}ᵀ`, ...rest].join(" + "));
  if (node.op === "embedding") return formula(`${b}[${a}]`);
  if (node.op === "scale") return formula(`${a} ${operatorName(node)}`);
  const args = node.inputs.length > 4 ? [a, b, "…", nameOf(node.inputs.at(-1)!)] : [a, b, ...rest];
  return formula(`${node.op}(${args.filter(Boolean).join(", ")})`);
}
