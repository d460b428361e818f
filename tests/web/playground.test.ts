// The state of an open lab: edits, undo, busy states, and the cell that links name.
import { expect, test } from "vitest";
import type { Client } from "../../web/page/client.js";
import type { Config, ConfigOf } from "../../web/config/config.js";
import { withView } from "../../web/page/open-lab.js";
import { Playground, type Change } from "../../web/page/playground.js";
import { wordsIn } from "../../web/i18n/words.js";
import { builds } from "../../web/labs/builds.js";
import { Session } from "../../web/session/worker/session.js";
import { configOf, core } from "./labs-sessions.js";

function openPlayground(config: Config = configOf<"attention">("four-words")): Playground {
  const session = new Session(core, builds);
  const client = {
    compute: (config: Parameters<Session["compute"]>[0]) => Promise.resolve(session.compute(config)),
    explain: (node: string, index: number[]) => Promise.resolve(session.explain(node, index)),
  } as unknown as Client;
  return new Playground(client, config, () => {});
}

const cell = { node: "W_Q", index: [0, 0] };

test("edits are undone and redone one by one, and the numbers follow", async () => {
  const playground = openPlayground();
  for (const value of [5, 6, 7]) playground.edit(cell, value);
  playground.undoEdit();
  playground.undoEdit();
  expect(playground.config.numbers.edits).toEqual([{ ...cell, value: 5 }]);
  playground.redoEdit();
  await playground.computing;
  expect(playground.snapshots.get("W_Q")!.data[0]).toBe(6);
});

test("the last two hundred edits are undone one by one, then the remaining edits of the Config", () => {
  const playground = openPlayground();
  for (let value = 1; value <= 1000; value++) playground.edit(cell, value);
  for (let turn = 0; turn < 200; turn++) playground.undoEdit();
  expect(playground.config.numbers.edits).toEqual([{ ...cell, value: 800 }]);
  expect(playground.canUndo).toBe(true);
  playground.undoEdit();
  expect(playground.config.numbers.edits).toEqual([]);
  expect(playground.canUndo).toBe(false);
  for (let turn = 0; turn < 201; turn++) playground.redoEdit();
  expect(playground.config.numbers.edits).toEqual([{ ...cell, value: 1000 }]);
});

test("a drag is one step to undo, with the target that it moved; an edit leaves the target", async () => {
  const playground = openPlayground(configOf<"scaling">("seven-widths"));
  const words = wordsIn("en");
  const width = (): number | undefined => (playground.config as ConfigOf<"scaling">).numbers.width;
  const widest = { node: "weights", index: [6, 0, 0, 0] };
  const dragged = { node: "weights", index: [4, 0, 0, 5] };
  await playground.computing;
  playground.target(widest);
  playground.beginStep(true);
  for (const value of ["40", "30", "23"]) {
    playground.change("width", value, words, true);
    playground.target(dragged);
  }
  playground.beginStep(true);
  playground.change("width", "64", words, true);
  playground.target({ node: "weights", index: [5, 0, 0, 4] });
  expect(width()).toBe(64);
  expect(playground.canUndoReset).toBe(false);

  playground.undoEdit();
  expect([width(), playground.cell]).toEqual([23, dragged]);
  playground.undoEdit();
  expect([width(), playground.cell]).toEqual([undefined, widest]);
  expect(playground.canUndo).toBe(false);
  playground.redoEdit();
  expect([width(), playground.cell]).toEqual([23, dragged]);

  playground.beginStep(false);
  playground.editAll([{ node: "Q", index: [0, 0, 0], value: 1 }], true);
  playground.editAll([{ node: "Q", index: [0, 0, 0], value: 2 }], true);
  playground.target(widest);
  playground.undoEdit();
  expect([playground.edits, playground.cell]).toEqual([0, widest]);
  expect(width()).toBe(23);
});

/** A playground whose computations end, or fail, when the test decides it. */
function delayedPlayground(): {
  playground: Playground;
  answers: (() => void)[];
  failing: { next: boolean };
  /** The kinds of change that were reported. */
  changes: Change[];
} {
  const session = new Session(core, builds);
  const answers: (() => void)[] = [];
  const changes: Change[] = [];
  const failing = { next: false };
  const client = {
    compute: (config: Parameters<Session["compute"]>[0]) =>
      new Promise((resolve, reject) =>
        failing.next
          ? reject(new Error("unreachable"))
          : answers.push(() => resolve(session.compute(config))),
      ),
    explain: (node: string, index: number[]) => Promise.resolve(session.explain(node, index)),
  } as unknown as Client;
  return {
    playground: new Playground(client, configOf<"attention">("four-words"), (kind) => changes.push(kind)),
    answers,
    failing,
    changes,
  };
}

const linked = (index: number[]): Config =>
  withView(configOf<"attention">("four-words"), { cell: { node: "weights", index } });

test("a missing cell is never in a link, not even after undoing a change that could not be computed", async () => {
  const { playground, answers, failing } = delayedPlayground();
  await playground.open(linked([9, 9]));
  answers.shift()!();
  await playground.computing;
  const there = { node: "weights", index: [3, 3] };
  expect([playground.cell, playground.config.view.cell]).toEqual([there, there]);
  failing.next = true;
  playground.edit(cell, 5);
  await playground.computing;
  expect(playground.trouble?.kind).toBe("died");
  playground.setView({ lang: "zh-CN" });
  failing.next = false;
  playground.revert();
  expect(playground.config.view).toMatchObject({ cell: there, lang: "zh-CN" });
  expect(playground.config.numbers.edits).toEqual([]);
});

