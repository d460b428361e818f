/** A lab told from a list of its tensors: who they are, what their places are called. */
import type { ConfigOf, LabId } from "../config/config.js";
import type { Slots, Words } from "../i18n/words.js";
import { symbolName } from "../marks/lettering.js";
import type { Fill, Role, Room, Scene, Snapshots, Symbol } from "../marks/scene.js";
import type { FormulaPart, NodeWords, Step } from "../marks/wording.js";
import type * as stage from "../stage/flow.js";
import type { Lab } from "./lab.js";
import type { Block } from "../stage/place.js";
import { sizeWords } from "./phrases.js";
import { notNumbers } from "./remarks.js";

/** A lab's own strings: `own` gives them in the language of `words`. */
export type Say = (words: Words) => { (key: never, slots?: Slots): string; has(key: string): boolean };

/** What a lab says of a tensor. What is left out follows: the sizes from the numbers, the rest as said at each. */
export interface Tensor extends Partial<Omit<Block, "symbol" | "rows" | "columns" | "step" | "names">> {
  node: string;
  /** The stop of Play at which it appears, by its id; null: it has words, and stands at no stop. */
  stop?: string | null;
  /** Written "W_Q" with a subscript, "K^T" with a superscript. */
  symbol: Symbol | string;
  /** Absent: the lab's string `name.NODE`, or that of the last part of the node's name. */
  name?: string;
  /** "query", for one row; absent: the string `single.NODE`, else `name`. */
  single?: string;
  /**
   * Names of the places on each axis of the node; null where the number itself is the name. Or the letters of its axes, "H×L×D": the names
   * are those of the lab's `places`, and those of the axes that are drawn are said with its sizes.
   */
  axes: NodeWords["axes"] | string;
  /** Where the numbers of a leaf come from, where they are neither typed nor drawn. */
  origin?: string;
  /** What its symbol in a formula is called. Absent: by symbol, name and size. */
  inFormula?: string;
  /** Where a cell stands, where the names of its axes do not say it. */
  place?: NodeWords["place"];
  /** What a cell means: "word 1 asks word 3". Absent: its place, else the names of its row and column. */
  meaning?: (index: number[]) => string;
}

/** A tensor with its names. */
type NamedTensor = Tensor & { name: string; single: string; letters: string; axes: NodeWords["axes"] };

/** A stop of Play, but for the tensors that appear at it. Absent words are the lab's strings `stop.ID` and `tell.ID`. */
export type Stop = Pick<Step, "id" | "cell"> & Partial<Pick<Step, "title" | "sentence">>;

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

/** The axes by their letters: what their places are called, and the letters of those that are drawn. */
function axesOf({ axes, at, turned }: Tensor, places: Places): Pick<NamedTensor, "axes" | "letters"> {
  if (typeof axes !== "string") return { axes, letters: "" };
  const letters = axes.split("×");
  const free = letters.filter((_, axis) => (at?.[axis] ?? null) === null);
  return {
    axes: letters.map((letter) => places[letter] ?? null),
    letters: (turned ? free.reverse() : free).join("×"),
  };
}

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

/** Names of the places on an axis, by the letter of the axis. */
export type Places = Readonly<Record<string, readonly string[] | null>>;

export interface Telling<L extends LabId> extends Omit<
  Lab<L>,
  "title" | "lede" | "arrange" | "scene" | "strip" | "steps" | "formula" | "nodeWords" | "remarks"
