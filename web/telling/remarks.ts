/** Remarks about computed numbers: cells that are NaN or infinite, rows that may attend nothing. */
import type { Words } from "../i18n/words.js";
import type { Snapshot, Snapshots } from "../marks/scene.js";
import type { Remark } from "../marks/wording.js";

/** The index of a place in a flat array with a row-major shape. */
export function indexOf(shape: readonly number[], flat: number): number[] {
  const index: number[] = [];
  let rest = flat;
  for (let axis = shape.length - 1; axis >= 0; axis -= 1) {
    const size = shape[axis]!;
    index.unshift(rest % size);
    rest = Math.floor(rest / size);
  }
  return index;
}

function isMasking(snapshot: Snapshot, value: number): boolean {
  return value === -Infinity && /(^|\.)masked$/.test(snapshot.name);
}

/** A remark about NaN or infinite cells. It names the first tensor, in the order of `nodes`, that has one. */
export function nonFiniteRemarks(snapshots: Snapshots, nodes: readonly string[], words: Words): Remark[] {
  for (const node of nodes) {
    const snapshot = snapshots.get(node);
    if (!snapshot) continue;
    const { data } = snapshot;
    let count = 0;
    let first = -1;
    // A plain loop, because a run that trains sends a million numbers ten times a second.
    for (let place = 0; place < data.length; place++) {
      const value = data[place]!;
      if (Number.isFinite(value) || isMasking(snapshot, value)) continue;
      if (first < 0) first = place;
      count += 1;
    }
    if (count === 0) continue;
    const index = indexOf(snapshot.shape, first);
    return [
      {
        id: "not-a-number",
        title: count === 1 ? words("labs.remark.nan.one") : words("labs.remark.nan.many", { n: count }),
        body: words("labs.remark.nan.body", { address: `${node}[${index.join(", ")}]` }),
        actions: [{ label: words("labs.remark.nan.go"), cell: { node, index } }],
      },
    ];
  }
  return [];
}

/** The remark "Word 3 may look at nothing", about the first row that is wholly masked; it counts the other such rows. */
export function emptyRowRemark(
  empty: readonly number[],
  rows: readonly string[],
  keys: number,
  words: Words,
  indexOf: (row: number, column: number) => number[] = (row, column) => [row, column],
): Remark {
  const row = empty[0]!;
  const self = Math.min(row, keys - 1);
  return {
    id: "empty-row",
    title: words("labs.remark.empty.title", { word: capital(rows[row] ?? String(row)) }),
    body:
      empty.length === 1
        ? words("labs.remark.empty.body")
        : words("labs.remark.empty.more", { n: empty.length - 1 }),
    actions: [
      {
        label: words(self === row ? "labs.remark.empty.self" : "labs.remark.empty.one"),
        change: { control: "paint", value: `${row},${self},1` },
      },
      { label: words("labs.remark.empty.why"), cell: { node: "weights", index: indexOf(row, self) } },
    ],
  };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