test("a playground is behind from a change until its own answer, whatever earlier answers come, and not after an undo", async () => {
  const { playground, answers } = delayedPlayground();
  await playground.open(linked([3, 3]));
  expect(playground.isBehind).toBe(true);
  answers.shift()!();
  await playground.computing;
  expect(playground.isBehind).toBe(false);
  playground.edit(cell, 5);
  const first = playground.computing;
  playground.edit(cell, 6);
  answers.shift()!();
  await first;
  expect(playground.isBehind).toBe(true);
  answers.shift()!();
  await playground.computing;
  expect(playground.isBehind).toBe(false);
  playground.edit(cell, 7);
  expect(playground.isBehind).toBe(true);
  playground.undoEdit();
  expect(playground.isBehind).toBe(false);
});

test("a link that was written before the answer is written again if the answer moves the cell, and only then", async () => {
  const { playground, answers, changes } = delayedPlayground();
  await playground.open(linked([3, 3]));
  answers.shift()!();
  await playground.computing;
  expect(changes).not.toContain("view");
  const { numbers } = playground.config as ConfigOf<"attention">;
  playground.setNumbers({ ...numbers, tokens: ["one"], x: null, source: "words" });
  answers.shift()!();
  await playground.computing;
  expect(changes.filter((kind) => kind === "view")).toEqual(["view"]);
  expect(playground.config.view.cell).toEqual({ node: "weights", index: [0, 0] });
});

test("with two changes at once, the requested cell is looked up in the numbers of the second", async () => {
  const { playground, answers } = delayedPlayground();
  await playground.open(linked([3, 3]));
  answers.shift()!();
  await playground.computing;
  const { numbers } = playground.config as ConfigOf<"attention">;
  playground.setNumbers({ ...numbers, tokens: ["one"], x: null, source: "words" });
  const first = playground.computing;
  playground.setNumbers(numbers);
  answers.shift()!();
  await first;
  expect(playground.cell).toEqual({ node: "weights", index: [0, 0] });
  answers.shift()!();
  await playground.computing;
  const there = { node: "weights", index: [3, 3] };
  expect([playground.cell, playground.config.view.cell]).toEqual([there, there]);
});

test("the playground is busy while numbers or an explanation are awaited, and not once they have failed", async () => {
  const { playground, answers, failing, changes } = delayedPlayground();
  expect(playground.isBusy).toBe(false);
  await playground.open(linked([3, 3]));
  expect(playground.isBusy).toBe(true);
  answers.shift()!();
  await playground.computing;
  await playground.ask();
  expect([playground.explanation?.index, playground.isBusy]).toEqual([[3, 3], false]);
  playground.target({ node: "weights", index: [0, 0] });
  expect(playground.isBusy).toBe(true);
  await playground.ask();
  expect([playground.explanation?.index, playground.isBusy]).toEqual([[0, 0], false]);
  failing.next = true;
  playground.edit(cell, 5);
  expect(playground.isBusy).toBe(true);
  await playground.computing;
  await playground.ask();
  expect(playground.isBusy).toBe(false);
  // Listeners are called once more when it is no longer busy.
  expect(changes.at(-1)).toBe("state");
});

test("Play is at the stop of a link until the numbers change; an unknown stop leaves everything drawn", async () => {
  const playground = openPlayground();
  const config = withView(configOf<"attention">("four-words"), { stop: "softmax" });
  await playground.open(config);
  expect(playground.state.view.stop).toBe("softmax");
  await playground.computing;
  expect(playground.progress).toMatchObject({ id: "softmax", sweep: null });
  expect(playground.cell?.node).toBe("weights");
  expect(playground.state.view.stop).toBe("softmax");
  playground.edit(cell, 5);
  expect(playground.state.view.stop).toBeUndefined();
  await playground.open(withView(config, { stop: "later" }));
  await playground.computing;
  expect([playground.progress, playground.state.view.stop]).toEqual([null, undefined]);
});

test("the numbers before the last change are kept; successive values of one control are one change", () => {
  const playground = openPlayground();
  const words = wordsIn("en");
  const first = playground.config.numbers;
  expect(playground.previous).toBeNull();
  playground.change("seed", "7", words);
  playground.change("seed", "8", words);
  expect(playground.previous).toBe(first);
  const second = playground.config.numbers;
  playground.edit(cell, 5);
  expect(playground.previous).toBe(second);
  playground.edit(cell, 6);
  expect(playground.previous?.edits).toEqual([{ ...cell, value: 5 }]);
});

test("numbers computed for another Config belong to that Config, and the displayed graph stays", () => {
  const session = new Session(core, builds);
  const shown = configOf<"attention">("four-words");
  const other = configOf<"attention">("three-tokens");
  session.compute(shown);
  const { value } = session.explain("weights", [0, 2]);
  const apart = session.computeSeparately(other);
  const alone = new Session(core, builds).compute(other).snapshots;
  expect(apart.map(({ name, data }) => [name, [...data]])).toEqual(
    alone.map(({ name, data }) => [name, [...data]]),
  );
  expect(session.explain("weights", [0, 2]).value).toBe(value);
});
