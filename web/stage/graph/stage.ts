/**
 * A stage for any graph, made from the snapshots of its nodes: the nodes are divided into lines, and each line is a stop of Play.
 *
 * - A tensor with more than two axes shows one page of its last two. Of repeated layers one is open, and a line shows the results of
 *   all. The arrangement stores these pages and layers.
 * - A rearrangement (transpose, slice, split into heads) is drawn where it is used, or as a step of its line. An unnamed reshape with
 *   the same rows and columns is not drawn.
 * - A tensor with many rows or columns is drawn as a map in limited space.
 */
import type { Words } from "../../i18n/words.js";
import { ownStrings } from "../../i18n/words.js";
import { placeOf } from "../../marks/plane.js";
import type { Cell } from "../../marks/board.js";
import type { Room, TargetRoom, Scene } from "../../marks/scene.js";
import type { NodeWords, Step } from "../../marks/wording.js";
import { symbolName, symbolWidth } from "../../marks/lettering.js";
import { textWidth } from "../../marks/measure.js";
import { flowScene, flowStrip, type Flow, type Line, type Piece, type TensorPiece } from "../flow.js";
import { PARAMETER, type Block } from "../place.js";
import { en } from "./en.js";
import { Folding, type Repetition } from "./folding.js";
import { drawnInputs, drawnNodes, linesOf, type NodeLine } from "./lines.js";
import { familyOf, fillOf, formulaOf, operatorName, roleOf, signOf } from "./looks.js";
import {
  columnsOf,
  GraphNodes,
  isRearrangement,
  isUnnamed,
  lastPart,
  rowsOf,
  type GraphNode,
} from "./nodes.js";
import { StageSelection } from "./stage-selection.js";
import { GraphSymbols } from "./symbols.js";
import { zhCN } from "./zh-CN.js";

/** What a lab adds to a node that the graph does not contain. */
export interface Hint extends Partial<
  Pick<Block, "symbol" | "role" | "fill" | "family" | "letters" | "editable">
> {
  name?: string;
  /** The title of the stop whose line ends with this node. */
  stop?: string;
  rowNames?: readonly string[];
}
export type Hints = Readonly<Record<string, Hint>>;

/** A tensor with more columns or rows than these is a map, `across` cells wide or `down` cells high. */
const MAP = { columns: 32, across: 20, rows: 24, down: 12 };
/**
 * The gap between symbols of the strip, and on wide screens the width of the note beside it. The strip shows as many lines around
 * the stop as fit.
 */
const BETWEEN_SYMBOLS = 24;
const NOTE_COLUMN = 424;
/** The largest number of layers whose results stand side by side. */
const MOST_LAYERS = 6;
const LONGEST_TITLE = 28;
const HEADING_SIZE = 14;
const HEADING_INDENT = 20;
/**
 * The least widths of a column, except on narrow screens: a line is broken so that its numbers fit into the cells, or, in a room that
 * is too low for that, only if its columns are very small.
 */
const LEAST = [24, 9, 6];

const stringsIn = (words: Words) => ownStrings(words, { en, "zh-CN": zhCN });

type Looks = Pick<Block, "symbol" | "role" | "fill" | "family">;

export class GraphStage {
  readonly #nodes: GraphNodes;
  readonly #folding: Folding;
  readonly #hints: Hints;
  readonly #symbols: GraphSymbols;
  readonly #lines = new Map<string, readonly NodeLine[]>();
  readonly #looks = new Map<GraphNode, Looks>();

