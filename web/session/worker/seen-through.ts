/** Explanations that pass over what only carries numbers from one shape to another, and over how the core finds the smaller of two. */
import type {
  Explanation,
  ExplanationRegion,
  GradientExplanation,
  GradientUse,
  Graph,
} from "../../core/index.js";
import type { Cell } from "../messages.js";

/** Nodes of additive attention and of a surface's gradient that hold numbers of another node as they are. */
const CARRIERS: ReadonlySet<string> = new Set([
  "Q_pairs",
  "K_pairs",
  "w_v_column",
  "score_columns",
  "x_now",
  "y_now",
]);
/** Nodes joined to the one that a reader knows. */
const PARTS: ReadonlySet<string> = new Set([...CARRIERS, "along_x", "along_y"]);
/** Nodes that stand on no stage: the cells that they were made from are lit for them. */
const UNSEEN: ReadonlySet<string> = new Set(["sum"]);
const MOVES: ReadonlySet<string> = new Set(["reshape", "slice", "concat"]);

/** Whether explanations pass over a node. */
export const isSeenThrough = (node: string): boolean => PARTS.has(node) || UNSEEN.has(node);

const explained = (graph: Graph, { node, index }: Cell): Explanation => graph.explain(node, index);

/** The cell that a carrier's cell was read from; any other cell itself. */
function read(graph: Graph, cell: Cell): Cell {
  if (!CARRIERS.has(cell.node)) return cell;
  const { op, rows } = explained(graph, cell);
  const from = rows[0]?.operands[0];
  return MOVES.has(op) && from ? { node: from.node, index: from.index } : cell;
}

function regions(graph: Graph, region: ExplanationRegion): ExplanationRegion[] {
  const { node, from, to } = region;
  if (UNSEEN.has(node)) {
    const { sources } = explained(graph, { node, index: from });
    const ends = explained(graph, { node, index: to }).sources;
    return sources.flatMap((source, place) =>
      regions(graph, { ...source, to: ends[place]?.to ?? source.to }),
    );
  }
  const first = read(graph, { node, index: from });
  return [{ ...region, node: first.node, from: first.index, to: read(graph, { node, index: to }).index }];
}

/** a − relu(a − b) is the smaller of a and b: told as that. Any other explanation: null. */
function smaller(graph: Graph, explanation: Explanation): Explanation | null {
  const [a, excess] = explanation.rows.map(({ operands }) => operands[0]);
  if (explanation.op !== "subtract" || !a || !excess?.node) return null;
  const relu = explained(graph, excess);
  const less = relu.op === "relu" ? relu.rows[0]?.operands[0] : undefined;
  const [first, b] = less ? explained(graph, less).rows.map(({ operands }) => operands[0]) : [];
  if (!first || !b || first.node !== a.node || first.index.join() !== a.index.join()) return null;
  const { node, index, value, rows } = explanation;
  const result = rows.at(-1)!;
  return {
    node,
    index,
    value,
    op: "minimum",
    rows: [
      { role: "value", operands: [a] },
      { role: "value", operands: [b] },
      { ...result, role: "result" },
    ],
    attributes: {},
    sources: [a, b].map((operand) => ({ node: operand.node, from: operand.index, to: operand.index })),
  };
}

/** How a cell was made, as told by cells that a reader knows. */
export function seenThrough(graph: Graph, explanation: Explanation, full: boolean): Explanation {
  const { node, index, op, rows, sources } = explanation;
  const from = rows[0]?.operands[0];
  if (MOVES.has(op) && from && PARTS.has(from.node) && !PARTS.has(node)) {
    const made = graph.explain(from.node, from.index, { full });
    return { ...seenThrough(graph, made, full), node, index };
  }
  return (
    smaller(graph, explanation) ?? {
      ...explanation,
      rows: rows.map((row) => ({
        ...row,
        operands: row.operands.map((operand) =>
          CARRIERS.has(operand.node) ? { ...operand, ...read(graph, operand) } : operand,
        ),
      })),
      sources: sources.flatMap((source) => regions(graph, source)),
    }
  );
}

/** The cell whose gradient a carrier's is, where the carrier only gives its numbers on; any other cell itself. */
function given(graph: Graph, cell: Cell): Cell {
  if (!CARRIERS.has(cell.node)) return cell;
  const [use, other] = graph.explainGradient(cell.node, cell.index).uses;
  const to = use?.rows[0]?.operands[0];
  return use && !other && MOVES.has(use.op) && to ? { node: to.node, index: to.index } : cell;
}

/** The uses that a reader knows, in place of one: those of the carrier that it goes through. */
function usesOf(graph: Graph, use: GradientUse, full: boolean): GradientUse[] {
  const through = use.rows[0]?.operands[0];
  if (MOVES.has(use.op) && CARRIERS.has(use.node) && through) {
    const { uses } = graph.explainGradient(through.node, through.index, { full });
    return uses.flatMap((next) => usesOf(graph, next, full));
  }
  const known = <C extends Cell & { gradient?: boolean }>(cell: C): C => ({
    ...cell,
    ...(cell.gradient ? given(graph, cell) : read(graph, cell)),
  });
  const sources = use.sources.map((region): ExplanationRegion => {
    const { node, gradient = false } = region;
    const [from, to] = [region.from, region.to].map((index) => known({ node, index, gradient }));
    return { ...region, node: from!.node, from: from!.index, to: to!.index };
  });
  const rows = use.rows.map((row) => ({
    ...row,
    operands: row.operands.map((operand) => (CARRIERS.has(operand.node) ? known(operand) : operand)),
  }));
  const node = sources.find(({ gradient }) => gradient)?.node ?? use.node;
  return [{ ...use, node, rows, sources }];
}

/** How a gradient was made, as told by cells that a reader knows. */
export function gradientSeenThrough(
  graph: Graph,
  explanation: GradientExplanation,
  full: boolean,
): GradientExplanation {
  return { ...explanation, uses: explanation.uses.flatMap((use) => usesOf(graph, use, full)) };
}
