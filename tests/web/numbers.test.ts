/** Numbers as text. See DESIGN.md, section 6. */
import { describe, expect, test } from "vitest";
import {
  cellFormat,
  cellTextWidth,
  formatCell,
  formatFull,
  formatNote,
  formatShape,
} from "../../web/marks/numbers.js";

const MINUS = "\u2212";

/** The format as text: "2" for two decimals at 11 px, "2 small" at 9 px, "1 small cut" without decimals from 10 up; null for no format. */
function decimalsFor(data: number[], width: number): string | null {
  const format = cellFormat(data, width);
  return (
    format &&
    `${format.decimals}${format.size === 11 ? "" : " small"}${format.cut ? " cut" : ""}${format.bare ? " bare" : ""}`
  );
}

describe("decimals of a tensor", () => {
  test("whole numbers have no decimals", () => expect(decimalsFor([1, -20, 0], 48)).toBe("0"));
  test("there are as many decimals as fit with gaps, at most 3", () => {
    const data = [4.619, 1.155];
    expect([16, 22, 30, 36, 48, 200].map((width) => decimalsFor(data, width))).toEqual([
      null,
      "1",
      "1",
      "2",
      "3",
      "3",
    ]);
  });
  test("the longest whole part and a sign take room", () => {
    expect(decimalsFor([0.0007, 0.04], 48)).toBe("4");
    expect(decimalsFor([0.0007, 0.4], 48)).toBe("3");
    expect(decimalsFor([0.0007, 0.04], 36)).toBe("2");
    expect(decimalsFor([104.5], 48)).toBe("2");
    expect(decimalsFor([-104.5], 48)).toBe("1");
  });
  test("rounding may need one more digit", () => {
    expect(decimalsFor([9.94], 22)).toBe("1");
    expect(decimalsFor([9.96], 22)).toBe("1 small cut");
  });
  test("numbers that are not finite do not count, and exponents need room", () => {
    expect(decimalsFor([Infinity, NaN, -Infinity, 0.5], 48)).toBe("3");
    expect(decimalsFor([123456789.5, 0.5], 48)).toBe("3");
    expect(decimalsFor([-1e120, 0.5], 32)).toBeNull();
    expect(decimalsFor([NaN, 3], 48)).toBe("0");
  });
  test("numbers that are not whole always have a decimal, and whole numbers are printed only if they fit", () => {
    expect(decimalsFor([1.478, 1.508, 1.367, 1.137, 0.973], 16)).toBeNull();
    expect(decimalsFor([-104, 20], 25)).toBeNull();
    expect(decimalsFor([-104, 20], 40)).toBe("0");
  });
  test("nothing is printed if no number has room for more than a dot", () => {
    expect(decimalsFor([4e-16, -2e-16, 0], 30)).toBeNull();
    expect(decimalsFor([4e-16, -2e-16, 0], 48)).toBe("1 small");
    expect(decimalsFor([0.03, 0.04], 15)).toBeNull();
    expect(decimalsFor([0.03, 0.04], 26)).toBe("2 small");
    expect(decimalsFor([0.03, 0.4], 26)).toBe("1");
  });
});

test("the largest number is not rounded away, and nothing is printed rather than a dot for a large number", () => {
  expect(decimalsFor([0.041, -0.041, 0], 38)).toBe("2");
  expect(decimalsFor([0.0003, -0.065, 0.03], 34)).toBe("2 small");
  expect(decimalsFor([0.14, -0.02, 1.5], 32)).toBe("1");
  expect(decimalsFor([-0.0004, 0.0003], 26)).toBeNull();
});

test("the 0 before the point is left out of all numbers if they fit then", () => {
  const format = cellFormat([0.03, -0.04], 25)!;
  expect(format).toEqual({ decimals: 2, size: 9, cut: false, bare: true });
  expect([0.03, -0.04, 0].map((value) => formatCell(value, format, 25))).toEqual([".03", `${MINUS}.04`, "0"]);
});

test("small type is used if the usual type does not fit, down to 9 px", () => {
  expect([23, 24, 31].map((width) => decimalsFor([-1.2, 0.4], width))).toEqual([null, "1 small", "1"]);
  expect(cellTextWidth("\u22121.2", 9)).toBeCloseTo((cellTextWidth("\u22121.2") * 9) / 11, 9);
  expect(formatCell(0.0007, { decimals: 1, size: 9, cut: false, bare: false }, 30)).toBe(`7e${MINUS}4`);
});