  constructor(all: readonly GraphNode[], hints: Hints = {}) {
    this.#nodes = new GraphNodes(all);
    this.#folding = new Folding(this.#nodes);
    this.#hints = hints;
    const [first, last] = [0, Infinity].map((place) =>
      linesOf(this.#nodes, this.#folding, ({ numbers }) => numbers[Math.min(place, numbers.length - 1)]!),
    );
    this.#symbols = new GraphSymbols(
      this.#nodes,
      this.#folding,
      [...first!, ...last!].map((line) => drawnNodes(line, this.#nodes)),
    );
  }

  get repetitions(): readonly Repetition[] {
    return this.#folding.repetitions;
  }

  /** The largest size of each leading axis, that is, of the axes before the last two. */
  get pages(): number[] {
    const sizes: number[] = [];
    for (const { shape } of this.#nodes.all)
      shape.slice(0, -2).forEach((size, axis) => (sizes[axis] = Math.max(sizes[axis] ?? 1, size)));
    return sizes.slice(0, StageSelection.pagedAxes);
  }

  /** The numbers of the open layers, in the order of `repetitions`, and the pages. */
  selectionIn(arrangement: string | null): { layers: number[]; pages: readonly number[] } {
    const selection = StageSelection.read(arrangement);
    return {
      layers: this.repetitions.map((one) => this.#openPartIn(selection)(one)),
      pages: selection.pages,
    };
  }

  /** The arrangement with another layer of a repetition open. */
  withLayer(arrangement: string | null, repetition: Repetition, number: number): string {
    const { pages, layers } = StageSelection.read(arrangement);
    const place = this.repetitions.indexOf(repetition);
    const places = Array.from({ length: Math.max(layers.length, place + 1) }, (_, at) => layers[at] ?? 0);
    places[place] = repetition.numbers.indexOf(number);
    return new StageSelection(pages, places).text;
  }

  /** The arrangement with another page of an axis. */
  withPage(arrangement: string | null, axis: number, page: number): string {
    const { pages, layers } = StageSelection.read(arrangement);
    return new StageSelection(pages.with(axis, page), layers).text;
  }

  /** The room's arrangement if it shows the target at its stop, else an arrangement with the target's layers and pages open. */
  arrange(room: TargetRoom): string {
    const { cell, arrangement, step } = room;
    const last = StageSelection.read(arrangement);
    if (!cell || !this.#nodes.has(cell.node)) return last.text;
    const line = this.#linesOf(last)[step];
    const blocks = line ? blocksIn(this.#lineOf(line, step, last, room).pieces) : [];
    const shows = ({ node, at = [null, null] }: Block): boolean =>
      node === cell.node && at.every((place, axis) => place === null || place === cell.index[axis]);
    if (blocks.some(shows)) return last.text;
    const node = this.#nodes.node(cell.node);
    let { text } = last;
    for (const { repetition, number } of this.#folding.partsOf(node))
      text = this.withLayer(text, repetition, number);
    const across = this.#isColumn(node) ? 1 : 2;
    cell.index.slice(0, -across).forEach((page, axis) => (text = this.withPage(text, axis, page)));
    return text;
  }

  /** The stop at which a node is computed, else the first stop that draws it. */
  stopOf(name: string, arrangement: string | null): number {
    const node = this.#nodes.node(name);
    const selection = StageSelection.read(arrangement);
    const lines = this.#linesOf(selection);
    const stop = lines.findIndex(({ nodes, sources }) => nodes.includes(node) || sources.includes(node));
    return stop >= 0 ? stop : lines.findIndex((line) => this.#nodesDrawnIn(line, selection).includes(node));
  }

  scene(room: Room): Scene {
    const scene = flowScene(room, this.flow(room));
    scene.arrangement = StageSelection.read(room.arrangement).text;
    return scene;
  }

  strip(room: Room): Scene {
    return flowStrip(room, this.flow(room));
  }

  /** The lines around the room's stop; all lines if there are few. */
  flow(room: Room): Flow {
    const selection = StageSelection.read(room.arrangement);
    const lines = this.#linesOf(selection);
    const { from, to } = this.#linesAround(lines, selection, room);
    const strings = stringsIn(room.words);
    return {
      lines: lines.slice(from, to + 1).map((line, at) => this.#lineOf(line, from + at, selection, room)),
      legendOf: (family) => {
        const key = `legend.${family}`;
        return strings.has(key) ? strings(key) : family;
      },
      stripAir: 2 * PARAMETER + 2,
      partial: to - from + 1 < lines.length,
    };
  }

  /** The first and the last line around the stop, chosen so that their symbols fit into the strip and differ from one another. */
  #linesAround(
    lines: readonly NodeLine[],
    selection: StageSelection,
    room: Room,
  ): { from: number; to: number } {
    const drawn = new Map<string, GraphNode>();
    let left = room.width - (room.layout === "wide" ? NOTE_COLUMN : 0);
    const take = (at: number): boolean => {
      if (!lines[at]) return false;
      const named = new Map(
        this.#nodesDrawnIn(lines[at], selection).map((node) => [
          symbolName(this.#looksOf(node).symbol),
          node,
        ]),
      );
      const newNodes = [...named].filter(([symbol]) => !drawn.has(symbol));
      const width = newNodes.reduce(
        (sum, [, node]) => sum + symbolWidth(this.#looksOf(node).symbol) + BETWEEN_SYMBOLS,
        0,
      );
      const isAmbiguous = [...named].some(([symbol, node]) => (drawn.get(symbol) ?? node) !== node);
      if (isAmbiguous || width > left) return false;
      left -= width;
      for (const [symbol, node] of newNodes) drawn.set(symbol, node);
      return true;
    };
    let [from, to] = [room.step, room.step];
    let grows = take(room.step);
    while (grows) {
      const [isLater, isEarlier] = [take(to + 1), take(from - 1)];
      if (isLater) to++;
      if (isEarlier) from--;
      grows = isLater || isEarlier;
    }
    return { from, to };
  }

  /** The stops, one for each line. */
  steps(arrangement: string | null, words: Words): Step[] {
    const selection = StageSelection.read(arrangement);
    const seen = new Set<GraphNode>();
    return this.#linesOf(selection).map((line): Step => {
      const { nodes, sources, folded } = line;
      const result = folded
        ? folded.results.get(this.#openPartIn(selection)(folded))!
        : (nodes.at(-1) ?? sources[0]!);
      const newNodes = this.#nodesDrawnIn(line, selection).filter((node) => !seen.has(node));
      for (const node of newNodes) seen.add(node);
      const path = this.#pathOf(line);
      const nameOf = (name: string): string => {
        const node = this.#nodes.node(name);
        if (isUnnamed(name) && isRearrangement(node)) return nameOf(node.inputs[0]!);
        return isUnnamed(name) ? symbolName(this.#looksOf(node).symbol) : withoutPath(name, path);
      };
      const sentence = folded
        ? this.#foldedText(folded, words)
        : nodes.length > 0
          ? nodes.map((node) => formulaOf(node, nameOf)).join("; ")
          : sources.map(({ name, shape }) => `${nameOf(name)} (${shape.join(" × ")})`).join(", ");
      return {
        id: folded
          ? `${folded.name} (${folded.numbers[0]})`
          : `${nodes.length > 0 ? "" : "given "}${this.#folding.nameInFirst(result)}`,
        title: this.#titleOf(line, result),
        sentence: path && !folded ? `${path}: ${sentence}` : sentence,
        // Play animates the result of the line first.
        nodes: [result, ...newNodes.filter((node) => node !== result)].map(({ name }) => name),
        cell: this.#cellOfStop(result, selection),
      };
    });
  }

  nodeWords(name: string): NodeWords {
    const node = this.#nodes.node(name);
    const { symbol, role } = this.#looksOf(node);
    const { name: plain, rowNames } = this.#hints[name] ?? {};
    const fullName = plain ?? (isUnnamed(name) ? `${symbol.text} ${name}` : name);
    return {
      symbol,
      role,
      name: fullName,
      single: plain ?? lastPart(fullName),
      axes: node.shape.map((_, axis) =>
        axis === Math.max(0, node.shape.length - 2) ? (rowNames ?? null) : null,
      ),
      meaning: () => "",
    };
  }

  #openPartIn =
    ({ layers }: StageSelection) =>
    (repetition: Repetition): number =>
      repetition.numbers[layers[this.repetitions.indexOf(repetition)] ?? 0] ?? repetition.numbers[0]!;

  #linesOf(selection: StageSelection): readonly NodeLine[] {
    const key = selection.layers.join();
    const cached = this.#lines.get(key);
    if (cached) return cached;
    if (this.#lines.size > 8) this.#lines.clear();
    const lines = linesOf(this.#nodes, this.#folding, this.#openPartIn(selection));
    this.#lines.set(key, lines);
    return lines;
  }

  /** The nodes that a line draws, from left to right. */
  #nodesDrawnIn(line: NodeLine, selection: StageSelection): GraphNode[] {
    const { folded } = line;
    const near = folded ? this.#layersNear(folded, selection) : [];
    return [...near.map((number) => folded!.results.get(number)!), ...drawnNodes(line, this.#nodes)];
  }

  /** The numbers of the layers around the open one. */
  #layersNear(folded: Repetition, selection: StageSelection): number[] {
    const { numbers } = folded;
    const open = numbers.indexOf(this.#openPartIn(selection)(folded));
    const from = Math.max(0, Math.min(open - MOST_LAYERS / 2, numbers.length - MOST_LAYERS));
    return numbers.slice(from, from + MOST_LAYERS);
  }

  /** The path that the names of all nodes of a line begin with. */
  #pathOf({ nodes, sources, folded }: NodeLine): string {
    if (folded) return folded.path;
    const named = [...nodes, ...sources].filter(({ name }) => !isUnnamed(name));
    const paths = named.map(({ name }) => name.split(".").slice(0, -1));
    const [first = []] = paths;
    const same = first.findIndex((part, at) => paths.some((path) => path[at] !== part));
    return (same < 0 ? first : first.slice(0, same)).join(".");
  }

  #titleOf({ nodes, sources, start, folded }: NodeLine, result: GraphNode): string {
    const hintedTitle = this.#hints[result.name]?.stop;
    if (hintedTitle !== undefined) return hintedTitle;
    if (folded) return folded.name;
    const areSiblings = nodes.length > 1 && nodes.every((node) => this.#nodes.principalOf(node) === start);
    const named = nodes.length > 0 ? (areSiblings ? nodes : [result]) : sources;
    const title = named.map(({ name }) => lastPart(name)).join(", ");
    return title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE - 1)}…` : title;
  }

  /** The cell of the largest number in the first row selection. */
  #cellOfStop(node: GraphNode, selection: StageSelection): Cell {
    const { at = [null, null], turned } = this.#blockOf(node, 0, selection, "");
    const index = at.map((place) => place ?? 0);
    const across = at.lastIndexOf(null);
    if (across < 0) return { node: node.name, index };
    const size = node.shape[across]!;
    const from = placeOf(node.shape, index);
    const row = turned ? [] : Array.from(node.data.subarray(from, from + size), Math.abs);
    const largest = Math.max(...row.filter(Number.isFinite));
    index[across] = Math.max(0, row.indexOf(largest));
    return { node: node.name, index };
  }

  /** Whether a tensor is drawn as a column: ids, classes and positions have one number per row. */
  #isColumn(node: GraphNode): boolean {
    return (
      node.shape.length > 0 &&
      this.#nodes.isWhole(node) &&
      this.#nodes.usersOf(node).every(({ op }) => op !== "mask")
    );
  }

  #looksOf(node: GraphNode): Looks {
    const cached = this.#looks.get(node);
    if (cached) return cached;
    const { symbol, role, fill, family } = this.#hints[node.name] ?? {};
    const looks = {
      symbol: symbol ?? this.#symbols.of(node),
      role: role ?? roleOf(node, this.#nodes),
      fill: fill ?? fillOf(node, this.#nodes),
      family: family ?? fill ?? familyOf(node, this.#nodes),
    };
    this.#looks.set(node, looks);
    return looks;
  }

  #blockOf(
    node: GraphNode,
    step: number,
    selection: StageSelection,
    path: string,
    isTransposed = false,
  ): Block {
    const { name, shape, op, data } = node;
    const hint = this.#hints[name] ?? {};
    const looks = this.#looksOf(node);
    const plain = withoutPath(name, path);
    const isColumn = this.#isColumn(node);
    const free = isColumn ? 1 : 2;
    const at = shape.map((size, axis) => (axis < shape.length - free ? selection.page(axis, size) : null));
    const turned = isColumn || (isTransposed && shape.length > 1);
    const drawn = [isColumn ? 1 : rowsOf(node), columnsOf(node)];
    const [rows, columns] = (turned ? drawn.reverse() : drawn) as [number, number];
    const from = at.reduce<number>((flat, place, axis) => flat * shape[axis]! + (place ?? 0), 0);
    const isMasked = (row: number, place: number): boolean =>
      data[from + row * columns + place] === -Infinity;
    return {
      node: name,
      rows,
      columns,
      ...looks,
      // A name that equals the symbol is left out.
      name: hint.name ?? (isUnnamed(name) || plain === looks.symbol.text ? "" : plain),
      letters: hint.letters ?? (at.some((place) => place !== null) ? pageName(at) : ""),
      step,
      at,
      ...(turned ? { turned } : {}),
      ...(columns > MAP.columns ? { across: MAP.across } : {}),
      ...(rows > MAP.rows ? { down: MAP.down } : {}),
      ...(hint.editable ? { editable: true } : {}),
      ...(op === "mask" && !turned
        ? {
            masked: Array.from({ length: rows }, (_, row) =>
              Array.from({ length: columns }, (__, place) => isMasked(row, place)),
            ),
          }
        : {}),
    };
  }

  #lineOf(line: NodeLine, step: number, selection: StageSelection, room: Room): Line {
    const { start, nodes, sources, folded } = line;
    const path = this.#pathOf(line);
    const block = (node: GraphNode, isTransposed = false): Block =>
      this.#blockOf(node, step, selection, path, isTransposed);
    const copy = (node: GraphNode, at: string): TensorPiece => ({
      tensor: block(node),
      id: `${node.name} ${step} ${at}`,
    });
    const pieces: Piece[] = [];
    if (folded) pieces.push(...this.#foldedPieces(folded, step, selection, room));
    if (start) pieces.push(copy(start, "start"));
    for (const node of nodes) pieces.push(...this.#piecesOf(node, step, block, copy));
    for (const node of sources) pieces.push({ tensor: block(node, rowsOf(node) > columnsOf(node)) });
    const all = [start, ...nodes, ...sources];
    const rowNames = all.map((node) => node && this.#hints[node.name]?.rowNames).find(Boolean);
    const heading = this.#headingOf(line, path, selection, blocksIn(pieces), room);
    return {
      pieces,
      steps: [step],
      // Leaves need not stand side by side.
      ...(room.layout === "narrow" ? {} : { least: sources.length > 0 ? LEAST[0]! : LEAST }),
      ...(heading ? { heading } : {}),
      ...(rowNames ? { rowNames } : {}),
    };
  }

  /** The heading of a line: "encoder.layers.0.self_attn · layer 1 of 6 · [0, 1, :, :] of 2 × 4 pages". */
  #headingOf(
    line: NodeLine,
    path: string,
    selection: StageSelection,
    blocks: readonly Block[],
    room: Room,
  ): string {
    const strings = stringsIn(room.words);
    if (line.folded) return this.#foldedText(line.folded, room.words);
    const [node = null] = [...line.nodes, ...line.sources];
    const parts = (node ? this.#folding.partsOf(node) : []).map(({ repetition: { kind, numbers }, number }) =>
      strings(`${kind}.of`, { n: numbers.indexOf(number) + 1, count: numbers.length }),
    );
    const [pagedNode] = blocks
      .map((block) => this.#nodes.node(block.node))
      .filter((one) => one.shape.length > 2 && !this.#isColumn(one))
      .sort((a, b) => b.shape.length - a.shape.length);
    const sizes = pagedNode?.shape.slice(0, -2) ?? [];
    const page = pageName([...sizes.map((size, axis) => selection.page(axis, size)), null, null]);
    const rest = [
      ...(line.nodes.length > 0 ? [] : [strings("sources")]),
      ...parts,
      ...(pagedNode ? [strings("page", { at: page, sizes: sizes.join(" × ") })] : []),
    ];
    const shortPath = path.split(".").findLast((part) => !/^\d+$/.test(part)) ?? "";
    const texts = [path, shortPath, ""].map((part) => [part, ...rest].filter(Boolean).join(" · "));
    const text = texts.find((one) => textWidth(one, HEADING_SIZE) <= room.width - HEADING_INDENT) ?? "";
    // In a label, "_" makes the next letter a subscript; the word joiner prevents that.
    return text.replaceAll("_", "_\u2060");
  }

  /** The pieces that a node adds to its line: its operands, the name of its operation, and its tensor. */
  #piecesOf(
    node: GraphNode,
    step: number,
    block: (node: GraphNode, isTransposed?: boolean) => Block,
    copy: (node: GraphNode, at: string) => TensorPiece,
  ): Piece[] {
    const tensor = block(node);
    const operands = drawnInputs(node, this.#nodes);
    const operator: Piece = { operator: node.name, name: [signOf(node) ?? operatorName(node)], step };
    const [first = null, ...rest] = operands;
    if (first && ["matmul", "linear", "embedding"].includes(node.op)) {
      const matrix = block(first, node.op === "linear");
      const isMap = matrix.across !== undefined && matrix.rows > MAP.down;
      const above = isMap ? { ...matrix, down: MAP.down } : matrix;
      if (above.columns === tensor.columns)
        return [{ tensor, above, rowsAbove: rest.flatMap((row) => (row ? [block(row)] : [])) }];
    }
    const isRow = (operand: GraphNode | null): operand is GraphNode =>
      operand !== null &&
      rowsOf(operand) === 1 &&
      columnsOf(operand) === columnsOf(node) &&
      !this.#isColumn(operand);
    if (
      operands.length > 0 &&
      operands.every(isRow) &&
      (node.op === "layer_norm" || rowsOf(node) > 1) &&
      node.op !== "concat"
    )
      return [operator, { tensor, rowsAbove: operands.map((row) => block(row)) }];
    const beside = operands.map((operand, at): Piece =>
      operand ? copy(operand, `${node.name} ${at}`) : "⋯",
    );
    if (signOf(node) && beside.length === 1) return [signOf(node)!, ...beside, "=", { tensor }];
    return [...beside, operator, { tensor }];
  }

  #foldedText({ kind, name, numbers }: Repetition, words: Words): string {
    return stringsIn(words)(`${kind}s`, { name, count: numbers.length });
  }

  /** The results of the parts around the open one; each is computed from the one before. */
  #foldedPieces(folded: Repetition, step: number, selection: StageSelection, room: Room): Piece[] {
    const strings = stringsIn(room.words);
    const { kind, numbers, results } = folded;
    const open = this.#openPartIn(selection)(folded);
    const near = this.#layersNear(folded, selection);
    const from = numbers.indexOf(near[0]!);
    const pieces = near.flatMap((number, at): Piece[] => {
      const node = results.get(number)!;
      const n = from + at + 1;
      const tensor: Block = {
        ...this.#blockOf(node, step, selection, folded.path),
        name: strings(number === open ? `${kind}.open` : kind, { n }),
        letters: "",
      };
      // On a narrow screen the name over the arrow, which is also that of the tensor, would take the width of two columns.
      const arrowName = room.layout === "narrow" ? "" : strings(kind, { n });
      const arrow: Piece = { operator: node.name, name: [arrowName], step };
      return [...(at > 0 ? [arrow] : []), { tensor, id: `${node.name} ${step} layer` }];
    });
    return [...(from > 0 ? ["⋯"] : []), ...pieces, ...(from + near.length < numbers.length ? ["⋯"] : [])];
  }
}

const blocksIn = (pieces: readonly Piece[]): Block[] =>
  pieces.flatMap((piece) =>
    typeof piece !== "string" && "tensor" in piece
      ? [...(piece.above ? [piece.above] : []), ...(piece.rowsAbove ?? []), piece.tensor]
      : [],
  );

/** A node's name without the path of its line. */
const withoutPath = (name: string, path: string): string =>
  path && name.startsWith(`${path}.`) ? name.slice(path.length + 1) : name;

/** A page in NumPy's notation: "[0, 1, :, :]". */
const pageName = (at: readonly (number | null)[]): string =>
  `[${at.map((place) => place ?? ":").join(", ")}]`;
