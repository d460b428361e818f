/**
 * Divides a graph into the lines of its stage. A line continues with the next tensor if it has the same rows, is computed from the
 * tensor before it and is the only node that reads it. A line has one product, or several products of the same rows. Nodes keep
 * the order of the graph.
 */
import type { Folding, OpenPartOf, Repetition } from "./folding.js";
import {
  columnsOf,
  groupBy,
  isProduct,
  isUnnamed,
  rowsOf,
  type GraphNode,
  type GraphNodes,
} from "./nodes.js";

export interface NodeLine {
  /** The input of its first node. */
  start: GraphNode | null;
  nodes: GraphNode[];
  /** Leaves that no other line draws: all tensors of a line of leaves. Other lines have none. */
  sources: GraphNode[];
  /** If present, the line shows only the results of this repetition. */
  folded?: Repetition;
}

/** The largest number of tensors in a line, and of leaves in a line of leaves. */
const MOST = 5;
const MOST_SOURCES = 4;
/** The most matrix columns side by side in one line: more do not fit into a wide stage even with the smallest cells. */
const MOST_COLUMNS = 96;
/** If a node has more inputs, only the first two and the last are drawn. */
const MOST_INPUTS = 4;

/** The inputs of a node that are drawn beside its principal input; null stands for the inputs left out. */
export function drawnInputs(node: GraphNode, nodes: GraphNodes): (GraphNode | null)[] {
  const inputs = [...nodes.inputsOf(node)];
  inputs.splice(inputs.indexOf(nodes.principalOf(node)), 1);
  return inputs.length <= MOST_INPUTS ? inputs : [inputs[0]!, null, inputs.at(-1)!];
}

/** The nodes that a line draws, from left to right, without the results of folded parts. */
export function drawnNodes({ start, nodes: own, sources }: NodeLine, nodes: GraphNodes): GraphNode[] {
  const all = [start, ...own.flatMap((node) => [...drawnInputs(node, nodes), node]), ...sources];
  return all.filter((node) => node !== null);
}

/** The columns that a node adds to its line: its operands stand beside it, except matrices and rows, which stand above it. */
function columnsAdded(node: GraphNode, nodes: GraphNodes): number {
  const areAbove = isProduct(node) || node.op === "layer_norm";
  const operands = areAbove ? [] : drawnInputs(node, nodes).filter((operand) => operand !== null);
  return [node, ...operands].reduce((sum, one) => sum + columnsOf(one), 0);
}

