/** The worker's side of a lab: a Config becomes a graph; a new Config becomes a new graph, or edits of the one there is. */
import type { Config, Edit } from "../config/config.js";
import { isCellOf } from "../config/leaves.js";
import { exampleById, matchesPrinted } from "../examples/index.js";
import type { Core, Explanation, Graph, Tensor, TensorData } from "../core/attention.js";
import type { Snapshot } from "../marks/scene.js";
import { builds } from "./builds.js";
import { differences, type Before } from "./difference.js";

/** What a computation gave. */
export interface Computed {
  /** Copies of the nodes: every node, or those that changed since the last computation that was not refused. */
  snapshots: Snapshot[];
  all: boolean;
  milliseconds: number;
  /** Why the input was refused; the last result stays. */
  error?: string;
  /** How many of the numbers that the example's source prints came out so. */
  printed: { matched: number; total: number };
}

/** What a page may hold in one graph. */
const MAX_BYTES = 128 * 1024 * 1024;

const cellOf = ({ node, index }: Edit): string => `${node}[${index.join()}]`;

/** The edits by cell; of two edits of a cell the later one counts. */
function byCell(edits: readonly Edit[]): Map<string, Edit> {
  return new Map(edits.map((edit) => [cellOf(edit), edit]));
}

/** The edits of each leaf, in the order in which leaves are first named. */
function byLeaf(edits: Iterable<Edit>): Map<string, Edit[]> {
  const leaves = new Map<string, Edit[]>();
  for (const edit of edits) {
    const known = leaves.get(edit.node);
    if (known) known.push(edit);
    else leaves.set(edit.node, [edit]);
  }
  return leaves;
}

/** Sets cells of a leaf at once, so that what depends on it is evaluated once; gives back what was. Throws for cells that are not there. */
function apply(graph: Graph, node: string, edits: readonly Edit[]): string[] {
  const tensor = graph.value(node);
  for (const { index, value } of edits) {
    if (!isCellOf(tensor.shape, index))
      throw new Error(
        `edit: index is [${index.join(", ")}], expected a cell of ${node} of shape (${tensor.shape.join(", ")})`,
      );
    tensor.data[placeOf(tensor.shape, index)] = value;
  }
  return graph.set(node, tensor);
}

/** The place of a cell in row-major order. */
function placeOf(shape: readonly number[], index: readonly number[]): number {
  return index.reduce((place, at, axis) => place * shape[axis]! + at, 0);
}

/** Whether two Configs ask for the same numbers but for the edits. */
function sameButEdits(a: Config, b: Config): boolean {
  if (a.view.lab !== b.view.lab) return false;
  const before: Record<string, unknown> = { ...a.numbers, edits: null };
  const after: Record<string, unknown> = { ...b.numbers, edits: null };
  return Object.keys(after).every(
    (field) =>
      before[field] === after[field] || JSON.stringify(before[field]) === JSON.stringify(after[field]),
  );
}

/** Copies of the named nodes: all of them, or those of `names`. */
function snapshots(graph: Graph, names: ReadonlySet<string> | null): Snapshot[] {
  const wanted = graph
    .describe()
    .flatMap(({ name }) => (!name.startsWith("#") && (names?.has(name) ?? true) ? [name] : []));
  return graph.snapshot(wanted);
}

export class Session {
  readonly #core: Core;
  #graph: Graph | null = null;
  #config: Config | null = null;
  #printed = { matched: 0, total: 0 };

  constructor(core: Core) {
    this.#core = core;
  }

  /** Computes a Config. A refused one answers with `error` and leaves the last graph; a trap of the core is thrown. */
  compute(config: Config): Computed {
    const start = performance.now();
    try {
      const incremental = this.#graph !== null && this.#config !== null && sameButEdits(this.#config, config);
      const made = incremental ? this.#edit(config) : this.#build(config);
      this.#config = config;
      this.#printed = this.#compare(config);
      return {
        snapshots: made,
        all: !incremental,
        milliseconds: performance.now() - start,
        printed: this.#printed,
      };
    } catch (error) {
      if (!(error instanceof Error) || error instanceof WebAssembly.RuntimeError) throw error;
      return {
        snapshots: [],
        all: false,
        milliseconds: performance.now() - start,
        error: error.message,
        printed: this.#printed,
      };
    }
  }

  /** How a cell of the last computed graph was made; with `full`, long rows hold all their terms. */
  explain(node: string, index: number[], full = false): Explanation {
    const graph = this.#graph;
    if (!graph) throw new Error("explain: nothing is computed yet");
    return graph.explain(node, index, { full });
  }

  /** Now minus before of every node that has the shape it had. */
  difference(before: readonly Before[]): Snapshot[] {
    const graph = this.#graph;
    if (!graph) throw new Error("difference: nothing is computed yet");
    return differences(this.#core, graph, before);
  }

  delete(): void {
    this.#graph?.delete();
    this.#graph = null;
    this.#config = null;
  }

  #build(config: Config): Snapshot[] {
    const graph = this.#core.graph({ observe: true, precision: "float64", maxBytes: MAX_BYTES });
    try {
      // A Config holds the numbers of its own lab.
      const build = builds[config.view.lab] as (core: Core, graph: Graph, numbers: Config["numbers"]) => void;
      build(this.#core, graph, config.numbers);
      for (const [node, edits] of byLeaf(byCell(config.numbers.edits).values())) apply(graph, node, edits);
      const made = snapshots(graph, null);
      this.#graph?.delete();
      this.#graph = graph;
      return made;
    } catch (error) {
      graph.delete();
      throw error;
    }
  }

  /** Applies what differs between the edits of the last Config and of this one, and copies out what was evaluated again. */
  #edit(config: Config): Snapshot[] {
    const graph = this.#graph!;
    const last = this.#config!;
    const before = byCell(last.numbers.edits);
    const after = byCell(config.numbers.edits);
    const same = (edit: Edit, others: Map<string, Edit>) =>
      Object.is(others.get(cellOf(edit))?.value, edit.value);
    const gone = new Set([...before].filter(([cell]) => !after.has(cell)).map(([, { node }]) => node));
    const changed = new Set<string>();
    const note = (node: string, dependents: string[]) =>
      [node, ...dependents].forEach((name) => changed.add(name));
    try {
      for (const node of gone) note(node, graph.reset(node));
      // A leaf that was set back has lost all its edits.
      const asked = [...after.values()].filter((edit) => gone.has(edit.node) || !same(edit, before));
      for (const [node, edits] of byLeaf(asked)) note(node, apply(graph, node, edits));
    } catch (error) {
      // Some edits may have been taken: the numbers on the page are those of the last Config, so the graph is made so again.
      this.#build(last);
      throw error;
    }
    return snapshots(graph, changed);
  }

  /** Compares with the numbers that the source of an untouched example prints. */
  #compare(config: Config): Computed["printed"] {
    const printed = (config.example && exampleById(config.example)?.printed) || [];
    const values = new Map<string, Tensor<TensorData>>();
    let matched = 0;
    for (const { node, index, digits } of printed) {
      const tensor = values.get(node) ?? this.#graph!.value(node);
      values.set(node, tensor);
      if (matchesPrinted(tensor.data[placeOf(tensor.shape, index)]!, digits)) matched += 1;
    }
    return { matched, total: printed.length };
  }
}
