// Scenes made anew keep what came out equal; answers are kept while what they are made from is.
import { describe, expect, test } from "vitest";
import type { PlacedImage, PlacedTensor, Scene } from "../../web/marks/scene.js";
import { shared } from "../../web/marks/sharing.js";
import { Memo } from "../../web/page/memo.js";
import { fourWordsScene } from "../browser/fixtures/four-words.js";

describe("a scene made again", () => {
  const first = fourWordsScene(1312);

  test("is the same scene when nothing in it changed", () => {
    const again = fourWordsScene(1312);
    expect(again).not.toBe(first);
    expect(shared(first, again)).toBe(first);
  });

  test("keeps every part but the one that changed", () => {
    const again = fourWordsScene(1312);
    const tensors = again.tensors.map((tensor, at) => (at === 2 ? { ...tensor, at: [1, null] } : tensor));
    const next = shared(first, { ...again, tensors });
    expect(next).not.toBe(first);
    expect(next.tensors.map((tensor, at) => tensor === first.tensors[at])).toEqual(
      tensors.map((_, at) => at !== 2),
    );
    expect(next.tensors[2]!.at).toEqual([1, null]);
    expect(next.wires).toBe(first.wires);
    expect(next.legends).toBe(first.legends);
  });

  test("is another when a part is gone, or came", () => {
    const fewer: Scene = { ...first, labels: [] };
    const more: Scene = { ...first, labels: [...first.labels, { x: 0, y: 0, text: "one", kind: "axis" }] };
    expect(shared(first, fewer).labels).toEqual([]);
    expect(shared(first, more).labels).toHaveLength(first.labels.length + 1);
    expect(shared({ a: 1, b: 2 }, { a: 1 } as object)).toEqual({ a: 1 });
  });

  test("keeps a mask that is the same, and takes another", () => {
    const tensor = (column: number): Pick<PlacedTensor, "masked" | "at"> => ({
      at: [0, null],
      masked: [[false, column === 1, column === 2]],
    });
    const before = tensor(1);
    expect(shared(before, tensor(1))).toBe(before);
    expect(shared(before, tensor(2)).masked).toEqual([[false, false, true]]);
  });

  test("takes an image whose patches stand for other cells", () => {
    const image = (row: number): Pick<PlacedImage, "id" | "cells"> => ({
      id: "image",
      cells: [0, 1, 2].map((patch) => ({ node: "weights", index: [row, patch] })),
    });
    const before = image(0);
    expect(shared(before, image(0))).toBe(before);
    expect(shared(before, image(3)).cells[2]).toEqual({ node: "weights", index: [3, 2] });
  });
});

test("an answer is kept until something it was made from is another", () => {
  const kept = new Memo<string[]>();
  let made = 0;
  const ask = (...from: unknown[]): string[] => kept.of(from, (last) => [`${++made}`, ...(last ?? [])]);
  const list: unknown[] = [];
  const first = ask(1, list);
  expect(ask(1, list)).toBe(first);
  expect(ask(1, [])).toEqual(["2", "1"]);
  expect(ask(1)).toEqual(["3", "2", "1"]);
  expect(ask(NaN)).toBe(ask(NaN));
});
