/** The declaration of a lab: a list of its tensors and of its stops. Their texts come from the lab's strings and from the names of its axes. */
import type { ConfigOf, LabId } from "../config/config.js";
import type { Key, Slots, Words } from "../i18n/words.js";
import { symbolName } from "../marks/lettering.js";
import { memoizedBy } from "../marks/memoized-by.js";
import type { Fill, Role, Room, Scene, Snapshots, Symbol } from "../marks/scene.js";
import type { FormulaPart, NodeWords, Step } from "../marks/wording.js";
import type * as stage from "../stage/flow.js";
import type { Block } from "../stage/place.js";
import type { Lab } from "./lab.js";
import type { Cell } from "./largest.js";
import { sizeWords } from "./phrases.js";
import { nonFiniteRemarks } from "./remarks.js";

/** A lab's strings in one language. */
export interface Strings {
  (key: never, slots?: Slots): string;
  has(key: string): boolean;
}

/** A lab's strings in the language of `words`. */
export type StringsIn = (words: Words) => Strings;

type Axis = readonly [letter: string, names?: readonly string[] | null];

/**
 * The kinds of axes of a lab's tensors ("word"): the letter of the axis' size, and the names of its places, if they have names. A
 * kind that is not listed is its own letter and has no names: "d_k".
 */
export type Axes = Readonly<Record<string, Axis>>;

/** One tensor of a lab. Fields that are absent have defaults: sizes come from the computed numbers, texts from the lab's strings and axes. */
export interface Tensor extends Partial<Omit<Block, "symbol" | "rows" | "columns" | "step" | "names">> {
  node: string;
  /** The id of the stop of Play at which it appears; null for a tensor that has texts and appears at no stop. */
  stop?: string | null;
  /** Written "W_Q" with a subscript, "K^T" with a superscript. */
  symbol: Symbol | string;
  /** The kind of each axis of the node: "head word word"; "" for a node without axes. */
  axes: string;
  /** The KEY of its strings `name.KEY`, `single.KEY` and `meaning.KEY`. Absent: the node's name, or the last part of it. */
  key?: string;
  /** The values for the slots of its name. */
  slots?: Slots;
  /** Its name. Absent: the string `name.KEY`. */
  name?: string;
  /** Its name for a single row or number: "query". Absent: the string `single.KEY`, else `name`. */
  single?: string;
  /** Where the numbers of a leaf come from, if they are neither typed nor random. */
  origin?: string;
  /** The accessible name of its symbol in a formula. Absent: its symbol, name and size. */
  inFormula?: string;
  /** The place of a cell in words, if the names of its axes do not give it. */
  place?: NodeWords["place"];
  /**
   * What a cell means, or the key of a string with a slot for each kind of axis. Absent: the string `meaning.KEY`, else its
   * place, else the names of its row and column.
   */
  meaning?: string | ((index: number[]) => string);
}

/** A tensor with its texts. */
export type NamedTensor = Omit<Tensor, "axes" | "meaning"> & {
  name: string;
  single: string;
  letters: string;
  axes: NodeWords["axes"];
  meaning?: NodeWords["meaning"];
};

/** A stop of Play: the cell that its sentence describes, and the key of the sentence if that is not `tell.ID`. */
export interface Stop extends Cell {
  tell?: string;
  /** Its title. Absent: the string `stop.ID`. */
  title?: string;
  /** The values for the slots of the title and the sentence. */
  slots?: Slots;
}

/** The stops by id, in order. */
export type Stops = Readonly<Record<string, Stop>>;

/** The default fill by role. */
const fills: Partial<Record<Role, Fill>> = { weight: "parameter", attention: "probability" };

/** Picks from a list with one item per axis those of the axes drawn as rows and as columns: the last two of the axes that `at` does not fix. */
function rowsAndColumns<T>(axes: readonly T[], at: Block["at"], turned: boolean): [rows?: T, columns?: T] {
  const [columns, rows] = axes.filter((_, axis) => (at?.[axis] ?? null) === null).reverse();
  return turned ? [columns, rows] : [rows, columns];
}

function symbolOf(notation: string): Symbol {
  const [, text = "", sub, sup] = /^([^_^]*)(?:_([^^]+))?(?:\^(.+))?$/.exec(notation) ?? [];
  return { text, ...(sub && { sub }), ...(sup && { sup }) };
}

const lastPart = (node: string): string => node.slice(node.lastIndexOf(".") + 1);

/** Gives tensors their texts from the lab's strings and axes. */
export function namedTensors(strings: Strings, axes: Axes, tensors: readonly Tensor[]): NamedTensor[] {
  const text = (key: string, slots?: Slots): string => strings(key as never, slots);
  return tensors.map(({ axes: axisKinds, key: stringKey, slots, meaning: ownMeaning, ...tensor }) => {
    const { node } = tensor;
    const keyOf = (prefix: string): string | undefined =>
      [stringKey ?? node, stringKey ?? lastPart(node)]
        .map((key) => `${prefix}.${key}`)
        .find((key) => strings.has(key));
    const name = tensor.name ?? text(keyOf("name") ?? `name.${stringKey ?? node}`, slots);
    const singleKey = keyOf("single");
    const single = singleKey ? text(singleKey, slots) : name;
    const meaning = ownMeaning ?? keyOf("meaning");
    const kinds = axisKinds.split(" ").filter(Boolean);
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
        meaning: typeof meaning === "string" ? (index: number[]) => text(meaning, slotsAt(index)) : meaning,
      }),
    };
  });
}

