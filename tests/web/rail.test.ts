// The values of a rail: at a point, at a mark, after a key, and the cell that goes with a value.
import { describe, expect, test } from "vitest";
import { HANDLE, handleOf, markNear, pointAt, textOf, valueAfter, valueNear } from "../../web/marks/rail.js";
import type { Rail } from "../../web/marks/scene.js";

const widths: Rail = {
  id: "width",
  changes: { control: "width" },
  name: "width of the keys",
  from: [10, 100],
  to: [10, 400],
  ends: [2, 128],
  logarithmic: true,
  unit: 1,
  marks: [2, 4, 8, 16, 32, 64, 128].map((value, at) => ({ value, cell: { node: "weights", index: [at] } })),
  value: 128,
};
const logit: Rail = {
  id: "logit",
  changes: { node: "logits", index: [0, 0] },
  name: "logit of cat",
  from: [0, 50],
  to: [1200, 50],
  ends: [-2, 10],
  unit: 0.01,
  keyUnit: 0.1,
  marks: [{ value: 3.98 }],
  value: 2,
};

describe("a logarithmic rail", () => {
  test("marks of equal factors are equally far apart", () => {
    expect(widths.marks.map(({ value }) => Math.round(pointAt(widths, value)[1]))).toEqual([
      100, 150, 200, 250, 300, 350, 400,
    ]);
  });

  test("every whole number between the marks is reached, and its point leads back to it", () => {
    for (let value = 2; value <= 128; value += 1) {
      const [x, y] = pointAt(widths, value);
      const near = widths.marks.find((mark) => Math.abs(pointAt(widths, mark.value)[1] - y) <= 6);
      expect(valueNear(widths, x, y)).toBe(near?.value ?? value);
    }
  });

  test("beyond an end the value is that of the end", () => {
    expect(valueNear(widths, 10, -1000)).toBe(2);
    expect(valueNear(widths, 10, 1000)).toBe(128);
  });

  test("the nearest mark is nearest on the rail", () => {
    expect(markNear(widths, 23)?.value).toBe(32);
    expect(markNear(widths, 22)?.value).toBe(16);
    expect(markNear(widths, 128)?.cell).toEqual({ node: "weights", index: [6] });
  });
});

describe("a linear rail", () => {
  test("values are multiples of the unit", () => {
    expect(valueNear(logit, 417, 0)).toBe(2.17);
    expect(valueNear(logit, 100.4, 0)).toBe(-1);
  });

  test("near a mark the value is the mark", () => {
    expect(valueNear(logit, 601, 0)).toBe(3.98);
  });

  test("it is written with a true minus", () => {
    expect(textOf(-1.5)).toBe("\u22121.5");
  });
});

test("a handle reads the text of its mark, and is as wide as that needs", () => {
  const marks = [{ value: 1, text: "1 head" }, { value: 2, text: "2 heads" }, { value: 4 }];
  const at = (value: number) => handleOf({ ...logit, marks, value });
  expect(at(2).text).toBe("2 heads");
  expect(at(2).width).toBeGreaterThan(at(1).width);
  expect(at(4)).toEqual({ text: "4", width: HANDLE.width });
});

describe("keys", () => {
  test("an arrow moves the value by the unit of keys, and not beyond the ends", () => {
    expect(valueAfter(logit, "ArrowRight")).toBe(2.1);
    expect(valueAfter({ ...logit, value: -2 }, "ArrowLeft")).toBe(-2);
    expect(valueAfter(widths, "ArrowDown")).toBe(128);
    expect(valueAfter(widths, "ArrowUp")).toBe(127);
  });

  test("Page Up and Page Down go to the next mark, Home and End to the ends", () => {
    expect(valueAfter(widths, "PageUp")).toBe(64);
    expect(valueAfter({ ...widths, value: 23 }, "PageDown")).toBe(32);
    expect(valueAfter({ ...logit, value: 5 }, "PageDown")).toBe(10);
    expect(valueAfter(widths, "Home")).toBe(2);
    expect(valueAfter(widths, "End")).toBe(128);
  });

  test("other keys are not for the rail", () => {
    expect(valueAfter(widths, "a")).toBeNull();
  });
});

describe("a rail of heads that share a width of 8", () => {
  const heads: Rail = {
    id: "heads",
    changes: { control: "heads" },
    name: "heads",
    from: [80, 0],
    to: [20, 0],
    ends: [1, 4],
    reciprocal: true,
    onlyMarks: true,
    unit: 1,
    marks: [1, 2, 4].map((value) => ({ value })),
    value: 2,
  };

  test("the handle stands where the first head ends", () => {
    expect([1, 2, 4].map((value) => pointAt(heads, value)[0])).toEqual([80, 40, 20]);
  });

  test("only divisors of the width are reached, by pointer and by keys", () => {
    expect([0, 29, 31, 59, 61, 200].map((x) => valueNear(heads, x, 0))).toEqual([4, 4, 2, 2, 1, 1]);
    expect(
      ["ArrowRight", "ArrowLeft", "PageDown", "Home", "End"].map((key) => valueAfter(heads, key)),
    ).toEqual([4, 1, 4, 1, 4]);
  });
});
