/** A fixed sample of the pastes of `npm run fuzz`, and long ones on which a reader with quadratic time would not finish. */
import { describe, expect, test } from "vitest";
import { plainText, tokenize } from "../../web/config/tokens.js";
import { readNumbers } from "../../web/files/numbers-text.js";
import { recognizeFile } from "../../web/files/saved-link.js";
import { parseNumber } from "../../web/marks/numbers.js";
import { fuzzPastes } from "./pastes.js";

test("1,500 pastes: each is read or refused in words, and in time in proportion to its length", () => {
  const report = fuzzPastes({ seed: 6, count: 1_500 });
  expect(report.failures).toEqual([]);
  expect(report.pastes).toBe(1_500);
  // The pastes reach the branches they are meant for.
  expect(report.longest).toBeGreaterThan(299_000);
  for (const verdict of ["numbers", "word", "ragged", "nested", "omitted", "empty", "comma"])
    expect(report.verdicts[verdict], verdict).toBeGreaterThan(5);
});

/** A run of 300,000 characters, and an end that makes a reader with backtracking read the run again. */
const long = (run: string, end: string): string => run.repeat(300_000 / run.length) + end;

describe("300,000 characters that end with an invalid one", () => {
  test.each([
    ["digits", long("1", "x")],
    ["digits and a second point", `${long("1", ".")}${long("1", ".")}`],
    ["digits of an exponent", `1e${long("1", "x")}`],
    ["full-width digits", long("１", "x")],
    ["spaces", `1${long(" ", "x")}`],
    ["white space of several kinds", `1${long("\u00a0\u3000", "x")}`],
    ["combining marks in the wrong order", `1${long("\u0315\u0300", "x")}`],
    ["quotation marks and spaces", `"${long('" ', "x")}`],
    ["minus signs", long("-", "x")],
    ["points", long(".", "x")],
    ["brackets", long("[", "x")],
    ["brackets that open and close", `[${long("[]", "x")}`],
    ["link starts", long("#v=", "x")],
    ["starts of pictures", `<svg ${long("<metadata", "x")}`],
  ])("%s", (_, text) => {
    expect(parseNumber(text)).toBeNull();
    expect(readNumbers(text)).toHaveProperty("problem");
    expect(["text", "image"]).toContain(recognizeFile(new TextEncoder().encode(text)).kind);
    expect(tokenize(text).join("").length).toBeGreaterThan(1);
    expect(plainText(text).length).toBeGreaterThan(1);
  });
});

test("a paste depends on the seed and its number alone", () => {
  const whole = fuzzPastes({ seed: 3, count: 100 });
  const parts = [0, 50].map((from) => fuzzPastes({ seed: 3, from, count: 50 }));
  expect(parts[0]!.characters + parts[1]!.characters).toBe(whole.characters);
});
