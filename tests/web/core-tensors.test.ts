// Tensors made from nested lists, filled, and printed; the texts are those that NumPy prints.
import { expect, test, vi } from "vitest";
import type { Tensor } from "../../web/core/index.js";
import { core } from "./loaded-core.js";

test("nested lists become a tensor of the requested type", () => {
  expect(
    core.tensor([
      [1, 2],
      [3, 4],
      [5, 6],
    ]),
  ).toEqual({ shape: [3, 2], data: Float64Array.of(1, 2, 3, 4, 5, 6) });
  expect(core.tensor([0.1, NaN, -Infinity], "float32")).toEqual({
    shape: [3],
    data: Float32Array.of(0.1, NaN, -Infinity),
  });
  expect(core.tensor([[3], [1]], "int32")).toEqual({ shape: [2, 1], data: Int32Array.of(3, 1) });
  expect(core.tensor([[true, false]])).toEqual({ shape: [1, 2], data: Uint8Array.of(1, 0) });
  expect(core.tensor(7)).toEqual({ shape: [], data: Float64Array.of(7) });
  expect(core.tensor([])).toEqual({ shape: [0], data: new Float64Array(0) });
  expect(core.tensor([[], []])).toEqual({ shape: [2, 0], data: new Float64Array(0) });
});

test("other values are refused with their place", () => {
  const tensor = core.tensor as unknown as (...given: unknown[]) => Tensor;
  expect(() => tensor([[1, 2], [3]])).toThrow(
    "tensor: nested[1] has 1 items, expected 2, as the first beside it",
  );
  expect(() => tensor([[1, 2], 3])).toThrow("tensor: nested[1] is 3, expected a list of 2");
  expect(() => tensor([1, [2]])).toThrow("tensor: nested[1] is [2], expected a number");
  expect(() => tensor([1, "2"])).toThrow('tensor: nested[1] is "2", expected a number');
  expect(() => tensor([true, 1])).toThrow("tensor: nested[1] is 1, expected true or false");
  expect(() => tensor([1e39], "float32")).toThrow(
    "tensor: nested[0] is 1e+39, expected a number that float32 holds",
  );
  expect(() => tensor([1.5], "int32")).toThrow("tensor: nested[0] is 1.5, expected an integer");
  expect(() => tensor([1], "float16")).toThrow('tensor: dataType is "float16"');
  expect(() => tensor(undefined)).toThrow("tensor: nested is undefined, expected a number");
});

test("zeros and ones have a shape and a precision", () => {
  expect(core.zeros([2, 1])).toEqual({ shape: [2, 1], data: new Float64Array(2) });
  expect(core.ones(3, "float32")).toEqual({ shape: [3], data: Float32Array.of(1, 1, 1) });
  expect(core.zeros([])).toEqual({ shape: [], data: new Float64Array(1) });
  const zeros = core.zeros as unknown as (...given: unknown[]) => Tensor;
  expect(() => zeros([-1])).toThrow("zeros: shape[0] is -1, expected an integer of at least 0");
  expect(() => zeros([2], "double")).toThrow('zeros: precision is "double"');
  expect(() => zeros([1e5, 1e5])).toThrow(
    "zeros: shape is [100000, 100000], expected at most 2147483648 cells",
  );
});

test.each([
  [[0.5, 0.25, 0.125], "[0.5   0.25  0.125]"],
  [[10.5, 200.25, 3000.125], "[  10.5    200.25  3000.125]"],
  [[1, 100, 10000], "[1.e+00 1.e+02 1.e+04]"],
  [[99999999, 1], "[9.9999999e+07 1.0000000e+00]"],
  [[6.02e23, 1.6e-19], "[6.02e+23 1.60e-19]"],
  [[-1e9, 0], "[-1.e+09  0.e+00]"],
  [
    [
      [1e-9, 1],
      [2, 3],
    ],
    "[[1.e-09 1.e+00]\n [2.e+00 3.e+00]]",
  ],
  [[NaN, 2.5], "[nan 2.5]"],
  [[Infinity, -1], "[inf -1.]"],
  [[0, 2, 2, -0], "[ 0.  2.  2. -0.]"],
  [[1 / 7, 22 / 7], "[0.14285714 3.14285714]"],
  [[0.001953125, 1], "[0.00195312 1.        ]"],
  [2.5, "2.5"],
  [2 / 3, "0.6666666666666666"],
  [1e16, "1e+16"],
  [-1.5e-10, "-1.5e-10"],
  [[[], []], "[]"],
])("%j is printed as NumPy does", (nested, text) => {
  expect(core.array2string(core.tensor(nested as number[]))).toBe(text);
});

test("other types, long arrays and nodes are printed", () => {
  expect(core.array2string(core.tensor([1 / 7, 22 / 7], "float32"))).toBe("[0.14285715 3.142857  ]");
  expect(core.array2string(core.tensor([-5, 12, 7], "int32"))).toBe("[-5 12  7]");
  expect(
    core.array2string(
      core.tensor([
        [true, false],
        [false, true],
      ]),
    ),
  ).toBe("[[ True False]\n [False  True]]");
  const many = Array.from({ length: 1500 }, (_, row) => [3 * row, 3 * row + 1, 3 * row + 2]);
  expect(core.array2string(core.tensor(many, "int32"))).toBe(
    "[[   0    1    2]\n [   3    4    5]\n [   6    7    8]\n ...\n [4491 4492 4493]\n [4494 4495 4496]\n [4497 4498 4499]]",
  );
  const graph = core.graph();
  const node = graph.scale(core.tensor([[[1, 2]], [[3, 4]]]), { factor: 0.5 });
  expect(core.array2string(node)).toBe("[[[0.5 1. ]]\n\n [[1.5 2. ]]]");
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  core.print(node);
  expect(log.mock.calls).toEqual([["[[[0.5 1. ]]\n\n [[1.5 2. ]]]"]]);
  log.mockRestore();
  graph.delete();
  expect(() => core.print(node)).toThrow("value: the graph was deleted");
  expect(() => core.array2string({ shape: [2], data: [1, 2] } as unknown as Tensor)).toThrow(
    "array2string: x.data is [1, 2], expected a Float64Array",
  );
});
