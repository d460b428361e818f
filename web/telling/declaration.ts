/** A lab as it is declared: its tensors by rows, its stops by cells; their words follow from its strings and from the names of its axes. */
import type { ConfigOf, LabId } from "../config/config.js";
import type { Key, Slots, Words } from "../i18n/words.js";
import { symbolName } from "../marks/lettering.js";
import type { Fill, Role, Room, Scene, Snapshots, Symbol } from "../marks/scene.js";
import type { FormulaPart, NodeWords, Step } from "../marks/wording.js";
import type * as stage from "../stage/flow.js";
import type { Block } from "../stage/place.js";
import type { Lab } from "./lab.js";
import type { Cell } from "./largest.js";
import { sizeWords } from "./phrases.js";
import { notNumbers } from "./remarks.js";

/** A lab's strings in one language. */
export interface Strings {
  (key: never, slots?: Slots): string;
  has(key: string): boolean;
}

/** A lab's strings in the language of `words`. */
export type Say = (words: Words) => Strings;

type Axis = readonly [letter: string, names?: readonly string[] | null];

/**
 * The axes of a lab's tensors by what stands on them ("word"): the letter of their size, and the names of their places where these have any.
 * A kind that is not here is its own letter and has no names: "d_k".
 */
export type Axes = Readonly<Record<string, Axis>>;

/** What a lab says of a tensor. What is left out follows: its sizes from the numbers, its words from the lab's strings and axes. */
export interface Tensor extends Partial<Omit<Block, "symbol" | "rows" | "columns" | "step" | "names">> {
  node: string;
  /** The stop of Play at which it appears, by its id; null: it has words, and stands at no stop. */
  stop?: string | null;
  /** Written "W_Q" with a subscript, "K^T" with a superscript. */
  symbol: Symbol | string;
  /** What stands on each axis of the node: "head word word"; "" where it has no axis. */
  axes: string;
  /** What its strings `name.KEY`, `single.KEY` and `meaning.KEY` are called. Absent: as the node, or as the last part of its name. */
  key?: string;
  /** What the slots of its name are filled with. */
  slots?: Slots;
  /** Absent: the string `name.KEY`. */
  name?: string;
  /** "query", for one row. Absent: the string `single.KEY`, else `name`. */
  single?: string;
  /** Where the numbers of a leaf come from, where they are neither typed nor drawn. */
  origin?: string;
  /** What its symbol in a formula is called. Absent: by symbol, name and size. */
  inFormula?: string;
  /** Where a cell stands, where the names of its axes do not say it. */
  place?: NodeWords["place"];
  /**
   * What a cell means, or the string that says it, with a slot for what stands on each axis. Absent: the string `meaning.KEY`, else its
   * place, else the names of its row and column.
   */
  meaning?: string | ((index: number[]) => string);
}

/** A tensor with its words. */
export type NamedTensor = Omit<Tensor, "axes" | "meaning"> & {
  name: string;
  single: string;
  letters: string;
  axes: NodeWords["axes"];
  meaning?: NodeWords["meaning"];
};

/** A stop of Play: the cell that tells it, and what its sentence is called where it is not `tell.ID`. */
export interface Stop extends Cell {
  tell?: string;
  /** Absent: the string `stop.ID`. */
  title?: string;
  /** Fill title and sentence. */
  slots?: Slots;
}

/** The stops by their ids, in their order. */
export type Stops = Readonly<Record<string, Stop>>;

/** The fill of a tensor that names none. */
const fills: Partial<Record<Role, Fill>> = { weight: "parameter", attention: "probability" };

/** Of what the axes of a node have, that of its rows and that of its columns as drawn: of the axes that `at` leaves free, the last two of the usual ones. */
function drawnOf<T>(axes: readonly T[], at: Block["at"], turned: boolean): [rows?: T, columns?: T] {
  const [columns, rows] = axes.filter((_, axis) => (at?.[axis] ?? null) === null).reverse();
  return turned ? [columns, rows] : [rows, columns];
}