const placeOf = (names: readonly string[] | null | undefined, at: number): string | number =>
  names ? (names[at] ?? "") : at;

/** The block to draw for a tensor, with defaults for what its declaration leaves out. */
function blockOf(tensor: NamedTensor, stops: readonly string[], snapshots: Snapshots): Block {
  const { stop = null, symbol, role = "activation", fill = fills[role] ?? "activation", ...rest } = tensor;
  const shape = snapshots.get(tensor.node)?.shape ?? [];
  const { at = shape.length < 2 ? shape.map(() => null) : undefined } = tensor;
  const turned = tensor.turned ?? false;
  const [rows = 1, columns = 1] = rowsAndColumns(shape, at, turned);
  const [rowNames, columnNames] = rowsAndColumns(tensor.axes, at, turned);
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

/**
 * The id of a formula, and the nodes that each symbol stands for. The first node gives the symbol its name; a symbol whose node is
 * no tensor of the lab is skipped.
 */
export interface FormulaSymbols {
  id: string;
  symbols: Readonly<Record<string, string | readonly string[]>>;
}

/** The functions that draw the lines of a stage. */
export type Lines = Pick<typeof stage, "flowScene" | "flowStrip">;

export interface LabDeclaration<L extends LabId> extends Omit<
  Lab<L>,
  "title" | "lede" | "arrange" | "scene" | "strip" | "steps" | "formula" | "nodeWords" | "remarks"
> {
  /** The lab's strings: its title and lede, the texts of stops, the names of tensors and the texts under colour scales. */
  strings: StringsIn;
  /** Its title. Absent: the string `title`. */
  title?: Lab<L>["title"];
  /** The sentence under the title. Absent: the string `lede`, or `lede.narrow` on phones. */
  lede?: Lab<L>["lede"];
  /** The kinds of axes of its tensors. */
  axes(config: ConfigOf<L>, words: Words, snapshots: Snapshots): Axes;
  /** Which row, head or part of the graph the stage opens: see `Lab.arrange`. */
  arrange?: Lab<L>["arrange"];
  /** Every tensor that may be drawn, in the order of the graph. A tensor of another lab that already has texts keeps them. */
  tensors(config: ConfigOf<L>, words: Words, snapshots: Snapshots): (Tensor | NamedTensor)[];
  stops(config: ConfigOf<L>, words: Words, snapshots: Snapshots): Stops;
  /** The lines of the stage; `of` returns a tensor by its node. Absent if the lab's own pictures and strip show everything. */
  flow?(config: ConfigOf<L>, snapshots: Snapshots, room: Room, of: (node: string) => Block): stage.Flow;
  /** The scene if it is drawn by hand; null if `flow` draws it. */
  picture?(config: ConfigOf<L>, snapshots: Snapshots, room: Room, of: (node: string) => Block): Scene | null;
  /**
   * The strip of thumbnails on a phone. Absent, or if it returns null: it is made from the lines of `flow`. Null: there is none, as the
   * picture shows everything.
   */
  strip?:
    | ((config: ConfigOf<L>, snapshots: Snapshots, room: Room, of: (node: string) => Block) => Scene | null)
    | null;
  symbols(config: ConfigOf<L>): FormulaSymbols;
  /** Remarks besides the one about cells that are NaN or infinite. */
  remarks?: Lab<L>["remarks"];
}

/** The fields that all declarations of a lab share. */
type Shared = "id" | "formulas" | "sentence" | "change" | "gradients" | "time";

/** A lab with several declarations: the fields that they share, and a function that returns the declaration for a Config. */
export interface SeveralDeclarations<L extends LabId> extends Pick<Lab<L>, Shared> {
  declarationOf(config: ConfigOf<L>): Omit<LabDeclaration<L>, Shared>;
}

/** Makes a lab's strings from those of the page: a key is looked up with the first of these prefixes, then with the next. */
export const stringsFrom = (...prefixes: readonly string[]): StringsIn =>
  memoizedBy((words: Words) => {
    const fullKeys = new Map<string, Key | undefined>();
    const fullKey = (key: string): Key | undefined => {
      if (!fullKeys.has(key))
        fullKeys.set(
          key,
          prefixes.map((prefix) => prefix + key).find((one): one is Key => words.has(one)),
        );
      return fullKeys.get(key);
    };
    return Object.assign((key: string, slots?: Slots) => words(fullKey(key)!, slots), {
      has: (key: string) => fullKey(key) !== undefined,
    });
  });

const isNamed = (tensor: Tensor | NamedTensor): tensor is NamedTensor => typeof tensor.axes !== "string";

/** Describes a cell by the names of its row and column. */
function placeNames(axes: NodeWords["axes"], index: readonly number[]): string {
  return index.flatMap((at, axis) => axes[axis]?.[at] ?? []).join(" · ");
}

/**
 * Makes a lab from its declaration. `lines` is null for a lab whose pictures and strip show everything: the page that opens with
 * such a lab does not load the code that draws lines.
 */
export function labFrom<L extends LabId>(
  lines: Lines | null,
  lab: LabDeclaration<L> | SeveralDeclarations<L>,
): Lab<L> {
  const declarationOf: SeveralDeclarations<L>["declarationOf"] =
    "declarationOf" in lab ? lab.declarationOf : () => lab;
  /** The text of the first of these keys that the lab's strings have; empty if they have none. */
  const textOf = (config: ConfigOf<L>, words: Words, keys: readonly string[], slots?: Slots): string => {
    const strings = declarationOf(config).strings(words);
    const key = keys.find((one) => strings.has(one));
    return key === undefined ? "" : strings(key as never, slots);
  };
  /** The tensors of a state with their texts. Each drawing asks for them many times: for its scene, its formula and the name of every tensor. */
  const tensorsOf = memoizedBy((config: ConfigOf<L>) =>
    memoizedBy((words: Words) =>
      memoizedBy((snapshots: Snapshots): NamedTensor[] => {
        const { strings: stringsIn, axes, tensors } = declarationOf(config);
        const [strings, kinds] = [stringsIn(words), axes(config, words, snapshots)];
        return tensors(config, words, snapshots).flatMap((tensor) =>
          isNamed(tensor) ? tensor : namedTensors(strings, kinds, [tensor]),
        );
      }),
    ),
  );
  const tensorsWithTexts = (config: ConfigOf<L>, words: Words, snapshots: Snapshots): NamedTensor[] =>
    tensorsOf(config)(words)(snapshots);
  /** Returns a function that finds the block of a node. */
  const byNode = (config: ConfigOf<L>, words: Words, snapshots: Snapshots): ((node: string) => Block) => {
    const ids = Object.keys(declarationOf(config).stops(config, words, snapshots));
    const all = new Map(tensorsWithTexts(config, words, snapshots).map((tensor) => [tensor.node, tensor]));
    return (node) => {
      const found = all.get(node);
      if (!found) throw new Error(`${lab.id}: no tensor is called ${node}`);
      return blockOf(found, ids, snapshots);
    };
  };
  /** The scene or the strip: the lab's own if it draws one, else one made from the lines. */
  const sceneFrom =
    (byHand: "picture" | "strip", inLines: "flowScene" | "flowStrip"): Lab<L>["scene"] =>
    (config, snapshots, room) => {
      const declaration = declarationOf(config);
      const of = byNode(config, room.words, snapshots);
      const own = declaration[byHand]?.(config, snapshots, room, of);
      if (own) return own;
      const legendOf = (family: string): string => textOf(config, room.words, [`legend.${family}`]);
      return lines![inLines](room, { legendOf, ...declaration.flow!(config, snapshots, room, of) });
    };
  return {
    ...lab,
    title: (config, words) =>
      declarationOf(config).title?.(config, words) ?? textOf(config, words, ["title"]),
    lede: (config, words, isNarrow) =>
      declarationOf(config).lede?.(config, words, isNarrow) ??
      textOf(config, words, [...(isNarrow ? ["lede.narrow"] : []), "lede"]),
    opening: (config, snapshots) => declarationOf(config).opening(config, snapshots),
    untrained: (config) => declarationOf(config).untrained?.(config) ?? false,
    arrange: (config, room) => declarationOf(config).arrange?.(config, room) ?? "",
    scene: sceneFrom("picture", "flowScene"),
    strip: (config, ...rest) =>
      declarationOf(config).strip === null ? null : sceneFrom("strip", "flowStrip")(config, ...rest),
    steps(config, words, snapshots) {
      const { tensors, stops } = declarationOf(config);
      const all = tensors(config, words, snapshots);
      return Object.entries(stops(config, words, snapshots)).map(([id, stop]): Step => {
        const { node, index, tell = id, slots, title = textOf(config, words, [`stop.${id}`], slots) } = stop;
        const nodes = all.filter((one) => one.stop === id).map((one) => one.node);
        return {
          id,
          title,
          sentence: textOf(config, words, [`tell.${tell}`], slots),
          cell: { node, index },
          // Play animates the first of these nodes: the tensor of the stop's cell.
          nodes: nodes.sort((a, b) => Number(b === node) - Number(a === node)),
        };
      });
    },
    formula(config, words, snapshots) {
      const { id, symbols } = declarationOf(config).symbols(config);
      const all = new Map(tensorsWithTexts(config, words, snapshots).map((tensor) => [tensor.node, tensor]));
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
      const tensor = tensorsWithTexts(config, words, snapshots).find((one) => one.node === node);
      // A node inside a layer that no lab draws keeps the name that it has in the graph.
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
      return [...(remarks?.(config, snapshots, words) ?? []), ...nonFiniteRemarks(snapshots, nodes, words)];
    },
  };
}