test("from 10 up a number may lose its decimals, never its point", () => {
  const format = cellFormat([-47.3, 3.2], 25)!;
  expect(format).toEqual({ decimals: 1, size: 9, cut: true, bare: false });
  expect([-47.3, 3.2, 9.96, 10, -0.02].map((value) => formatCell(value, format, 25))).toEqual([
    `${MINUS}47.`,
    "3.2",
    "10.",
    "10.",
    "·",
  ]);
  expect(cellFormat([-104.5, 3.2], 25)).toBeNull();
});

describe("on a cell", () => {
  test.each([
    [0, 3, 48, "0"],
    [-0, 3, 48, "0"],
    [2, 2, 48, "2.00"],
    [-14, 0, 48, `${MINUS}14`],
    [0.7487, 2, 48, "0.75"],
    [0.9968, 2, 48, "1.00"],
    [-0.5, 3, 48, `${MINUS}0.500`],
    [0.0007, 2, 48, `7e${MINUS}4`],
    [0.0007, 2, 32, "·"],
    [-0.0004, 3, 48, `${MINUS}4e${MINUS}4`],
    [0.005, 2, 48, "0.01"],
    [0.0049, 2, 48, `5e${MINUS}3`],
    [0.04, 1, 26, "·"],
    [0.04, 1, 30, "0.04"],
    [-0.0449, 1, 48, `${MINUS}0.04`],
    [0.004, 1, 48, `4e${MINUS}3`],
    [3e-15, 2, 48, `3e${MINUS}15`],
    [3e-15, 2, 36, "·"],
    [3.93e-186, 2, 48, `4e${MINUS}186`],
    [-3.93e-186, 2, 48, "·"],
    [99999, 0, 48, "99999"],
    [100000, 0, 48, "1e5"],
    [-123456, 2, 48, `${MINUS}1e5`],
    [99999.97, 1, 60, "1e5"],
    [NaN, 2, 48, "NaN"],
    [Infinity, 2, 48, "∞"],
    [-Infinity, 2, 48, `${MINUS}∞`],
    [-Infinity, 1, 20, ""],
  ])("%d with %d decimals, %d wide, is %s", (value, decimals, width, text) =>
    expect(formatCell(value, { decimals, size: 11, cut: false, bare: false }, width)).toBe(text),
  );

  test("only 0 reads 0", () => {
    for (let exponent = -320; exponent <= 300; exponent++) {
      for (const mantissa of [1, 4.9, 5, 5.1, 9.99]) {
        for (const decimals of [0, 1, 2, 3]) {
          const value = Number(`${mantissa}e${exponent}`);
          if (value === 0) continue;
          const text = formatCell(value, { decimals, size: 11, cut: false, bare: false }, 26).replaceAll(
            MINUS,
            "-",
          );
          expect(Number(text), `${value} as ${text}`).not.toBe(0);
        }
      }
    }
  });
});

describe("in the note", () => {
  test.each([
    [10, "10"],
    [0.2364, "0.236"],
    [0.00661, "0.007"],
    [0.001, "0.001"],
    [0.00073812, `7.38e${MINUS}4`],
    [0.000412345, `4.12e${MINUS}4`],
    [5.2e-61, `5.2e${MINUS}61`],
    [-4.619, `${MINUS}4.619`],
    [5.7735, "5.774"],
    [12288, "12288"],
    [123456.789, "1.235e5"],
    [99999.9996, "1e5"],
    [3e12, "3e12"],
    [12345000000.5, "1.235e10"],
    [1.354e-10, `1.35e${MINUS}10`],
    [1.354e-100, `1.35e${MINUS}100`],
    [-3.1e-30, `${MINUS}3.1e${MINUS}30`],
    [2e-20, `2e${MINUS}20`],
    [NaN, "NaN"],
    [-Infinity, `${MINUS}∞`],
    [3967151936, "3967151936"],
  ])("%d is %s", (value, text) => expect(formatNote(value)).toBe(text));
});

describe("copied", () => {
  test.each([
    [0.1 + 0.2, "0.30000000000000004"],
    [-0, "-0"],
    [-91.96555916, "-91.96555916"],
    [1e-300, "1e-300"],
    [NaN, "NaN"],
  ])("%d is %s and reads back the same", (value, text) => {
    expect(formatFull(value)).toBe(text);
    expect(Object.is(Number(formatFull(value)), value)).toBe(true);
  });
});

test("shapes", () => expect(formatShape([4, 3])).toBe("4×3"));