function symbolOf(written: string): Symbol {
  const [, text = "", sub, sup] = /^([^_^]*)(?:_([^^]+))?(?:\^(.+))?$/.exec(written) ?? [];
  return { text, ...(sub && { sub }), ...(sup && { sup }) };
}

const lastPart = (node: string): string => node.slice(node.lastIndexOf(".") + 1);

/** Tensors with the words that a lab's strings and axes give them. */
export function namedTensors(strings: Strings, axes: Axes, tensors: readonly Tensor[]): NamedTensor[] {
  const say = (key: string, slots?: Slots): string => strings(key as never, slots);
  return tensors.map(({ axes: on, key: given, slots, meaning: own, ...tensor }) => {
    const { node } = tensor;
    const keyOf = (what: string): string | undefined =>
      [given ?? node, given ?? lastPart(node)].map((key) => `${what}.${key}`).find((key) => strings.has(key));
    const name = tensor.name ?? say(keyOf("name") ?? `name.${given ?? node}`, slots);
    const ofRow = keyOf("single");
    const single = ofRow ? say(ofRow, slots) : name;
    const meaning = own ?? keyOf("meaning");
    const kinds = on.split(" ").filter(Boolean);
    const sides = kinds.map((kind): Axis => axes[kind] ?? [kind]);
    const free = sides.filter((_, axis) => (tensor.at?.[axis] ?? null) === null);
    const letters = (tensor.turned ? free.reverse() : free).flatMap(([letter]) => letter || []).join("×");
    const names = sides.map(([, places = null]) => places);
    const slotsAt = (index: readonly number[]): Slots =>
      Object.fromEntries(kinds.map((kind, axis) => [kind, placeOf(names[axis], index[axis] ?? 0)]));
    return {
      letters,
      single,
      ...tensor,
      name,
      axes: names,
      ...(meaning && {
        meaning: typeof meaning === "string" ? (index: number[]) => say(meaning, slotsAt(index)) : meaning,
      }),
    };
  });
}

const placeOf = (names: readonly string[] | null | undefined, at: number): string | number =>
  names ? (names[at] ?? "") : at;

/** A tensor with all that follows from what a lab says of it. */
function blockOf(tensor: NamedTensor, stops: readonly string[], snapshots: Snapshots): Block {
  const { stop = null, symbol, role = "activation", fill = fills[role] ?? "activation", ...rest } = tensor;
  const shape = snapshots.get(tensor.node)?.shape ?? [];
  const { at = shape.length < 2 ? shape.map(() => null) : undefined } = tensor;
  const turned = tensor.turned ?? false;
  const [rows = 1, columns = 1] = drawnOf(shape, at, turned);
  const [rowNames, columnNames] = drawnOf(tensor.axes, at, turned);
  return {
    family: fill,
    ...rest,
    ...(at ? { at } : {}),
    role,
    fill,
    rows,
    columns,
    names: { rows: rowNames, columns: columnNames },
    symbol: typeof symbol === "string" ? symbolOf(symbol) : symbol,
    step: stop === null ? -1 : stops.indexOf(stop),
  };
}

/** A formula by its id, and the nodes that each of its symbols stands for: the first names it. One that is not there is passed over. */
export interface FormulaSymbols {
  id: string;
  symbols: Readonly<Record<string, string | readonly string[]>>;
}

/** What draws the lines of a stage. */
export type Lines = Pick<typeof stage, "flowScene" | "flowStrip">;

export interface LabDeclaration<L extends LabId> extends Omit<
  Lab<L>,
  "title" | "lede" | "arrange" | "scene" | "strip" | "steps" | "formula" | "nodeWords" | "remarks"
