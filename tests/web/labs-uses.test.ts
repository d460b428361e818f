// The cells that a session lists as computed from a cell: they exist, come later in the graph, and change with the cell.
import { describe, expect, test } from "vitest";
import type { Config } from "../../web/config/config.js";
import { examples } from "../../web/examples/index.js";
import { placeOf } from "../../web/marks/plane.js";
import { sameIndexIn } from "../../web/marks/lighting.js";
import type { Snapshot } from "../../web/marks/scene.js";
import { sessionOf } from "./labs-sessions.js";

/** Whether any number of the block differs. */
function moves(before: Snapshot, after: Snapshot, from: readonly number[], to: readonly number[]): boolean {
  const cells = from.reduce<number[][]>(
    (rows, first, axis) =>
      rows.flatMap((row) => Array.from({ length: to[axis]! - first + 1 }, (_, n) => [...row, first + n])),
    [[]],
  );
  return cells.some((index) => {
    const place = placeOf(before.shape, index);
    return !Object.is(before.data[place], after.data[place]);
  });
}

describe.each(examples.map(({ id, config }) => ({ id, config: config as Config })))(
  "$id",
  ({ id, config }) => {
    test("every cell that is computed from another exists, and its node comes later", () => {
      const session = sessionOf(config);
      const { snapshots } = session.compute(config);
      const place = new Map(snapshots.map(({ name }, at) => [name, at]));
      for (const { name, shape } of snapshots) {
        if (shape.includes(0)) continue;
        for (const index of [shape.map(() => 0), shape.map((size) => size - 1)]) {
          for (const use of session.explain(name, index).uses) {
            const there = snapshots[place.get(use.node) ?? -1];
            expect([name, use.node, there && place.get(use.node)! > place.get(name)!]).toEqual([
              name,
              use.node,
              true,
            ]);
            expect(use.from.length).toBe(there!.shape.length);
            expect(use.from.every((at, axis) => at >= 0 && at <= use.to[axis]!)).toBe(true);
            expect(use.to.every((at, axis) => at < there!.shape[axis]!)).toBe(true);
            expect(use.index).toEqual(sameIndexIn(use, index));
            expect(use.value).toBe(there!.data[placeOf(there!.shape, use.index)]);
          }
        }
      }
      session.delete();
    });

    test("changing a cell of a leaf changes the cells computed from it", () => {
      const session = sessionOf(config);
      const { snapshots } = session.compute(config);
      const before = new Map(snapshots.map((snapshot) => [snapshot.name, snapshot]));
      let still = 0;
      let moved = 0;
      for (const { name, op, shape, data } of snapshots) {
        if (op !== "leaf" || shape.includes(0)) continue;
        const edited = config.numbers.edits.find(({ node }) => node === name);
        const index = edited?.index ?? shape.map((size) => Math.floor(size / 2));
        const { uses } = session.explain(name, index);
        const value = data[placeOf(shape, index)]!;
        const edits = [...config.numbers.edits, { node: name, index, value: value + 0.37 }];
        const answer = session.compute({ ...config, numbers: { ...config.numbers, edits } } as Config);
        if (answer.error !== undefined) continue; // ids, masks and edges do not accept such a number
        const after = new Map(answer.snapshots.map((snapshot) => [snapshot.name, snapshot]));
        if (after.get(name)!.data[placeOf(shape, index)] === value) continue; // an id that dropped the fraction
        for (const { node, from, to } of uses) {
          const changed = after.get(node);
          expect([name, node, changed !== undefined]).toEqual([name, node, true]);
          // The counts of a histogram change only if a number is between the old edge and the new one.
          if (changed!.op === "histogram") continue;
          if (moves(before.get(node)!, changed!, from, to)) moved += 1;
          else still += 1;
        }
        session.compute(config);
      }
      session.delete();
      // A number that is hidden, multiplied by 0 or below a relu changes nothing; tests/cpp/uses_test.cpp says where that may be.
      // A product with one-hot rows multiplies each row of the table by 0 in all its rows but one.
      expect(moved).toBeGreaterThan(id === "ids-133-23-58" ? 0 : still);
    });
  },
);
