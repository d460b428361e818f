// The fields of a frame: the parts beside the numbers, and the tensors shown.
import { describe, expect, test } from "vitest";
import { embedParts, frameFields, partsOf, tensorsOf, uiOf } from "../../web/config/frame-fields.js";

describe("a frame's hash", () => {
  test.each([
    ["", { ui: null, focus: null, link: "" }],
    ["v=1&seed=5", { ui: null, focus: null, link: "v=1&seed=5" }],
    [
      "ui=none&v=1&theme=auto&c&seed=5&c=abcdefg",
      { ui: "none", focus: null, link: "v=1&c&seed=5&c=abcdefg" },
    ],
    ["v=1&UI=full&focus=weights%2Coutput", { ui: "full", focus: "weights,output", link: "v=1" }],
    ["v=1&amp;ui=none&#38;focus=weights&#x26;seed=5", { ui: "none", focus: "weights", link: "v=1&seed=5" }],
    ["v=1&theme=dark&ui", { ui: "", focus: null, link: "v=1&theme=dark" }],
  ])("%s", (hash, fields) => {
    expect(frameFields(hash)).toEqual(fields);
  });
});

test("parts by name, by list, and the usual ones", () => {
  const parts = (ui: string | null): string[] => [...partsOf(ui)];
  expect(parts(null)).toEqual(["settings", "play", "sum"]);
  expect(parts("")).toEqual(parts(null));
  expect(parts("none")).toEqual([]);
  expect(parts("Minimal")).toEqual(["play", "sum"]);
  expect(parts("full")).toEqual(embedParts);
  expect(parts("formula, sum,nothing of ours")).toEqual(["formula", "sum"]);
});

test("the shortest text of some parts leads back to them", () => {
  for (let chosen = 0; chosen < 1 << embedParts.length; chosen++) {
    const parts = new Set(embedParts.filter((_part, place) => chosen & (1 << place)));
    const ui = uiOf(parts);
    expect(new Set(partsOf(ui)), ui).toEqual(parts);
  }
  expect(uiOf(new Set(["settings", "play", "sum"]))).toBe("");
  expect(uiOf(new Set())).toBe("none");
});

test("tensors by name", () => {
  expect(tensorsOf(null)).toEqual([]);
  expect(tensorsOf(" weights,,output ")).toEqual(["weights", "output"]);
});