> {
  /** The lab's strings, from which follow title and lede, the words of stops, names of tensors, the texts under scales. */
  say: Say;
  /** Absent: the string `title`. */
  title?: Lab<L>["title"];
  /** Absent: the string `lede`, on phones `lede.narrow`. */
  lede?: Lab<L>["lede"];
  /** What stands on the axes of its tensors. */
  axes(config: ConfigOf<L>, words: Words, snapshots: Snapshots): Axes;
  /** Where the stage opens a row, a head or a part of the graph: see `Lab.arrange`. */
  arrange?: Lab<L>["arrange"];
  /** Every tensor that may be drawn, in the order of the graph. Those already named keep their words: a part that is another lab's. */
  tensors(config: ConfigOf<L>, words: Words, snapshots: Snapshots): (Tensor | NamedTensor)[];
  stops(config: ConfigOf<L>, words: Words, snapshots: Snapshots): Stops;
  /** The lines of the stage; `of` gives a tensor by its node. Absent where pictures and a strip of its own show all. */
  flow?(config: ConfigOf<L>, snapshots: Snapshots, room: Room, of: (node: string) => Block): stage.Flow;
  /** A stage drawn by hand where lines say less: null where the lines stand. */
  picture?(config: ConfigOf<L>, snapshots: Snapshots, room: Room, of: (node: string) => Block): Scene | null;
  /** The strip of a phone where it is not that of the lines. */
  strip?(config: ConfigOf<L>, snapshots: Snapshots, room: Room, of: (node: string) => Block): Scene;
  symbols(config: ConfigOf<L>): FormulaSymbols;
  /** Beside the notice of cells that are not numbers. */
  remarks?: Lab<L>["remarks"];
}

/** What a lab answers whichever declaration its Config has. */
type Shared = "id" | "formulas" | "sentence" | "change" | "gradients" | "time";

/** A lab with more than one declaration: what these share, and the one of a Config. */
export interface SeveralDeclarations<L extends LabId> extends Pick<Lab<L>, Shared> {
  declarationOf(config: ConfigOf<L>): Omit<LabDeclaration<L>, Shared>;
}

/** The strings of the page as a lab's own: each that begins with the first of these prefixes, else with the next. */
export const sayFrom =
  (...prefixes: readonly string[]): Say =>
  (words) => {
    const found = (key: string) => prefixes.map((prefix) => prefix + key).find((one) => words.has(one));
    return Object.assign((key: string, slots?: Slots) => words(found(key) as Key, slots), {
      has: (key: string) => found(key) !== undefined,
    });
  };

const isNamed = (tensor: Tensor | NamedTensor): tensor is NamedTensor => typeof tensor.axes !== "string";

/** A cell by the names of its row and column. */
function placeNames(axes: NodeWords["axes"], index: readonly number[]): string {
  return index.flatMap((at, axis) => axes[axis]?.[at] ?? []).join(" · ");
}

/**
 * The lab of a declaration. Where `lines` is null, its pictures and its strip show all there is: the page opens with such a lab, and is
 * fetched without what draws lines.
 */
