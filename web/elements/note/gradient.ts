/**
 * The note of a gradient: upstream × local for each tensor that uses the cell, and their sum. DESIGN.md,
 * section 5.
 */
import type { Explanation, GradientUse } from "../../core/attention.js";
import type { Key, Words } from "../../i18n/words.js";
import type { GradientNote } from "../../marks/gradient-reading.js";
import { sameIndexIn } from "../../marks/lighting.js";
import { formatNote } from "../../marks/numbers.js";
import { numberCell } from "./cells.js";
import { layoutOf, type FromLink, type NoteLayout, type NoteLine } from "./layout.js";
import { addressText, fillTemplate, type NodeWordsOf } from "./places.js";
import { opNames } from "./rows.js";

type Row = Explanation["rows"][number];

/** Operations that only rearrange numbers: the gradient goes back unchanged to where the number came from. */
const rearranging = ["transpose", "reshape", "split_heads", "merge_heads", "concat", "slice", "patchify"];
/** Operations whose name describes their slope: "slope of softmax". */
const namedSlopes = [
  ...["softmax", "log_softmax", "exp", "log", "sqrt", "tanh", "log_sigmoid", "relu", "gelu", "layer_norm"],
  ...["cross_entropy", "kl_divergence", "mse_loss", "cosine_similarity", "entropy"],
];

/** One use as rows of the note: a product, a sum of products, or a gradient that was only passed on. */
function rowsOf({ op, rows }: GradientUse): Row[] {
  const upstream = rows.find(({ role }) => role === "upstream");
  const local = rows.find(({ role }) => role === "local");
  const products = rows.find(({ role }) => role === "contributions");
  if (!upstream || !local || !products) return rows;
  if (upstream.operands.length === 0) return [{ role: "unread", operands: [], value: products.value ?? 0 }];
  const stands = (local.operands[0]?.node ?? "") !== "";
  if (upstream.operands.length > 1 || upstream.rest)
    return [upstream, stands ? local : { ...local, role: "slopes" }, products];
  if (rearranging.includes(op) && local.operands[0]?.value === 1) return [{ ...upstream, role: "moved" }];
  return [
    { ...upstream, role: "upstream_cell" },
    { ...local, role: stands ? "local_cell" : op === "mask" ? "kept" : "slopes" },
    { role: "product", operands: [], value: products.value ?? 0 },
  ];
}

/** The slots for the label of a slope. */
function attributesOf({ op, attributes }: GradientUse, words: Words): Record<string, unknown> {
  const { divisor, sqrt_divisor: under } = attributes;
  const name = opNames[op];
  if (op === "scale" && typeof under === "number" && !Number.isInteger(divisor))
    return { divided: `√${under}` };
  if (op === "scale" && typeof divisor === "number") return { divided: formatNote(divisor) };
  return name && namedSlopes.includes(op) ? { operation: words(name) } : {};
}

function layoutOfUse(note: GradientNote, use: GradientUse, nodeWords: NodeWordsOf, words: Words): NoteLayout {
  const { node, index, op, value: whole } = note;
  const value = use.rows.at(-1)?.value ?? whole;
  const attributes = attributesOf(use, words);
  const rows = rowsOf(use);
  return layoutOf({ node, op, index, value, rows, sources: [], attributes }, nodeWords, words);
}

/**
 * The note where there is no use: the gradient is that of the number itself, does not exist, or is known
 * without rows.
 */
function layoutOfEnd(note: GradientNote, nodeWords: NodeWordsOf, words: Words): NoteLayout {
  const { of, value, rows } = note;
  const given = rows[0]?.role ?? "";
  const known = { none: "none", gradient: "gradient", unreached: "gradient" }[given];
  const role = known ?? (value === 1 ? "seed" : "beside");
  const from = ((note.attributes["from"] ?? []) as string[]).map((node) => nodeWords(node).name || node);
  const attributes = { of: addressText(of), from: from.join(" · ") };
  return layoutOf({ ...note, rows: [{ role, operands: [], value }], attributes }, nodeWords, words);
}

/** One line for each use, which can be opened, and their sum. */
function layoutOfUses(note: GradientNote, nodeWords: NodeWordsOf, words: Words): NoteLayout {
  const { value, uses } = note;
  const lines = uses.map((use, number): NoteLine => {
    const { symbol, role } = nodeWords(use.node);
    const part = numberCell(0, use.rows.at(-1)?.value ?? 0, { kind: "use", use: number });
    const label = fillTemplate(words("note.gradient.through"), { node: [symbol] });
    return { role: "use", sign: number > 0 ? "+" : "", label, tone: role, hasRule: false, spansColumns: false, cells: [part] };
  }); // prettier-ignore
  const sum: NoteLine = {
    role: "sum", sign: "", label: [words("note.gradient.sum")], tone: null, hasRule: true, spansColumns: false,
    cells: [numberCell(0, value, { kind: "result", tone: "own" })],
  }; // prettier-ignore
  const base = layoutOf({ ...note, rows: [], sources: [] }, nodeWords, words);
  return { ...base, columns: 1, lines: [...lines, sum] };
}

function fromLinks({ uses, index }: GradientNote, nodeWords: NodeWordsOf): FromLink[] {
  return uses.flatMap(({ node, sources }, place) => {
    const region = sources.find(({ gradient }) => gradient);
    if (!region || uses.findIndex((other) => other.node === node) !== place) return [];
    const { symbol, role, name } = nodeWords(node);
    const at = sameIndexIn(region, index);
    return [{ node, index: at, gradient: true as const, label: ["∂", symbol], role, name }];
  });
}

function remark({ lines }: NoteLayout, { rows }: GradientUse | GradientNote): Key | null {
  if (rows.at(-1)?.zeroWithinRounding) return "note.foot.rounding";
  return lines.some(({ role }) => role === "moved") ? "note.foot.nothing" : null;
}

/**
 * Everything that the note of a gradient shows. With several uses, `opened` is the one whose product is
 * shown; null shows their sum.
 */
export function gradientLayout(
  note: GradientNote,
  opened: number | null,
  nodeWords: NodeWordsOf,
  words: Words,
): NoteLayout {
  const { of, uses, value } = note;
  const use = uses[uses.length === 1 ? 0 : (opened ?? -1)];
  const layout = use
    ? layoutOfUse(note, use, nodeWords, words)
    : uses.length > 0
      ? layoutOfUses(note, nodeWords, words)
      : layoutOfEnd(note, nodeWords, words);
  const address = addressText({ ...note, gradient: true });
  const slots = { of: addressText(of), address: addressText(note), value: formatNote(value) };
  const none = note.rows[0]?.role === "none";
  return {
    ...layout,
    address,
    words: nodeWords(note.node).meaning(note.index) || words("note.op.gradient"),
    sentence: words(none ? "note.say.no_gradient" : "note.say.gradient", slots),
    foot: remark(layout, use ?? note),
    from: fromLinks(note, nodeWords),
    isGradient: true,
    showsOneUse: uses.length > 1 && use !== undefined,
  };
}
