/** Explanations that skip intermediate steps: they name the cells that such steps read, or those that read them. */
import type {
  CellBlock,
  Explanation,
  ExplanationRegion,
  GradientExplanation,
  GradientUse,
} from "../description.js";
import { blocksAround } from "../reading.js";

interface Cell {
  node: string;
  index: readonly number[];
}

/** A graph whose explanations skip nothing. */
export interface Literal {
  explain(cell: Cell, full: boolean): Explanation;
  explainGradient(cell: Cell, full: boolean): GradientExplanation;
  uses(cell: Cell): CellBlock[];
  isPassedOver(node: string): boolean;
}

/** The cell that another cell is a copy of; undefined when its number was computed. */
function movedFrom({ rows: [first, second] }: Explanation): Cell | undefined {
  return first?.role === "from" && second?.role === "index" ? first.operands[0] : undefined;
}

/** The original of a cell of an intermediate step that only copies numbers; any other cell itself. */
function origin(graph: Literal, cell: Cell): Cell {
  const from = graph.isPassedOver(cell.node) && movedFrom(graph.explain(cell, false));
  return from ? origin(graph, from) : cell;
}

/** The regions that an intermediate step reads; any other region itself. */
function visibleRegions(graph: Literal, region: ExplanationRegion): ExplanationRegion[] {
  const { node, from, to } = region;
  if (!graph.isPassedOver(node)) return [region];
  const [first, last] = [from, to].map((index) => graph.explain({ node, index }, false).sources);
  return first!.flatMap((source, place) =>
    visibleRegions(graph, { ...source, to: last![place]?.to ?? source.to }),
  );
}

/** The explanation of a cell. A copy of a cell of an intermediate step has the explanation of that cell. */
export function visibleExplanation(graph: Literal, explanation: Explanation, full: boolean): Explanation {
  const { node, index, rows, sources } = explanation;
  const from = movedFrom(explanation);
  if (from && graph.isPassedOver(from.node) && !graph.isPassedOver(node))
    return { ...visibleExplanation(graph, graph.explain(from, full), full), node, index };
  return {
    ...explanation,
    rows: rows.map((row) => ({
      ...row,
      operands: row.operands.map((operand) => Object.assign({}, operand, cellOf(origin(graph, operand)))),
    })),
    sources: sources.flatMap((source) => visibleRegions(graph, source)),
  };
}

const cellOf = ({ node, index }: Cell) => ({ node, index: [...index] });

/** Whether a cell is a copy of another. */
const isMoved = (graph: Literal, cell: Cell): boolean => movedFrom(graph.explain(cell, false)) !== undefined;

/** The only copy of a cell of an intermediate step; any other cell itself. */
function destination(graph: Literal, cell: Cell): Cell {
  if (!graph.isPassedOver(cell.node)) return cell;
  const [use, other] = graph.explainGradient(cell, false).uses;
  const to = use?.rows[0]?.operands[0];
  return to && !other && isMoved(graph, to) ? destination(graph, to) : cell;
}

/** The uses of an intermediate step that only copies numbers, in place of the use by that step. */
function visibleUses(graph: Literal, use: GradientUse, full: boolean): GradientUse[] {
  const through = use.rows[0]?.operands[0];
  if (through && graph.isPassedOver(use.node) && isMoved(graph, through))
    return graph.explainGradient(through, full).uses.flatMap((next) => visibleUses(graph, next, full));
  const seen = (cell: Cell & { gradient?: true }) =>
    cellOf(cell.gradient ? destination(graph, cell) : origin(graph, cell));
  const rows = use.rows.map((row) => ({
    ...row,
    operands: row.operands.map((operand) => ({ ...operand, ...seen(operand) })),
  }));
  const sources = use.sources.map((region) => {
    const [first, last] = [region.from, region.to].map((index) => seen({ ...region, index }));
    return { ...region, node: first!.node, from: first!.index, to: last!.index };
  });
  const node = sources.find(({ gradient }) => gradient)?.node ?? use.node;
  return [{ ...use, node, rows, sources }];
}

/** The explanation of a gradient without intermediate steps. */
export function visibleGradient(
  graph: Literal,
  explanation: GradientExplanation,
  full: boolean,
): GradientExplanation {
  return { ...explanation, uses: explanation.uses.flatMap((use) => visibleUses(graph, use, full)) };
}

/** Replaces cells of an intermediate step by the cells that are computed from them: for each node, the smallest block around them. */
export function visibleBlocks(graph: Literal, blocks: readonly CellBlock[]): CellBlock[] {
  return blocks.flatMap((block) => {
    const { node, from, to } = block;
    if (!graph.isPassedOver(node)) return [block];
    return blocksAround([from, to].flatMap((index) => visibleBlocks(graph, graph.uses({ node, index }))));
  });
}