export function labFrom<L extends LabId>(
  lines: Lines | null,
  lab: LabDeclaration<L> | SeveralDeclarations<L>,
): Lab<L> {
  const declarationOf: SeveralDeclarations<L>["declarationOf"] =
    "declarationOf" in lab ? lab.declarationOf : () => lab;
  /** The first of these strings that the lab has; empty where it has none. */
  const said = (config: ConfigOf<L>, words: Words, keys: readonly string[], slots?: Slots): string => {
    const strings = declarationOf(config).say(words);
    const key = keys.find((one) => strings.has(one));
    return key === undefined ? "" : strings(key as never, slots);
  };
  const named = (config: ConfigOf<L>, words: Words, snapshots: Snapshots): NamedTensor[] => {
    const { say, axes, tensors } = declarationOf(config);
    const [strings, kinds] = [say(words), axes(config, words, snapshots)];
    return tensors(config, words, snapshots).flatMap((tensor) =>
      isNamed(tensor) ? tensor : namedTensors(strings, kinds, [tensor]),
    );
  };
  /** Gives a tensor by its node. */
  const byNode = (config: ConfigOf<L>, words: Words, snapshots: Snapshots): ((node: string) => Block) => {
    const ids = Object.keys(declarationOf(config).stops(config, words, snapshots));
    const all = new Map(named(config, words, snapshots).map((tensor) => [tensor.node, tensor]));
    return (node) => {
      const found = all.get(node);
      if (!found) throw new Error(`${lab.id}: no tensor is called ${node}`);
      return blockOf(found, ids, snapshots);
    };
  };
  /** A scene or a strip: by hand where the lab has one, else the lines. */
  const drawn =
    (byHand: "picture" | "strip", inLines: "flowScene" | "flowStrip"): Lab<L>["scene"] =>
    (config, snapshots, room) => {
      const declaration = declarationOf(config);
      const of = byNode(config, room.words, snapshots);
      const own = declaration[byHand]?.(config, snapshots, room, of);
      if (own) return own;
      const legendOf = (family: string): string => said(config, room.words, [`legend.${family}`]);
      return lines![inLines](room, { legendOf, ...declaration.flow!(config, snapshots, room, of) });
    };
  return {
    ...lab,
    title: (config, words) => declarationOf(config).title?.(config, words) ?? said(config, words, ["title"]),
    lede: (config, words, narrow) =>
      declarationOf(config).lede?.(config, words, narrow) ??
      said(config, words, [...(narrow ? ["lede.narrow"] : []), "lede"]),
    opening: (config) => declarationOf(config).opening(config),
    untrained: (config) => declarationOf(config).untrained?.(config) ?? false,
    arrange: (config, room) => declarationOf(config).arrange?.(config, room) ?? "",
    scene: drawn("picture", "flowScene"),
    strip: drawn("strip", "flowStrip"),
    steps(config, words, snapshots) {
      const { tensors, stops } = declarationOf(config);
      const all = tensors(config, words, snapshots);
      return Object.entries(stops(config, words, snapshots)).map(([id, stop]): Step => {
        const { node, index, tell = id, slots, title = said(config, words, [`stop.${id}`], slots) } = stop;
        const nodes = all.filter((one) => one.stop === id).map((one) => one.node);
        return {
          id,
          title,
          sentence: said(config, words, [`tell.${tell}`], slots),
          cell: { node, index },
          // The tensor of the telling cell is swept.
          nodes: nodes.sort((a, b) => Number(b === node) - Number(a === node)),
        };
      });
    },
    formula(config, words, snapshots) {
      const { id, symbols } = declarationOf(config).symbols(config);
      const all = new Map(named(config, words, snapshots).map((tensor) => [tensor.node, tensor]));
      const parts = Object.entries(symbols).flatMap(([symbol, node]): FormulaPart[] => {
        const nodes = [node].flat();
        const tensor = all.get(nodes[0]!);
        if (!tensor) return [];
        const { name, role, symbol: letters, rows, columns } = blockOf(tensor, [], snapshots);
        const size = sizeWords([rows, columns], words);
        const label = snapshots.has(nodes[0]!)
          ? words("labs.formula.part", { symbol: symbolName(letters), name, size })
          : name;
        return [
          { symbol, nodes, ...(role === "activation" ? {} : { role }), label: tensor.inFormula ?? label },
        ];
      });
      return { id, parts };
    },
    nodeWords(config, node, words, snapshots): NodeWords {
      const tensor = named(config, words, snapshots).find((one) => one.node === node);
      // A step inside a layer that no lab draws is called as the graph calls it.
      if (!tensor) {
        return {
          symbol: { text: lastPart(node) },
          role: "activation",
          name: node,
          single: node,
          axes: [],
          meaning: () => "",
        };
      }
      const { name, single, axes, place, meaning = place, origin } = tensor;
      const { symbol, role } = blockOf(tensor, [], snapshots);
      return {
        symbol,
        role,
        name,
        single,
        axes,
        ...(place && { place }),
        meaning: meaning ?? ((index) => placeNames(axes, index)),
        ...(origin === undefined ? {} : { origin }),
      };
    },
    remarks(config, snapshots, words) {
      const { tensors, remarks } = declarationOf(config);
      const nodes = tensors(config, words, snapshots).map(({ node }) => node);
      return [...(remarks?.(config, snapshots, words) ?? []), ...notNumbers(snapshots, nodes, words)];
    },
  };
}
