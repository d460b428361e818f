/** Repeated layers of a graph: parts whose names differ in one number alone and whose steps are the same; one of them is open. */
import { grouped, type GraphNode, type GraphNodes } from "./nodes.js";

/** "encoder.layers" with its numbers 0 to 5. */
export interface Repetition {
  path: string;
  numbers: readonly number[];
  /** What leaves each of the layers, by its number. */
  results: ReadonlyMap<number, GraphNode>;
}

/** The number of the open layer of each repetition. */
export type Opened = (repetition: Repetition) => number;

/** The numbers in a path, each with what stands before and after it: "layers.2.norm1" is 2 of "layers". */
function numbersIn(name: string): { path: string; number: number; rest: string }[] {
  const parts = name.split(".");
  return parts.flatMap((part, at) =>
    at > 0 && at < parts.length - 1 && /^\d+$/.test(part)
      ? [{ path: parts.slice(0, at).join("."), number: Number(part), rest: parts.slice(at + 1).join(".") }]
      : [],
  );
}

export class Folding {
  readonly repetitions: readonly Repetition[];
  readonly #within = new Map<string, { repetition: Repetition; number: number }[]>();

  constructor(nodes: GraphNodes) {
    const layers = new Map<string, Map<number, { steps: string[]; nodes: GraphNode[] }>>();
    for (const node of nodes.all) {
      for (const { path, number, rest } of numbersIn(node.name)) {
        const alike = layers.get(path) ?? new Map<number, { steps: string[]; nodes: GraphNode[] }>();
        const layer = alike.get(number) ?? { steps: [], nodes: [] };
        layer.steps.push(`${rest} ${node.op}`);
        layer.nodes.push(node);
        layers.set(path, alike.set(number, layer));
      }
    }
    this.repetitions = [...layers].flatMap(([path, all]) => {
      const bySteps = grouped(all, ([, { steps }]) => steps.join());
      return [...bySteps.values()]
        .filter((alike) => alike.length > 1 && alike[0]![1].nodes.some(({ op }) => op !== "leaf"))
        .map((alike) => ({
          path,
          numbers: alike.map(([number]) => number).sort((a, b) => a - b),
          results: new Map(alike.map(([number, layer]) => [number, resultOf(layer.nodes, nodes)])),
        }));
    });
    const byPath = grouped(this.repetitions, ({ path }) => path);
    for (const { name } of nodes.all) {
      const within = numbersIn(name).flatMap(({ path, number }) =>
        (byPath.get(path) ?? [])
          .filter(({ numbers }) => numbers.includes(number))
          .map((repetition) => ({ repetition, number })),
      );
      if (within.length > 0) this.#within.set(name, within);
    }
  }

  /** The layers that a node is in, the outermost first. */
  layersOf({ name }: GraphNode): readonly { repetition: Repetition; number: number }[] {
    return this.#within.get(name) ?? [];
  }

  isOpen(node: GraphNode, opened: Opened): boolean {
    return this.layersOf(node).every(({ repetition, number }) => opened(repetition) === number);
  }

  /** Whether two nodes are in the same layers. */
  together(a: GraphNode, b: GraphNode): boolean {
    const [some, others] = [this.layersOf(a), this.layersOf(b)];
    return (
      some.length === others.length &&
      some.every(
        ({ repetition, number }, at) =>
          others[at]!.repetition === repetition && others[at]!.number === number,
      )
    );
  }
}

/** The last node of a layer that is read outside of it, or by none. */
function resultOf(layer: readonly GraphNode[], nodes: GraphNodes): GraphNode {
  const inside = new Set(layer);
  const computed = layer.filter(({ op }) => op !== "leaf");
  const leaves = (node: GraphNode): boolean => {
    const users = nodes.usersOf(node);
    return users.length === 0 || users.some((user) => !inside.has(user));
  };
  return computed.findLast(leaves) ?? computed.at(-1)!;
}
