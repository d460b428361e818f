// The state of an open lab: what can be undone, and how much of it is kept.
import { expect, test } from "vitest";
import type { Client } from "../../web/page/client.js";
import { Playground } from "../../web/page/playground.js";
import { builds } from "../../web/labs/builds.js";
import { Session } from "../../web/labs/session.js";
import { configOf, core } from "./labs-sessions.js";

function opened(): Playground {
  const session = new Session(core, builds);
  const client = {
    compute: (config: Parameters<Session["compute"]>[0]) => Promise.resolve(session.compute(config)),
    explain: (node: string, index: number[]) => Promise.resolve(session.explain(node, index)),
  } as unknown as Client;
  return new Playground(client, configOf<"attention">("four-words"), () => {});
}

const cell = { node: "W_Q", index: [0, 0] };

test("edits are undone and done again one by one, and the numbers follow", async () => {
  const playground = opened();
  for (const value of [5, 6, 7]) playground.edit(cell, value);
  playground.undoEdit();
  playground.undoEdit();
  expect(playground.config.numbers.edits).toEqual([{ ...cell, value: 5 }]);
  playground.redoEdit();
  await playground.computing;
  expect(playground.snapshots.get("W_Q")!.data[0]).toBe(6);
});

test("of very many edits the last two hundred are undone one by one, then the cells that are still edited", () => {
  const playground = opened();
  for (let value = 1; value <= 1000; value++) playground.edit(cell, value);
  for (let turn = 0; turn < 200; turn++) playground.undoEdit();
  expect(playground.config.numbers.edits).toEqual([{ ...cell, value: 800 }]);
  expect(playground.undoable).toBe(true);
  playground.undoEdit();
  expect(playground.config.numbers.edits).toEqual([]);
  expect(playground.undoable).toBe(false);
  for (let turn = 0; turn < 201; turn++) playground.redoEdit();
  expect(playground.config.numbers.edits).toEqual([{ ...cell, value: 1000 }]);
});
