// Selectors: every one that links hold is read, what is wrong with others is named, and slices are those of NumPy.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ConfigOf } from "../../web/config/config.js";
import { decode } from "../../web/config/decode.js";
import {
  isProblem,
  nearestNames,
  parseSelector,
  selectedRanges,
  selectorForm,
  selectorLength,
  selectorText,
  type Selector,
} from "../../web/config/selector.js";
import { anySelector } from "./config-random.js";

const shapes = new Map([
  ["embedding.weight", [13, 32]],
  ["encoder.layers.0.self_attn.weights", [67, 4, 8, 8]],
  ["encoder.layers.1.self_attn.weights", [67, 4, 8, 8]],
  ["loss", []],
]);

test("a selector is read, and written again without white space", () => {
  const written = " encoder.layers.0.self_attn.weights[0, -1, :, 2:4] :hist :grad ";
  const selector = parseSelector(written) as Selector;
  expect(selector).toEqual({
    name: "encoder.layers.0.self_attn.weights",
    parts: [0, -1, [null, null], [2, 4]],
    gradient: true,
    move: false,
    histogram: true,
  });
  expect(selectorText(parseSelector("loss :hist :move") as Selector)).toBe("loss:move:hist");
  expect(selectorText(selector)).toBe("encoder.layers.0.self_attn.weights[0,-1,:,2:4]:grad:hist");
  expect(selectorText(selector, " ")).toBe("encoder.layers.0.self_attn.weights[0, -1, :, 2:4] :grad :hist");
});

test("links hold what is read, and nothing else", () => {
  const signs = fc.string({ unit: fc.constantFrom(..."aZ_.0-9[],: x"), maxLength: 12 });
  fc.assert(
    fc.property(
      fc.oneof(
        anySelector,
        signs,
        fc.constantFrom(
          "a:hist:grad",
          "a:grad:grad",
          "a[]",
          "a:move",
          "a:move:hist",
          "a:hist:move",
          "a:move:grad",
          "a:grad:move",
        ),
      ),
      (text) => {
        const plain = text.replaceAll(" ", "");
        const selector = parseSelector(text);
        expect(selectorForm.test(plain)).toBe(!isProblem(selector));
        if (isProblem(selector)) return;
        expect(parseSelector(selectorText(selector))).toEqual(selector);
        expect(selectorText(selector).length).toBeLessThanOrEqual(selectorLength);
      },
    ),
  );
});

test.each([
  ["", { kind: "name", given: "" }],
  ["1st", { kind: "name", given: "1st" }],
  ["ä.weight", { kind: "name", given: "ä.weight" }],
  ["loss[0", { kind: "bracket", given: "[0" }],
  ["loss]", { kind: "bracket", given: "]" }],
  ["loss[]", { kind: "part", given: "" }],
  ["loss[0,]", { kind: "part", given: "" }],
  ["loss[0,x]", { kind: "part", given: "x" }],
  ["loss[0:2:2]", { kind: "part", given: "0:2:2" }],
  ["loss[0.5]", { kind: "part", given: "0.5" }],
  ["loss[0,0,0,0,0]", { kind: "axes", given: "[0,0,0,0,0]", expected: "4" }],
  ["loss:", { kind: "flag", given: ":" }],
  ["loss:gradient", { kind: "flag", given: ":gradient" }],
  ["loss:grad:grad", { kind: "flag", given: ":grad" }],
  ["loss[0]hist", { kind: "flag", given: "hist" }],
])("what is wrong with %j is named", (text, problem) => {
  expect(parseSelector(text)).toEqual(problem);
});

describe("on the tensors of a model", () => {
  const rangesOf = (text: string): unknown => selectedRanges(parseSelector(text) as Selector, shapes);
  const pairs = (text: string): number[][] =>
    (rangesOf(text) as { min: number; max: number }[]).map(({ min, max }) => [min, max]);

  test.each([
    ["loss", []],
    ["embedding.weight", [[0, 13], [0, 32]]],
    ["embedding.weight[3]", [[3, 4], [0, 32]]],
    ["embedding.weight[-1,:2]", [[12, 13], [0, 2]]],
    ["embedding.weight[:,-2:]", [[0, 13], [30, 32]]],
    ["embedding.weight[10:99,5:6]", [[10, 13], [5, 6]]],
    ["embedding.weight[-99:2]", [[0, 2], [0, 32]]],
  ])("%s selects the cells that NumPy does", (text, ranges) => {
    expect(pairs(text)).toEqual(ranges);
  }); // prettier-ignore

  test.each([
    ["loss[0]", { kind: "axes", given: "[0]", expected: "0" }],
    ["embedding.weight[13]", { kind: "place", given: "13", expected: "-13 … 12" }],
    ["embedding.weight[-14]", { kind: "place", given: "-14", expected: "-13 … 12" }],
    ["embedding.weight[5:5]", { kind: "empty", given: "5:5", expected: "0 … 12" }],
    ["embedding.weight[:,40:]", { kind: "empty", given: "40:", expected: "0 … 31" }],
  ])("%s: expected and given", (text, problem) => {
    expect(rangesOf(text)).toEqual(problem);
  });

  test("of an unknown name the nearest are given", () => {
    const names = [...shapes.keys()];
    expect(nearestNames("self_attn", names, 2)).toEqual(names.slice(1, 3));
    expect(nearestNames("embeding.wieght", names, 1)).toEqual(["embedding.weight"]);
    expect(rangesOf("los")).toEqual({
      kind: "unknown",
      given: "los",
      expected: "loss, embedding.weight, encoder.layers.0.self_attn.weights",
    });
  });
});

test("a link with a wrong selector says what was expected, and selects nothing", () => {
  const { config, notices } = decode("lab=training&watch=loss[0");
  expect((config as ConfigOf<"training">).numbers.watch).toBeUndefined();
  expect(notices).toMatchObject([{ kind: "field", field: "watch", given: "loss[0" }]);
  expect(decode("lab=training&watch=loss [ ] ").notices).toHaveLength(1);
  expect(decode("lab=training&watch=embedding.weight[ 0, 1:2 ] :hist").config.numbers).toMatchObject({
    watch: "embedding.weight[0,1:2]:hist",
  });
});
