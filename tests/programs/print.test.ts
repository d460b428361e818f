// core.array2string compared with numpy.array2string: random shapes, sizes and numbers, and numbers with difficult digits.
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Tensor, TensorData } from "../../web/core/index.js";
import { array2string } from "../../web/core/print.js";

const python = process.env["NUMPY_PYTHON"] ?? "python3";

/** Reads bytes and prints them as NumPy does. */
const printer = `
import base64, json, sys
import numpy as np
for line in sys.stdin:
    kind, shape, data = json.loads(line)
    array = np.frombuffer(base64.b64decode(data), kind).reshape(shape)
    print(json.dumps(np.array2string(array) if shape else str(array[()])))
`;

const kindOf = ({ data }: Tensor<TensorData>): string =>
  ({ Float64Array: "float64", Float32Array: "float32", Int32Array: "int32", Uint8Array: "bool" })[
    data.constructor.name
  ]!;

function printed(tensors: readonly Tensor<TensorData>[]): string[] {
  const lines = tensors.map((tensor) => {
    const { buffer, byteOffset, byteLength } = tensor.data;
    const bytes = Buffer.from(buffer, byteOffset, byteLength).toString("base64");
    return JSON.stringify([kindOf(tensor), tensor.shape, bytes]);
  });
  const output = execFileSync(python, ["-c", printer], {
    input: lines.join("\n"),
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  return output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as string);
}

const cells = (shape: readonly number[]) => shape.reduce((product, size) => product * size, 1);

/** Varied numbers: round ones, ties in the eighth digit, any bits, of one magnitude or of many. */
const number = fc.oneof(
  fc.double({ noNaN: false }),
  fc.double({ min: -1, max: 1 }),
  fc.integer({ min: -2000, max: 2000 }),
  fc.integer({ min: -5000, max: 5000 }).map((n) => n / 512),
  fc.integer({ min: -5000, max: 5000 }).map((n) => n / 1000),
  fc.integer({ min: -160, max: 160 }).map((n) => 2 ** n),
  fc.constantFrom(0, -0, NaN, Infinity, -Infinity, 99999999, 1e8, 0.00010001, 1e16, 123456789.125),
);
const shape = fc.oneof(
  fc.array(fc.integer({ min: 0, max: 8 }), { maxLength: 4 }),
  fc.constantFrom([1000], [1001], [40], [1500, 3], [3, 1500], [30, 40], [8, 8, 20]),
);

const tensors = fc.sample(
  shape.chain((sizes) =>
    fc
      .tuple(
        fc.constantFrom("float64", "float64", "float32", "float32", "int32", "bool"),
        // Of few kinds, so that many arrays need no exponent.
        fc.double({ min: 0.001, max: 1000, noNaN: true }).chain((first) =>
          fc.array(
            fc.oneof(
              fc.constant(first),
              fc.double({ min: first / 20, max: first * 20, noNaN: true }).filter(Number.isFinite),
              number,
            ),
            {
              minLength: Math.min(cells(sizes), 60),
              maxLength: Math.min(cells(sizes), 60),
            },
          ),
        ),
      )
      .map(([kind, some]): Tensor<TensorData> => {
        const values = Array.from({ length: cells(sizes) }, (_, place) => some[place % some.length] ?? 0);
        const whole = values.map((value) => (Number.isFinite(value) ? Math.trunc(value) | 0 : 0));
        const data =
          kind === "float64"
            ? Float64Array.from(values)
            : kind === "float32"
              ? Float32Array.from(values)
              : kind === "int32"
                ? Int32Array.from(whole)
                : Uint8Array.from(whole, (value) => value & 1);
        return { shape: [...sizes], data };
      }),
  ),
  { seed: 11, numRuns: 600 },
);

test("every drawn array is written as NumPy writes it", () => {
  const expected = printed(tensors);
  const differ = tensors.flatMap((tensor, place) => {
    const ours = array2string(tensor);
    return ours === expected[place]
      ? []
      : [{ kind: kindOf(tensor), shape: tensor.shape, ours, numpy: expected[place] }];
  });
  expect(differ.slice(0, 3)).toEqual([]);
  expect(expected.some((text) => text.includes("..."))).toBe(true);
  expect(expected.some((text) => /e[+-]/.test(text))).toBe(true);
});

test("every power of two has the digits of NumPy, in both precisions", () => {
  const powers = Array.from({ length: 250 }, (_, place) => 2 ** (place - 125));
  const singles = [Float64Array, Float32Array].flatMap((Kind) =>
    powers.map((power): Tensor => ({ shape: [1], data: Kind.of(power) })),
  );
  expect(singles.map((tensor) => array2string(tensor))).toEqual(printed(singles));
});
