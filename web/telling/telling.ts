/** A lab told from a list of its tensors: who they are, what their places are called. */
import type { ConfigOf, LabId } from "../config/config.js";
import type { Words } from "../i18n/words.js";
import { symbolName } from "../marks/lettering.js";
import type { Fill, Role, Room, Scene, Snapshots, Symbol } from "../marks/scene.js";
import type { FormulaPart, NodeWords, Step } from "../marks/wording.js";
import type * as stage from "../stage/flow.js";
import type { Lab } from "./lab.js";
import type { Block } from "../stage/place.js";
import { sizeWords } from "./phrases.js";
import { notNumbers } from "./remarks.js";

/** What a lab says of a tensor. What is left out follows: the sizes from the numbers, the rest as said at each. */
export interface Tensor extends Partial<Omit<Block, "symbol">> {
  node: string;
  /** The stop of Play at which it appears, by its id; null: it has words, and stands at no stop. */
  stop?: string | null;
  /** Written "W_Q" with a subscript, "K^T" with a superscript. */
  symbol: Symbol | string;
  name: string;
  /** "query", for one row; absent: `name`. */
  single?: string;
  /** Names of the places on each axis of the node; null where the number itself is the name. */
  axes: NodeWords["axes"];
  /** Where the numbers of a leaf come from, where they are neither typed nor drawn. */
  origin?: string;
  /** What its symbol in a formula is called. Absent: by symbol, name and size. */
  inFormula?: string;
  /** Where a cell stands, where the names of its axes do not say it. */
  place?: NodeWords["place"];
  /** What a cell means: "word 1 asks word 3". Absent: its place, else the names of its row and column. */
  meaning?: (index: number[]) => string;
}

/** A tensor of a lab that is not told yet: it names all. */
export type FullTensor = Tensor & Block & { single: string };

/** A stop of Play, but for the tensors that appear at it. */
export type Stop = Omit<Step, "nodes">;

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

/** A tensor with all that follows from what a lab says of it. */
function blockOf(tensor: Tensor, stops: readonly string[], snapshots: Snapshots): Block {
  const { stop = null, symbol, role = "activation", fill = fills[role] ?? "activation", ...rest } = tensor;
  const shape = snapshots.get(tensor.node)?.shape ?? [];
  const { at = shape.length < 2 ? shape.map(() => null) : undefined } = tensor;
  const turned = tensor.turned ?? false;
  const [rows = 1, columns = 1] = drawnOf(shape, at, turned);
  const [rowNames, columnNames] = drawnOf(tensor.axes, at, turned);
  return {
    family: fill,
    letters: "",
    ...rest,
    ...(at ? { at } : {}),
    role,
    fill,
    rows,
    columns,
    names: { rows: rowNames, columns: columnNames },
    symbol: typeof symbol === "string" ? symbolOf(symbol) : symbol,
    step: tensor.step ?? (stop === null ? -1 : stops.indexOf(stop)),
  };
}

/** A formula by its id, and the nodes that each of its symbols stands for: the first names it. One that is not there is passed over. */
export interface FormulaSymbols {
  id: string;
  symbols: Readonly<Record<string, string | readonly string[]>>;
}

/** What draws the lines of a stage. */
export type Lines = Pick<typeof stage, "flowScene" | "flowStrip">;

export interface Telling<L extends LabId> extends Omit<
  Lab<L>,
  "arrange" | "scene" | "strip" | "steps" | "formula" | "nodeWords" | "remarks"
> {
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
  const arranges = "tellingOf" in lab || lab.arrange;
  /** Gives a tensor by its node. */
  const byNode = (config: ConfigOf<L>, words: Words, snapshots: Snapshots): ((node: string) => Block) => {
    const { tensors, stops } = tellingOf(config);
    const ids = stops(config, words, snapshots).map(({ id }) => id);
    const all = new Map(tensors(config, words, snapshots).map((tensor) => [tensor.node, tensor]));
    return (node) => {
      const found = all.get(node);
      if (!found) throw new Error(`${lab.id}: no tensor is called ${node}`);
      return blockOf(found, ids, snapshots);
    };
  };
  return {
    ...lab,
    title: (config, words) => tellingOf(config).title(config, words),
    lede: (config, words, narrow) => tellingOf(config).lede(config, words, narrow),
    opening: (config) => tellingOf(config).opening(config),
    untrained: (config) => tellingOf(config).untrained?.(config) ?? false,
    ...(arranges && { arrange: (config, room) => tellingOf(config).arrange?.(config, room) ?? "" }),
    scene(config, snapshots, room) {
      const { picture, flow } = tellingOf(config);
      const of = byNode(config, room.words, snapshots);
      return (
        picture?.(config, snapshots, room, of) ?? lines!.flowScene(room, flow!(config, snapshots, room, of))
      );
    },
    strip(config, snapshots, room) {
      const { strip, flow } = tellingOf(config);
      const of = byNode(config, room.words, snapshots);
      return (
        strip?.(config, snapshots, room, of) ?? lines!.flowStrip(room, flow!(config, snapshots, room, of))
      );
    },
    steps(config, words, snapshots) {
      const { tensors, stops } = tellingOf(config);
      const all = tensors(config, words, snapshots);
      return stops(config, words, snapshots).map((stop, at): Step => {
        const nodes = all
          .filter((one) => (one.step ?? one.stop) === (one.step === undefined ? stop.id : at))
          .map(({ node }) => node);
        // The tensor of the telling cell is swept.
        return {
          ...stop,
          nodes: nodes.sort((a, b) => Number(b === stop.cell.node) - Number(a === stop.cell.node)),
        };
      });
    },
    formula(config, words, snapshots) {
      const { tensors, symbols } = tellingOf(config);
      const { id, symbols: named } = symbols(config);
      const all = new Map(tensors(config, words, snapshots).map((tensor) => [tensor.node, tensor]));
      const parts = Object.entries(named).flatMap(([symbol, node]): FormulaPart[] => {
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
      const tensor = tellingOf(config)
        .tensors(config, words, snapshots)
        .find((one) => one.node === node);
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
      const { name, single = name, axes, place, meaning = place, origin } = tensor;
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
