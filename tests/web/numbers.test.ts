/** Numbers as text: visual design section 6. */
import { describe, expect, test } from "vitest";
import {
  decimalsFor,
  evenDecimals,
  fitCells,
  formatCell,
  formatFull,
  formatNote,
  formatShape,
  settled,
} from "../../web/marks/numbers.js";

const MINUS = "\u2212";

describe("decimals of a tensor", () => {
  test("whole numbers have none", () => expect(decimalsFor([1, -20, 0], 48)).toBe(0));
  test("as many as fit with air, at most 3", () => {
    const data = [4.619, 1.155];
    expect([20, 26, 33, 40, 48, 200].map((width) => decimalsFor(data, width))).toEqual([0, 1, 2, 3, 3, 3]);
  });
  test("the longest whole part and a sign take room", () => {
    expect(decimalsFor([0.0007, 0.04], 44)).toBe(4);
    expect(decimalsFor([0.0007, 0.4], 44)).toBe(3);
    expect(decimalsFor([0.0007, 0.04], 33)).toBe(2);
    expect(decimalsFor([104.5], 48)).toBe(2);
    expect(decimalsFor([-104.5], 48)).toBe(1);
  });
  test("what is not finite or has an exponent does not count", () => {
    expect(decimalsFor([Infinity, NaN, -Infinity, 0.5], 48)).toBe(3);
    expect(decimalsFor([123456789.5, 0.5], 48)).toBe(3);
    expect(decimalsFor([NaN, 3], 48)).toBe(0);
  });
});

test("numbers stand on narrow cells where all of them fit", () => {
  expect(fitCells([4, 14, 0], 0, 22)).toBe(true);
  expect(fitCells([0.24, 0.749], 1, 20)).toBe(true);
  expect(fitCells([0.24, 0.00074], 1, 22)).toBe(false);
  expect(fitCells([-104.5], 0, 25)).toBe(true);
  expect(fitCells([-104.5], 0, 24)).toBe(false);
});

test("small numbers bring their decimals to all of a tensor, where all fit", () => {
  const shown = (data: number[], decimals: number, width: number): string[] => {
    const places = evenDecimals(data, decimals, width);
    return data.map((value) => formatCell(value, places));
  };
  expect(shown([0.51, 0.04, 0.2], 1, 25)).toEqual(["0.51", "0.04", "0.20"]);
  expect(shown([0.51, 0.04, 0.2], 1, 20)).toEqual(["0.5", "0.04", "0.2"]);
  expect(shown([104.5, 0.04], 0, 40)).toEqual(["104.50", "0.04"]);
  expect(shown([104.5, 20.25], 1, 40)).toEqual(["104.5", "20.3"]);
  expect(shown([1, 0.5, 0.25], 1, 40)).toEqual(["1", "0.5", "0.3"]);
});

test("what rounding left of 0 is drawn as 0, beside what it is made of", () => {
  expect(settled(-4.4e-16, 0.95)).toBe(0);
  expect(settled(-4.4e-16, 4.4e-16)).toBe(-4.4e-16);
  expect(settled(2e-12, 1)).toBe(2e-12);
  expect(settled(NaN, 1)).toBeNaN();
  expect(settled(-Infinity, 1)).toBe(-Infinity);
  expect(settled(1e-300, 0)).toBe(1e-300);
  expect(formatCell(settled(-4.4e-16, 0.95), 3)).toBe("0");
});

describe("on a cell", () => {
  test.each([
    [0, 3, "0"],
    [-0, 3, "0"],
    [2, 2, "2"],
    [-14, 2, `${MINUS}14`],
    [0.7487, 2, "0.75"],
    [0.9968, 2, "1.00"],
    [-0.5, 3, `${MINUS}0.500`],
    [0.0007, 2, `7e${MINUS}4`],
    [-0.0004, 3, `${MINUS}4e${MINUS}4`],
    [0.005, 2, "0.01"],
    [0.0049, 2, `5e${MINUS}3`],
    [0.441, 0, "0.4"],
    [-0.152, 0, `${MINUS}0.2`],
    [0.873, 0, "0.9"],
    [0.04, 1, "0.04"],
    [0.007, 1, `7e${MINUS}3`],
    [99999, 0, "99999"],
    [100000, 0, "1e5"],
    [-123456, 2, `${MINUS}1e5`],
    [99999.7, 0, "1e5"],
    [5.2e-61, 3, `5e${MINUS}61`],
    [NaN, 2, "NaN"],
    [Infinity, 2, "∞"],
    [-Infinity, 2, `${MINUS}∞`],
  ])("%d with %d decimals is %s", (value, decimals, text) => expect(formatCell(value, decimals)).toBe(text));

  test("a number that is not 0 never reads 0", () => {
    for (let exponent = -320; exponent <= 300; exponent++) {
      for (const mantissa of [1, 4.9, 5, 5.1, 9.99]) {
        for (let decimals = 0; decimals <= 3; decimals++) {
          const value = Number(`${mantissa}e${exponent}`);
          if (value === 0) continue;
          const text = formatCell(value, decimals).replaceAll(MINUS, "-");
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
    [NaN, "NaN"],
    [-Infinity, `${MINUS}∞`],
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
