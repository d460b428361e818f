/** A lab told from a list of its tensors: who they are, what their places are called. */
import type { ConfigOf, LabId } from "../config/config.js";
import type { Words } from "../i18n/words.js";
import type { Room, Scene, Snapshots } from "../marks/scene.js";
import type { FormulaPart, NodeWords, Step } from "../marks/wording.js";
import { flowScene, flowStrip, type Flow } from "../stage/flow.js";
import type { Lab } from "./lab.js";
import type { Block } from "../stage/place.js";
import { sizeWords } from "./phrases.js";
import { notNumbers } from "./remarks.js";

/** A tensor on the stage and in the note. Its `step` is that of Play in which it appears. */
export interface Tensor extends Block {
  /** "query", for one row. */
  single: string;
  /** Names of the places on each axis of the node; null where the number itself is the name. */
  axes: NodeWords["axes"];
  /** Where the numbers of a leaf come from, where they are neither typed nor drawn. */
  origin?: string;
  /** What a cell means: "word 1 asks word 3". Absent: the names of its row and column. */
  meaning?: (index: number[]) => string;
}

/** A stop of Play, but for the tensors that appear at it. */
export type Stop = Omit<Step, "nodes">;

/** A formula by its id, and the nodes that each of its symbols stands for: the first names it. One that is not there is passed over. */
export interface FormulaSymbols {
  id: string;
  symbols: Readonly<Record<string, string | readonly string[]>>;
}

export interface Telling<L extends LabId> extends Omit<
  Lab<L>,
  "scene" | "strip" | "steps" | "formula" | "nodeWords" | "remarks"
> {
  /** Every tensor that may be drawn, in the order of the graph. */
  tensors(config: ConfigOf<L>, words: Words, snapshots: Snapshots): Tensor[];
  stops(config: ConfigOf<L>, words: Words, snapshots: Snapshots): Stop[];
  /** The lines of the stage; `of` gives a tensor by its node. */
  flow(config: ConfigOf<L>, snapshots: Snapshots, room: Room, of: (node: string) => Tensor): Flow;
  symbols(config: ConfigOf<L>): FormulaSymbols;
  /** Beside the notice of cells that are not numbers. */
  remarks?: Lab<L>["remarks"];
}

/** A cell by the names of its row and column. */
function placeNames(axes: NodeWords["axes"], index: readonly number[]): string {
  return index.flatMap((at, axis) => axes[axis]?.[at] ?? []).join(" · ");
}

export function told<L extends LabId>(telling: Telling<L>): Lab<L> {
  const { tensors, stops, flow, symbols, remarks, ...rest } = telling;
  const byNode = (config: ConfigOf<L>, words: Words, snapshots: Snapshots): ((node: string) => Tensor) => {
    const all = new Map(tensors(config, words, snapshots).map((tensor) => [tensor.node, tensor]));
    return (node) => {
      const found = all.get(node);
      if (!found) throw new Error(`${telling.id}: no tensor is called ${node}`);
      return found;
    };
  };
  const flowOf = (config: ConfigOf<L>, snapshots: Snapshots, room: Room): Flow =>
    flow(config, snapshots, room, byNode(config, room.words, snapshots));
  return {
    ...rest,
    scene: (config, snapshots, room): Scene => flowScene(room, flowOf(config, snapshots, room)),
    strip: (config, snapshots, room): Scene => flowStrip(room, flowOf(config, snapshots, room)),
    steps(config, words, snapshots) {
      const all = tensors(config, words, snapshots);
      return stops(config, words, snapshots).map((stop, at): Step => {
        const nodes = all.filter(({ step }) => step === at).map(({ node }) => node);
        // The tensor of the telling cell is swept.
        return {
          ...stop,
          nodes: nodes.sort((a, b) => Number(b === stop.cell.node) - Number(a === stop.cell.node)),
        };
      });
    },
    formula(config, words) {
      const { id, symbols: named } = symbols(config);
      const all = new Map(tensors(config, words, new Map()).map((tensor) => [tensor.node, tensor]));
      const parts = Object.entries(named).flatMap(([symbol, node]): FormulaPart[] => {
        const nodes = [node].flat();
        const tensor = all.get(nodes[0]!);
        if (!tensor) return [];
        const { name, role, rows, columns } = tensor;
        const { text, sub = "" } = tensor.symbol;
        const size = sizeWords([rows, columns], words);
        const label = words("labs.formula.part", { symbol: text + sub, name, size });
        return [{ symbol, nodes, ...(role === "activation" ? {} : { role }), label }];
      });
      return { id, parts };
    },
    nodeWords(config, node, words, snapshots): NodeWords {
      const tensor = tensors(config, words, snapshots).find((one) => one.node === node);
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
      const { symbol, role, name, single, axes, meaning, origin } = tensor;
      return {
        symbol,
        role,
        name,
        single,
        axes,
        meaning: meaning ?? ((index) => placeNames(axes, index)),
        ...(origin === undefined ? {} : { origin }),
      };
    },
    remarks(config, snapshots, words) {
      const nodes = tensors(config, words, snapshots).map(({ node }) => node);
      return [...(remarks?.(config, snapshots, words) ?? []), ...notNumbers(snapshots, nodes, words)];
    },
  };
}
