/** The worker's side of a lab: builds the graph of a Config, or applies a new Config as edits of the present graph. */
import type { Config, Edit, LabId, NumbersOf } from "../../config/config.js";
import { isCellOf } from "../../config/cells.js";
import type { CellBlock, Graph } from "../../core/attention.js";
import type { Core } from "../../core/core.js";
import { blocksAround } from "../../core/reading.js";
import { isRefusal } from "../../core/refusal.js";
import { sameIndexIn } from "../../marks/lighting.js";
import { placeOf } from "../../marks/plane.js";
import type { Snapshot } from "../../marks/scene.js";
import type { Before, Computed, Explained, UsedIn } from "../messages.js";
import { differences } from "./difference.js";

/** The most bytes that one graph may hold. */
const MAX_BYTES = 128 * 1024 * 1024;

const cellOf = ({ node, index }: Edit): string => `${node}[${index.join()}]`;

/** The edits by cell; if a cell has two edits, the later one counts. */
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

/** Sets several cells of a leaf at once, so that the nodes that depend on it are evaluated once; returns their names. Throws for cells that do not exist. */
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

/** Whether two Configs have the same numbers except for the edits. A setting may be in one of them alone. */
function sameButEdits(a: Config, b: Config): boolean {
  if (a.view.lab !== b.view.lab) return false;
  const before: Record<string, unknown> = { ...a.numbers, edits: null };
  const after: Record<string, unknown> = { ...b.numbers, edits: null };
  return Object.keys({ ...before, ...after }).every(
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

/** The graph shows a moment on the way to the settings, and is built again at the next request. Only shown nodes are sent with their numbers. */
export interface Unfinished {
  isShown(node: string): boolean;
}

/** Copies of the shown nodes; of the others all but their numbers. */
function snapshotsOfShown(graph: Graph, { isShown }: Unfinished): Snapshot[] {
  const named = graph.describe().filter(({ name }) => !name.startsWith("#"));
  const shown = graph.snapshot(named.flatMap(({ name }) => (isShown(name) ? [name] : [])));
  const withNumbers = new Map(shown.map((snapshot) => [snapshot.name, snapshot]));
  return named.map(
    ({ name, op, inputs, shape }) =>
      withNumbers.get(name) ?? { name, op, inputs, shape, data: new Float64Array(0), edited: [] },
  );
}

/**
 * What a build returns. A function adds nodes after the edits: leaves that hold gradients of the graph; such a graph is built again at every
 * edit.
 */
type Built = void | (() => void) | Unfinished;

/** Builds the graph of each lab from its numbers. Scenes, links and edits refer to nodes by the names given here. */
export type Builds<C extends Core> = {
  readonly [L in LabId]?: (core: C, graph: ReturnType<C["graph"]>, numbers: NumbersOf[L]) => Built;
};

export class Session<C extends Core = Core> {
  protected readonly core: C;
  /** Counts builds and edits, so that anything derived from the graph can tell whether it is out of date. */
  protected changes = 0;
  readonly #builds: Builds<C>;
  #graph: ReturnType<C["graph"]> | null = null;
  #config: Config | null = null;
  /** Whether the graph has leaves that hold gradients, which an edit does not compute again. */
  #holdsGradients = false;
  /** Whether the graph shows a moment on the way to the numbers of the Config. */
  #isUnfinished = false;
  /** Whether the graph has changed since the page last received it. */
  #hasUnsentChanges = false;

  constructor(core: C, builds: Builds<C>) {
    this.core = core;
    this.#builds = builds;
  }

  /**
   * Computes a Config; with `whole`, the answer holds every node, changed or not. The answer to a refused Config has `error`, and the last
   * graph stays; a trap of the core is thrown.
   */
  compute(config: Config, whole = false): Computed {
    const start = performance.now();
    try {
      const { made, all } = this.#make(config);
      const sendsAll = all || whole || this.#hasUnsentChanges;
      this.#hasUnsentChanges = false;
      return {
        snapshots: sendsAll && !all ? snapshots(this.#graph!, null) : made,
        all: sendsAll,
        milliseconds: performance.now() - start,
        ...(this.#isUnfinished && { isUnfinished: true }),
      };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return {
        snapshots: [],
        all: false,
        milliseconds: performance.now() - start,
        error: error.message,
      };
    }
  }

  /** Computes every node of another Config without replacing the last graph. Throws Error if the Config is refused. */
  computeSeparately(config: Config): Snapshot[] {
    const other = new Session(this.core, this.#builds);
    try {
      for (;;) {
        const { snapshots: made, error, isUnfinished } = other.compute(config);
        if (error !== undefined) throw new Error(error);
        if (!isUnfinished) return made;
      }
    } finally {
      other.delete();
    }
  }

  /** How a cell of the last graph was computed, and the cells computed from it; with `full`, long rows hold all their terms. */
  explain(node: string, index: number[], full = false): Explained {
    const graph = this.graph("explain");
    const uses = blocksAround(graph.uses(node, index).filter((block) => !block.node.startsWith("#")));
    return { ...graph.explain(node, index, { full }), uses: uses.map((block) => this.usedIn(block, index)) };
  }

  /** Of a block of cells that use a cell, the one at the same index where possible, with its number. */
  protected usedIn(block: CellBlock, of: readonly number[]): UsedIn {
    const index = sameIndexIn(block, of);
    const { shape, data } = this.graph("explain").value(block.node);
    return { ...block, index, value: data[placeOf(shape, index)]! };
  }

  /** The present numbers minus `before`, for every node with an unchanged shape. */
  difference(before: readonly Before[]): Snapshot[] {
    return differences(this.core, this.graph("difference"), before);
  }

  /** The last graph. Throws Error if there is none. */
  protected graph(operation: string): ReturnType<C["graph"]> {
    if (!this.#graph) throw new Error(`${operation}: nothing is computed yet`);
    return this.#graph;
  }

  delete(): void {
    this.#graph?.delete();
    this.#graph = null;
    this.#config = null;
  }

  /** The graph of a Config; built again if the last graph belongs to another Config. Throws Error if the Config is refused. */
  protected about(config: Config): ReturnType<C["graph"]> {
    // What is asked about a moment on the way is about the numbers that the page shows.
    if (this.#isUnfinished && sameButEdits(this.#config!, config)) return this.#graph!;
    if (this.#make(config).made.length > 0) this.#hasUnsentChanges = true;
    return this.#graph!;
  }

  #make(config: Config): { made: Snapshot[]; all: boolean } {
    const last = this.#config;
    const all =
      !this.#graph ||
      !last ||
      this.#isUnfinished ||
      !sameButEdits(last, config) ||
      (this.#holdsGradients && JSON.stringify(last.numbers.edits) !== JSON.stringify(config.numbers.edits));
    const made = all ? this.#build(config) : this.#edit(config);
    this.#config = config;
    if (made.length > 0) this.changes += 1;
    return { made, all };
  }

  #build(config: Config): Snapshot[] {
    const { lab } = config.view;
    // A Config holds the numbers of its own lab.
    const build = this.#builds[lab] as
      ((core: C, graph: ReturnType<C["graph"]>, numbers: Config["numbers"]) => Built) | undefined;
    if (!build) throw new Error(`compute: the lab is "${lab}", expected one of this part of the core`);
    const graph = this.core.graph({
      observe: true,
      precision: "float64",
      maxBytes: MAX_BYTES,
    }) as ReturnType<C["graph"]>;
    try {
      const built = build(this.core, graph, config.numbers);
      const addGradients = typeof built === "function" ? built : undefined;
      for (const [node, edits] of byLeaf(byCell(config.numbers.edits).values())) apply(graph, node, edits);
      addGradients?.();
      const unfinished = typeof built === "object" ? built : null;
      const made = unfinished ? snapshotsOfShown(graph, unfinished) : snapshots(graph, null);
      this.#holdsGradients = addGradients !== undefined;
      this.#isUnfinished = unfinished !== null;
      this.#graph?.delete();
      this.#graph = graph;
      return made;
    } catch (error) {
      graph.delete();
      throw error;
    }
  }

  /** Applies the edits in which this Config differs from the last one, and returns copies of the nodes that were evaluated again. */
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
      // A leaf that was reset has lost all its edits.
      const asked = [...after.values()].filter((edit) => gone.has(edit.node) || !same(edit, before));
      for (const [node, edits] of byLeaf(asked)) note(node, apply(graph, node, edits));
    } catch (error) {
      // Some edits may already be applied. The page shows the numbers of the last Config, so the graph is rebuilt from it.
      this.#build(last);
      this.changes += 1;
      throw error;
    }
    return snapshots(graph, changed);
  }
}
