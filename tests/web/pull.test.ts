// Pulling a number: units of a drag and of keys, one step to undo, the hint that appears once.
import { expect, test, vi } from "vitest";
import { changeOf, numberAfter, unitOf } from "../../web/marks/pull.js";
import type { Board, Cell } from "../../web/marks/board.js";
import { StagePull } from "../../web/elements/stage/pull.js";
import type { Playground } from "../../web/page/playground.js";
import { PullHint } from "../../web/page/pull-hint.js";

test("a drag counts tenths, hundredths with Shift and wholes with Alt; so do keys", () => {
  const keys = { shiftKey: false, altKey: false };
  expect([unitOf(keys), unitOf({ ...keys, shiftKey: true }), unitOf({ ...keys, altKey: true })]).toEqual([
    0.1, 0.01, 1,
  ]);
  expect(
    ["ArrowUp", "ArrowDown", "ArrowRight", "ArrowLeft", "PageUp", "PageDown", "Home"].map(changeOf),
  ).toEqual([0.1, -0.1, 0.01, -0.01, 1, -1, null]);
});

test("numbers have no noise of binary fractions, and the way back ends at exactly the number it began at", () => {
  expect(numberAfter(2, -28, 0.1)).toBe(-0.8);
  expect(numberAfter(0.3, -3, 0.1)).toBe(0);
  expect(Object.is(numberAfter(-0.1, 1, 0.1), 0)).toBe(true);
  expect(numberAfter(0.1, 1, 0.2)).toBe(0.3);
  expect(numberAfter(0.4967141530112327, 0, 0.1)).toBe(0.4967141530112327);
  expect(numberAfter(0.4967141530112327, 1, 0.1)).toBe(0.596714153011);
});

/** A stage with one cell that can be changed, and the values that were reported. */
function pulling(value = 2) {
  const cell: Cell = { node: "W", index: [0, 0] };
  const seen: [number, boolean][] = [];
  const host = {
    isBehind: false,
    editableAt: (board: Board) => (board.id === "W" ? { cell, value } : null),
    pull: (_cell: Cell, next: number, isFirst: boolean) => void seen.push([next, isFirst]),
    requestUpdate: () => undefined,
  };
  const pull = new StagePull(host);
  const board = (id: string): Board => ({ id }) as Board;
  const move = (clientX: number, keys = {}): void =>
    pull.move({ clientX, shiftKey: false, altKey: false, ...keys });
  return { pull, host, seen, board, move };
}

test("every 3 pixels are a unit, and only the first value begins a step to undo", () => {
  const { pull, seen, board, move } = pulling();
  expect(pull.hold(board("S"), [0, 0], 100)).toBe(false);
  move(130);
  expect(seen).toEqual([]);
  expect(pull.hold(board("W"), [0, 0], 100)).toBe(true);
  for (const x of [101, 103, 104, 70, 100]) move(x);
  expect(seen).toEqual([
    [2.1, true],
    [1, false],
    [2, false],
  ]);
  pull.letGo();
  expect(pull.isHolding).toBe(false);
  move(200);
  expect(seen).toHaveLength(3);
});

test("another unit counts from where the number is", () => {
  const { pull, seen, board, move } = pulling();
  pull.hold(board("W"), [0, 0], 100);
  move(130);
  move(130, { shiftKey: true });
  move(133, { shiftKey: true });
  move(133, { altKey: true });
  move(139, { altKey: true });
  expect(seen.map(([value]) => value)).toEqual([3, 3.01, 5.01]);
});

test("keys go on from the last chosen number until its numbers are there, and from the drawn one after an undo", () => {
  const { pull, host, seen, board } = pulling();
  pull.step(board("W"), [0, 0], 0.1);
  host.isBehind = true;
  // The numbers of an earlier choice come first.
  pull.renew();
  pull.step(board("W"), [0, 0], 0.1);
  expect(seen).toEqual([
    [2.1, true],
    [2.2, true],
  ]);
  host.isBehind = false;
  pull.renew();
  pull.step(board("W"), [0, 0], -1);
  expect(seen.at(-1)).toEqual([1, true]);
});

test("the hint is shown until a number is changed or a stop is gone to, and this browser remembers it", () => {
  const stored = new Map<string, string>();
  const store = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: vi.fn((key: string, value: string) => void stored.set(key, value)),
  };
  const state = (example: string | null, edits: unknown[] = [], progress: unknown = null): Playground => {
    const config = { example, numbers: { edits } };
    return { config, computedConfig: config, progress } as unknown as Playground;
  };
  for (const act of [state(null, [1]), state("four-words", [], { step: 2 })]) {
    stored.clear();
    const hint = new PullHint(store);
    hint.follow(state("two-by-two"));
    expect(hint.cell).toBeNull();
    hint.follow(state("four-words"));
    expect(hint.cell).toEqual({ node: "W_Q", index: [0, 0] });
    // Another example hides it for now.
    hint.follow(state("two-by-two"));
    hint.follow(state("four-words"));
    expect(hint.cell).not.toBeNull();
    hint.follow(act);
    expect(hint.cell).toBeNull();
    for (const later of [hint, new PullHint(store)]) {
      later.follow(state("four-words"));
      expect(later.cell).toBeNull();
    }
  }
  const refusing = { getItem: () => { throw new Error("no"); }, setItem: () => { throw new Error("no"); } }; // prettier-ignore
  const hint = new PullHint(refusing);
  hint.follow(state("four-words"));
  hint.follow(state(null, [1]));
  hint.follow(state("four-words"));
  expect(hint.cell).toBeNull();
});
