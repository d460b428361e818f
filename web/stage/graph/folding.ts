/**
 * Finds the repeated parts of a graph: layers ("layers.2.norm1", "step_2.logits") and the steps of a recurrence ("hidden_2").
 * Parts repeat if they have the same operations under the same names except for one number. One part is open; the others are
 * folded.
 */
import { groupBy, type GraphNode, type GraphNodes } from "./nodes.js";

export interface Repetition {
  /** "layer": the number is a part of the path. "step": the number is at the end of the node's name. */
  kind: "layer" | "step";
  /** The path that the names of its nodes begin with: "encoder.layers". */
  path: string;
  /** The path of layers: "encoder.layers". For steps, the name of their results without the number: "hidden". */
  name: string;
  numbers: readonly number[];
  /** For each part, by its number, the node that the rest of the graph reads. */
  results: ReadonlyMap<number, GraphNode>;
}

/** Returns the number of the open part of a repetition. */
export type OpenPartOf = (repetition: Repetition) => number;

/** A number in the name of a node that may be the number of a part. */
interface NumberInName {
  kind: Repetition["kind"];
  path: string;
  number: number;
  /** The rest of the node's name, which is the same in all parts: "norm1", "hidden". */
  rest: string;
  /** The first and the last place of the digits in the name. */
  from: number;
  to: number;
}

/** Fewer steps are not a repetition: a block has "norm_1" and "norm_2". */
const LEAST_STEPS = 3;

function numbersIn(name: string): NumberInName[] {
  const parts = name.split(".");
  let start = 0;
  return parts.flatMap((part, at): NumberInName[] => {
    const end = start + part.length;
    start = end + 1;
    const [, stem = "", digits] = /^(?:(.+)_)?(\d+)$/.exec(part) ?? [];
    if (digits === undefined) return [];
    const before = parts.slice(0, at);
    const isLast = at === parts.length - 1;
    const path = (isLast || !stem ? before : [...before, stem]).join(".");
    const rest = isLast ? stem : parts.slice(at + 1).join(".");
    if (!rest || (!path && !isLast)) return [];
    const kind = isLast ? "step" : "layer";
    return [{ kind, path, number: Number(digits), rest, from: end - digits.length, to: end }];
  });
}

interface Part {
  signature: string[];
  nodes: GraphNode[];
}

type NumberedPart = NumberInName & { repetition: Repetition };

export class Folding {
  readonly repetitions: readonly Repetition[];
  readonly #partsByName = new Map<string, readonly NumberedPart[]>();

  constructor(nodes: GraphNodes) {
    const numbered = new Map(nodes.all.map(({ name }) => [name, numbersIn(name)]));
    const keyOf = ({ kind, path }: Pick<Repetition, "kind" | "path">): string => `${kind} ${path}`;
    const found = new Map<string, Pick<Repetition, "kind" | "path"> & { parts: Map<number, Part> }>();
    for (const node of nodes.all) {
      for (const one of numbered.get(node.name)!) {
        const { kind, path } = one;
        const parts = found.get(keyOf(one))?.parts ?? new Map<number, Part>();
        const part = parts.get(one.number) ?? { signature: [], nodes: [] };
        part.signature.push(`${one.rest} ${node.op}`);
        part.nodes.push(node);
        found.set(keyOf(one), { kind, path, parts: parts.set(one.number, part) });
      }
    }
    this.repetitions = [...found.values()].flatMap(({ kind, path, parts: all }) => {
      const alike = groupBy(all, ([, { signature }]) => signature.join());
      return [...alike.values()].flatMap((parts): Repetition[] => {
        parts.sort(([a], [b]) => a - b);
        const isRepeated =
          parts.length > 1 &&
          parts[0]![1].nodes.some(({ op }) => op !== "leaf") &&
          (kind === "layer" || isChain(parts));
        if (!isRepeated) return [];
        const results = new Map(parts.map(([number, part]) => [number, resultOf(part.nodes, nodes)]));
        const [first] = results.values();
        const name = kind === "layer" ? path : first!.name.replace(/_\d+$/, "");
        return [{ kind, path, name, numbers: parts.map(([number]) => number), results }];
      });
    });
    const byKey = groupBy(this.repetitions, keyOf);
    for (const [name, numbers] of numbered) {
      const within = numbers.flatMap((one) =>
        (byKey.get(keyOf(one)) ?? [])
          .filter(({ results }) => results.has(one.number))
          .map((repetition) => ({ ...one, repetition })),
      );
      if (within.length > 0) this.#partsByName.set(name, within);
    }
  }

  /** The parts that contain a node, the outermost first. */
  partsOf({ name }: GraphNode): readonly NumberedPart[] {
    return this.#partsByName.get(name) ?? [];
  }

  isOpen(node: GraphNode, openPartOf: OpenPartOf): boolean {
    return this.partsOf(node).every(({ repetition, number }) => openPartOf(repetition) === number);
  }

  /** Whether two nodes belong to the same parts. */
  areInSameParts(a: GraphNode, b: GraphNode): boolean {
    const [some, others] = [this.partsOf(a), this.partsOf(b)];
    return (
      some.length === others.length &&
      some.every(
        ({ repetition, number }, at) =>
          others[at]!.repetition === repetition && others[at]!.number === number,
      )
    );
  }

  /** The name of the corresponding node in the first part of each repetition. */
  nameInFirst(node: GraphNode): string {
    return this.partsOf(node).reduceRight(
      (name, { repetition, from, to }) =>
        name.slice(0, from) + String(repetition.numbers[0]) + name.slice(to),
      node.name,
    );
  }
}

/** Whether each part reads the part before it, as the steps of a recurrence do. */
const isChain = (parts: readonly [number, Part][]): boolean =>
  parts.length >= LEAST_STEPS &&
  parts.slice(1).every(([, { nodes }], at) => {
    const before = new Set(parts[at]![1].nodes.map(({ name }) => name));
    return nodes.some(({ inputs }) => inputs.some((input) => before.has(input)));
  });

/** The last computed node of a part that is read outside the part or by no node. */
function resultOf(part: readonly GraphNode[], nodes: GraphNodes): GraphNode {
  const inside = new Set(part);
  const computed = part.filter(({ op }) => op !== "leaf");
  const isReadOutside = (node: GraphNode): boolean => {
    const users = nodes.usersOf(node);
    return users.length === 0 || users.some((user) => !inside.has(user));
  };
  return computed.findLast(isReadOutside) ?? computed.at(-1)!;
}