> {
  /** The lab's own strings, from which follow title and lede, the words of stops, names of tensors, the texts under scales. */
  say?: Say;
  /** Absent: the string `title`. */
  title?: Lab<L>["title"];
  /** Absent: the string `lede`, on phones `lede.narrow`. */
  lede?: Lab<L>["lede"];
  /** Of the axes that tensors give by letters. */
  places?(config: ConfigOf<L>, words: Words, snapshots: Snapshots): Places;
  /** Where the stage opens a row, a head or a part of the graph: see `Lab.arrange`. */
  arrange?: Lab<L>["arrange"];
  /** Every tensor that may be drawn, in the order of the graph. */
  tensors(config: ConfigOf<L>, words: Words, snapshots: Snapshots): Tensor[];
  stops(config: ConfigOf<L>, words: Words, snapshots: Snapshots): Stop[];
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

/** What a lab answers whichever way its Config is told. */
type Shared = "id" | "formulas" | "sentence" | "change" | "gradients" | "time";

/** A lab with more than one telling: what these share, and the one that tells a Config. */
export interface Tellings<L extends LabId> extends Pick<Lab<L>, Shared> {
  tellingOf(config: ConfigOf<L>): Omit<Telling<L>, Shared>;
}

/** A cell by the names of its row and column. */
function placeNames(axes: NodeWords["axes"], index: readonly number[]): string {
  return index.flatMap((at, axis) => axes[axis]?.[at] ?? []).join(" · ");
}

/**
 * A lab as it is told. Where `lines` is null, its pictures and its strip show all there is: the page opens with such a lab, and is fetched
 * without what draws lines.
 */
export function toldWith<L extends LabId>(lines: Lines | null, lab: Telling<L> | Tellings<L>): Lab<L> {
  const tellingOf: Tellings<L>["tellingOf"] = "tellingOf" in lab ? lab.tellingOf : () => lab;
  /** The first of these strings that the lab has; empty where it has none. */
  const said = (config: ConfigOf<L>, words: Words, ...keys: string[]): string => {
    const own = tellingOf(config).say?.(words);
    const key = keys.find((one) => own?.has(one));
    return key === undefined ? "" : own!(key as never);
  };
  const named = (config: ConfigOf<L>, words: Words, snapshots: Snapshots): NamedTensor[] => {
    const { places, tensors } = tellingOf(config);
    const names = places?.(config, words, snapshots) ?? {};
    return tensors(config, words, snapshots).map((tensor) => {
      const { node } = tensor;
      const last = node.slice(node.lastIndexOf(".") + 1);
      const { name = said(config, words, `name.${node}`, `name.${last}`) || node } = tensor;
      const { single = said(config, words, `single.${node}`, `single.${last}`) || name } = tensor;
      const { axes, letters } = axesOf(tensor, names);
      return { letters, ...tensor, name, single, axes };
    });
  };
  /** Gives a tensor by its node. */
  const byNode = (config: ConfigOf<L>, words: Words, snapshots: Snapshots): ((node: string) => Block) => {
    const ids = tellingOf(config)
      .stops(config, words, snapshots)
      .map(({ id }) => id);
    const all = new Map(named(config, words, snapshots).map((tensor) => [tensor.node, tensor]));
    return (node) => {
      const found = all.get(node);
      if (!found) throw new Error(`${lab.id}: no tensor is called ${node}`);
      return blockOf(found, ids, snapshots);
    };
  };
  /** A scene or a strip: by hand where the lab has one, else the lines. */
  const drawn = (
    byHand: "picture" | "strip",
    inLines: "flowScene" | "flowStrip",
  ): Lab<L>["scene"] => (config, snapshots, room) => {
    const telling = tellingOf(config);
    const of = byNode(config, room.words, snapshots);
    const own = telling[byHand]?.(config, snapshots, room, of);
    if (own) return own;
    const legendOf = (family: string): string => said(config, room.words, `legend.${family}`);
    return lines![inLines](room, { legendOf, ...telling.flow!(config, snapshots, room, of) });
  };
  return {
    ...lab,
    title: (config, words) => tellingOf(config).title?.(config, words) ?? said(config, words, "title"),
    lede: (config, words, narrow) =>
      tellingOf(config).lede?.(config, words, narrow) ??
      said(config, words, ...(narrow ? ["lede.narrow"] : []), "lede"),
    opening: (config) => tellingOf(config).opening(config),
    untrained: (config) => tellingOf(config).untrained?.(config) ?? false,
    arrange: (config, room) => tellingOf(config).arrange?.(config, room) ?? "",
    scene: drawn("picture", "flowScene"),
    strip: drawn("strip", "flowStrip"),
    steps(config, words, snapshots) {
      const { tensors, stops } = tellingOf(config);
      const all = tensors(config, words, snapshots);
      return stops(config, words, snapshots).map((stop): Step => {
        const nodes = all.filter((one) => one.stop === stop.id).map(({ node }) => node);
        // The tensor of the telling cell is swept.
        return {
          title: said(config, words, `stop.${stop.id}`),
          sentence: said(config, words, `tell.${stop.id}`),
          ...stop,
          nodes: nodes.sort((a, b) => Number(b === stop.cell.node) - Number(a === stop.cell.node)),
        };
      });
    },
    formula(config, words, snapshots) {
      const { id, symbols } = tellingOf(config).symbols(config);
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
        const last = node.slice(node.lastIndexOf(".") + 1);
        return {
          symbol: { text: last },
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
      const { tensors, remarks } = tellingOf(config);
      const nodes = tensors(config, words, snapshots).map(({ node }) => node);
      return [...(remarks?.(config, snapshots, words) ?? []), ...notNumbers(snapshots, nodes, words)];
    },
  };
}
