/** Explanations that pass over what only carries numbers from one shape to another: a score is read from what was weighed. */
import type { Explanation, ExplanationRegion, Graph } from "../core/index.js";
import type { Cell } from "./transformer-session.js";

/** Nodes of additive attention that hold numbers of another node as they are. */
const CARRIERS: ReadonlySet<string> = new Set(["Q_pairs", "K_pairs", "w_v_column", "score_columns"]);
/** Nodes that stand on no stage: the cells that they were made from are lit for them. */
const UNSEEN: ReadonlySet<string> = new Set(["sum"]);

const explained = (graph: Graph, { node, index }: Cell): Explanation => graph.explain(node, index);

/** The cell that a carrier's cell was read from; any other cell itself. */
function read(graph: Graph, cell: Cell): Cell {
  if (!CARRIERS.has(cell.node)) return cell;
  const { op, rows } = explained(graph, cell);
  const from = rows[0]?.operands[0];
  return op === "reshape" && from ? { node: from.node, index: from.index } : cell;
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

/** How a cell was made, as told by cells that a reader knows. */
export function seenThrough(graph: Graph, explanation: Explanation, full: boolean): Explanation {
  const { node, index, op, rows, sources } = explanation;
  const from = rows[0]?.operands[0];
  if (op === "reshape" && from && CARRIERS.has(from.node) && !CARRIERS.has(node)) {
    const made = graph.explain(from.node, from.index, { full });
    return { ...seenThrough(graph, made, full), node, index };
  }
  return {
    ...explanation,
    rows: rows.map((row) => ({
      ...row,
      operands: row.operands.map((operand) =>
        CARRIERS.has(operand.node) ? { ...operand, ...read(graph, operand) } : operand,
      ),
    })),
    sources: sources.flatMap((source) => regions(graph, source)),
  };
}
