/** Explanations that pass over the steps in between: they speak of the cells that such steps were made from, or are made into. */
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

/** A graph that passes over nothing. */
export interface Literal {
  explain(cell: Cell, full: boolean): Explanation;
  explainGradient(cell: Cell, full: boolean): GradientExplanation;
  uses(cell: Cell): CellBlock[];
  isPassedOver(node: string): boolean;
}

/** The cell that an explanation has its number from, where nothing but moved it. */
function movedFrom({ rows: [first, second] }: Explanation): Cell | undefined {
  return first?.role === "from" && second?.role === "index" ? first.operands[0] : undefined;
}

/** The cell that a step in between has its number from, where it only moves it; any other cell itself. */
function origin(graph: Literal, cell: Cell): Cell {
  const from = graph.isPassedOver(cell.node) && movedFrom(graph.explain(cell, false));
  return from ? origin(graph, from) : cell;
}

/** The regions that a step in between was made from; any other region itself. */
function regionsSeen(graph: Literal, region: ExplanationRegion): ExplanationRegion[] {
  const { node, from, to } = region;
  if (!graph.isPassedOver(node)) return [region];
  const [first, last] = [from, to].map((index) => graph.explain({ node, index }, false).sources);
  return first!.flatMap((source, place) =>
    regionsSeen(graph, { ...source, to: last![place]?.to ?? source.to }),
  );
}

/** How a cell was made: where it is only moved there from a step in between, how that was made. */
export function explanationSeen(graph: Literal, explanation: Explanation, full: boolean): Explanation {
  const { node, index, rows, sources } = explanation;
  const from = movedFrom(explanation);
  if (from && graph.isPassedOver(from.node) && !graph.isPassedOver(node))
    return { ...explanationSeen(graph, graph.explain(from, full), full), node, index };
  return {
    ...explanation,
    rows: rows.map((row) => ({
      ...row,
      operands: row.operands.map((operand) => Object.assign({}, operand, cellOf(origin(graph, operand)))),
    })),
    sources: sources.flatMap((source) => regionsSeen(graph, source)),
  };
}

const cellOf = ({ node, index }: Cell) => ({ node, index: [...index] });

/** Whether the number of a cell is moved there. */
const isMoved = (graph: Literal, cell: Cell): boolean => movedFrom(graph.explain(cell, false)) !== undefined;

/** The cell that a step in between gives its number on to, where it is only moved there, and nowhere else; any other cell itself. */
function destination(graph: Literal, cell: Cell): Cell {
  if (!graph.isPassedOver(cell.node)) return cell;
  const [use, other] = graph.explainGradient(cell, false).uses;
  const to = use?.rows[0]?.operands[0];
  return to && !other && isMoved(graph, to) ? destination(graph, to) : cell;
}

/** In place of the use by a step in between that only moves numbers, the uses of that step. */
function usesSeen(graph: Literal, use: GradientUse, full: boolean): GradientUse[] {
  const through = use.rows[0]?.operands[0];
  if (through && graph.isPassedOver(use.node) && isMoved(graph, through))
    return graph.explainGradient(through, full).uses.flatMap((next) => usesSeen(graph, next, full));
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

/** How a gradient was made. */
export function gradientSeen(
  graph: Literal,
  explanation: GradientExplanation,
  full: boolean,
): GradientExplanation {
  return { ...explanation, uses: explanation.uses.flatMap((use) => usesSeen(graph, use, full)) };
}

/** In place of the cells of a step in between, those that are computed from them: of each node the block around them. */
export function blocksSeen(graph: Literal, blocks: readonly CellBlock[]): CellBlock[] {
  return blocks.flatMap((block) => {
    const { node, from, to } = block;
    if (!graph.isPassedOver(node)) return [block];
    return blocksAround([from, to].flatMap((index) => blocksSeen(graph, graph.uses({ node, index }))));
  });
}