export function linesOf(nodes: GraphNodes, folding: Folding, openPartOf: OpenPartOf): NodeLine[] {
  const visible = nodes.all.filter((node) => folding.isOpen(node, openPartOf));
  const lines: { key: number; line: NodeLine }[] = [];
  const endingAt = new Map<GraphNode, NodeLine>();
  const productsOf = new Map<GraphNode, NodeLine>();
  const lineOf = new Map<GraphNode, NodeLine>();

  const columnsWith = ({ start, nodes: before }: NodeLine, node: GraphNode): number =>
    [...before, node].reduce((sum, one) => sum + columnsAdded(one, nodes), columnsOf(start!));
  const canContinue = (line: NodeLine | undefined, last: GraphNode, node: GraphNode): line is NodeLine =>
    line !== undefined &&
    nodes.usersOf(last).length === 1 &&
    rowsOf(last) === rowsOf(node) &&
    folding.areInSameParts(last, node) &&
    node.op !== "concat" &&
    line.nodes.length < MOST &&
    columnsWith(line, node) <= MOST_COLUMNS &&
    !(isProduct(node) && line.nodes.some(isProduct));

  for (const node of visible) {
    if (node.op === "leaf" || node.inputs.length === 0) continue;
    if (nodes.isOperandOnly(node) || nodes.isPassedThrough(node)) continue;
    const from = nodes.principalOf(node);
    const beside = isProduct(node) && node.op !== "embedding" ? productsOf.get(from) : undefined;
    let line = endingAt.get(from);
    if (canContinue(line, from, node)) {
      endingAt.delete(from);
    } else if (beside && beside.nodes.length < MOST && folding.areInSameParts(beside.nodes[0]!, node)) {
      line = beside;
      endingAt.delete(beside.nodes.at(-1)!);
    } else {
      line = { start: from, nodes: [], sources: [] };
      lines.push({ key: 0, line });
      if (isProduct(node)) productsOf.set(from, line);
    }
    line.nodes.push(node);
    if (line.nodes.some((other) => nodes.principalOf(other) !== line.start)) productsOf.delete(line.start!);
    endingAt.set(node, line);
    lineOf.set(node, line);
  }
  for (const one of lines) one.key = nodes.placeOf(one.line.nodes.at(-1)!);

  const drawn = new Set<GraphNode>();
  const isDrawn = (node: GraphNode): boolean => drawn.has(node) && !isReadBySome(node, folding, nodes);
  for (const { line } of lines) for (const node of drawnNodes(line, nodes)) drawn.add(node);
  // A node of a folded part has its line at the same node of the open part.
  const inOpenParts = new Map(visible.map((node) => [folding.nameInFirst(node), node]));
  const lineOfReader = (reader: GraphNode): NodeLine | undefined =>
    lineOf.get(inOpenParts.get(folding.nameInFirst(reader)) ?? reader);
  const rest = visible.filter((node) => !isDrawn(node));
  lines.push(...sourceLines(rest, nodes, lineOfReader));
  for (const repetition of folding.repetitions) {
    const number = openPartOf(repetition);
    const result = repetition.results.get(number)!;
    // A repetition inside a folded part is folded with it.
    if (!folding.isOpen(result, openPartOf)) continue;
    const key = nodes.placeOf(result) + 0.25;
    lines.push({ key, line: { start: null, nodes: [], sources: [], folded: repetition } });
  }
  return lines.sort((a, b) => a.key - b.key).map(({ line }) => line);
}

/** Whether a leaf is read by some parts of a repetition but not by all, like the first hidden state of a recurrence. */
function isReadBySome(node: GraphNode, folding: Folding, nodes: GraphNodes): boolean {
  if (node.op !== "leaf" || folding.partsOf(node).length > 0) return false;
  const readers = nodes.usersOf(node).map((user) => folding.partsOf(user));
  if (readers.length === 0 || readers.some((parts) => parts.length === 0)) return false;
  const [[{ repetition } = {}] = []] = readers;
  const numbers = new Set(readers.map(([part]) => part!.number));
  return (
    readers.every(([part]) => part!.repetition === repetition) && numbers.size < repetition!.numbers.length
  );
}

/** Lines for the nodes that no other line draws, each before the first line that depends on it. */
function sourceLines(
  rest: readonly GraphNode[],
  nodes: GraphNodes,
  lineOfReader: (reader: GraphNode) => NodeLine | undefined,
): { key: number; line: NodeLine }[] {
  const firstReader = (node: GraphNode): NodeLine | undefined => {
    const after = new Set(nodes.usersOf(node));
    for (const user of after) {
      const line = lineOfReader(user);
      if (line) return line;
      for (const next of nodes.usersOf(user)) after.add(next);
    }
    return undefined;
  };
  const sources = rest.filter(
    (node) => !nodes.isPassedThrough(node) && !(isUnnamed(node.name) && node.op !== "leaf"),
  );
  return [...groupBy(sources, firstReader)].flatMap(([line, all]) => {
    const key = line ? nodes.placeOf(line.nodes.at(-1)!) - 0.5 : nodes.placeOf(all.at(-1)!);
    const parts = Array.from({ length: Math.ceil(all.length / MOST_SOURCES) }, (_, at) =>
      all.slice(at * MOST_SOURCES, (at + 1) * MOST_SOURCES),
    );
    return parts.map((part) => ({ key, line: { start: null, nodes: [], sources: part } }));
  });
}
