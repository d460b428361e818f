// The words of a small attention lab and its explanations, for the tests of the note.
import type { Explanation } from "../../web/core/attention.js";
import type { Role } from "../../web/marks/scene.js";
import type { NodeWords } from "../../web/marks/wording.js";

const names = ["word 1", "word 2", "word 3", "word 4"];

function entry(text: string, role: Role, name: string, single: string, axes: NodeWords["axes"]): NodeWords {
  return { symbol: { text }, role, name, single, axes, meaning: () => "" };
}

const table: Record<string, NodeWords> = {
  Q: entry("Q", "query", "queries", "query", [names, null]),
  K_T: entry("K", "key", "keys", "key", [null, names]),
  V: entry("V", "value", "values", "value", [names, null]),
  scores: {
    ...entry("S", "activation", "scores", "score", [names, names]),
    meaning: ([i = 0, j = 0]) => `${names[i]} asks ${names[j]}`,
  },
  mask: entry("M", "activation", "mask", "mask", [names, names]),
  weights: entry("A", "attention", "weights", "weight", [names, names]),
  W_O: {
    ...entry("W", "weight", "output weights", "output weight", [null, null]),
    symbol: { text: "W", sub: "O" },
  },
};

export const nodeWords = (node: string): NodeWords => table[node] ?? entry(node, "activation", node, "", []);

type Row = Explanation["rows"][number];
type Term = [node: string, index: number[], value: number];

/** The square root of a number, in the form that the core uses for roots. */
export const root = (of: number) => ({ node: "", index: [], value: Math.sqrt(of), rootOf: of });

/** A row of operands in tensors, followed by numbers that are in none. */
export function row(
  role: string,
  terms: (Term | number | ReturnType<typeof root>)[],
  rest: Partial<Row> = {},
): Row {
  const operands = terms.map((term) => {
    if (typeof term === "number") return { node: "", index: [], value: term };
    return Array.isArray(term) ? { node: term[0], index: term[1], value: term[2] } : term;
  });
  return { role, operands, ...rest };
}

export function explained(
  op: string,
  node: string,
  index: number[],
  rows: Row[],
  more: Partial<Explanation> = {},
): Explanation {
  const value = rows[rows.length - 1]?.value;
  if (value === undefined) throw new Error("the last row has no value");
  return { node, op, index, value, rows, sources: [], attributes: {}, ...more };
}

export const score = explained(
  "matmul",
  "scores",
  [0, 2],
  [
    row("row", [["Q", [0, 0], 2], ["Q", [0, 1], 0], ["Q", [0, 2], 2]]),
    row("column", [["K_T", [0, 2], 2], ["K_T", [1, 2], 4], ["K_T", [2, 2], 3]]),
    row("products", [4, 0, 6], { value: 10 }),
  ],
  { sources: [{ node: "Q", from: [0, 0], to: [0, 2] }, { node: "K_T", from: [0, 2], to: [2, 2] }] },
); // prettier-ignore

/** The first row of document 002's weights. */
export const weight = explained("softmax", "weights", [0, 2], [
  row("value", [["scaled", [0, 0], 4.618802153517006], ["scaled", [0, 1], 1.1547005383792517], ["scaled", [0, 2], 5.773502691896258], ["scaled", [0, 3], 1.1547005383792517]]),
  row("minus_max", [-1.154700538379252, -4.618802153517006, 0, -4.618802153517006], { value: 5.773502691896258 }),
  row("exp", [0.31515188, 0.00986459, 1, 0.00986459], { value: 1.33488106 }),
  row("quotient", [0.23608986, 0.00738987, 0.74913040, 0.00738987], { value: 0.74913040 }),
]); // prettier-ignore
