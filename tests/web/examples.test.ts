// The examples: their Configs are valid, their ids permanent, and their printed numbers equal those of the reference files.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { validateConfig } from "../../web/config/validate.js";
import {
  type Printed,
  countMatches,
  exampleById,
  examples,
  matchesPrinted,
} from "../../web/examples/index.js";
import { valueAt } from "../../web/page/cells.js";
import { sessionOf } from "./labs-sessions.js";

interface Case {
  name: string;
  expected: Record<string, { shape: number[]; data: number[] }>;
}
const cases = (
  JSON.parse(readFileSync(new URL("../golden/seed_examples.json", import.meta.url), "utf8")) as {
    cases: Case[];
  }
).cases;
const golden = (name: string) => cases.find((one) => one.name === name)!.expected;
const printedOf = (id: string, node: string): Printed[] =>
  exampleById(id)!.printed.filter((one) => one.node === node);

/** Every printed number of a node equals the reference at its digits, and every cell of `shape` is printed once. */
function expectPrinted(printed: Printed[], shape: number[], data: number[], lead: number[] = []) {
  expect(printed).toHaveLength(shape.reduce((product, length) => product * length, 1));
  for (const { index, digits } of printed) {
    expect(index.slice(0, lead.length)).toEqual(lead);
    const place = index.slice(lead.length).reduce((at, position, axis) => at * shape[axis]! + position, 0);
    expect(matchesPrinted(data[place]!, digits), `${index.join()} ${digits} ${data[place]}`).toBe(true);
  }
  expect(new Set(printed.map(({ index }) => index.join())).size).toBe(printed.length);
}

describe("examples", () => {
  test("ids are permanent", () => {
    // Ids may be added, but never removed or renamed, because links contain them.
    expect(examples.map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        "four-words",
        "three-tokens",
        "cat-on-the-mat",
        "ten-by-twenty-run-1",
        "ten-by-twenty-run-2",
        "ten-by-twenty-run-3",
        "two-heads",
        "fifty-positions",
        "pe-0-and-4",
        "harbour",
        "face",
        "letter",
        "two-orders",
        "six-encodings",
      ]),
    );
    expect(new Set(examples.map(({ id }) => id)).size).toBe(examples.length);
    expect(exampleById("nowhere")).toBeUndefined();
  });

  test.each(examples.map((example) => [example.id, example] as const))(
    "%s",
    (id, { title, source, config, printed, references = [] }) => {
      expect(validateConfig(config)).toBe(config);
      expect(config.example).toBe(id);
      // Rows 133, 23 and 58 of a random table equal those that the source prints.
      if (id !== "ids-133-23-58") expect(config.numbers.edits).toEqual([]);
      for (const text of [title, source]) expect(text.en && text["zh-CN"]).toBeTruthy();
      expect(title["zh-CN"]).toMatch(/\p{Script=Han}|\d/u);
      for (const { digits } of [...printed, ...references])
        expect(() => matchesPrinted(0, digits)).not.toThrow();
    },
  );
});

describe("printed numbers", () => {
  test("four-words: the whole output", () => {
    const { attention } = golden("four_words");
    expectPrinted(printedOf("four-words", "output"), attention!.shape, attention!.data);
    expect(exampleById("four-words")!.printed).toHaveLength(12);
  });

  test("three-tokens: every step", () => {
    const reference = golden("blog_single_head");
    for (const [node, name] of [
      ["Q", "q"],
      ["K", "k"],
      ["scores", "scores"],
      ["scaled", "scaled"],
      ["weights", "weights"],
      ["output", "output"],
    ] as const) {
      const { shape, data } = reference[name] ?? reference[`${name}s`]!;
      expectPrinted(printedOf("three-tokens", node), shape, data);
    }
    const { x } = exampleById("three-tokens")!.config.numbers as { x: number[][] };
    expectPrinted(printedOf("three-tokens", "V"), [3, 4], x.flat());
    expect(exampleById("three-tokens")!.printed).toHaveLength(63);
  });

  test.each([1, 2, 3])("ten-by-twenty, run %i: ten outputs, ten weights", (run) => {
    const reference = golden(`numpy_mha_run${run}`);
    expectPrinted(
      printedOf(`ten-by-twenty-run-${run}`, "output"),
      [10],
      reference.output_0_0_first10!.data,
      [0, 0],
    );
    expectPrinted(
      printedOf(`ten-by-twenty-run-${run}`, "weights"),
      [10],
      reference.weights_0_0_0_first10!.data,
      [0, 0, 0],
    );
  });

  test("pe-0-and-4: both encodings and both inputs", () => {
    const encoding = [0, 4].flatMap((position) =>
      [1, 100].flatMap((wave) => [Math.sin(position / wave), Math.cos(position / wave)]),
    );
    const word = [1, 0.5, 0.8, 0.3];
    expectPrinted(printedOf("pe-0-and-4", "PE"), [2, 4], encoding);
    expectPrinted(
      printedOf("pe-0-and-4", "input"),
      [2, 4],
      encoding.map((value, at) => value + word[at % 4]!),
    );
  });
});

describe("matchesPrinted", () => {
  test.each([
    [0.985220249, "0.98522025", true],
    [0.98522026, "0.98522025", false],
    [0.985220255, "0.98522025", true],
    [0.9852202551, "0.98522025", false],
    [0.933360435, "0.93336044", true],
    [0.9333604349, "0.93336044", false],
    [-91.96555915564286, "-91.96555916", true],
    [91.96555915564286, "-91.96555916", false],
    [1.948104889e-189, "1.94810489e-189", true],
    [1.94810488e-189, "1.94810489e-189", false],
    [1.948104896e-189, "1.94810489e-189", false],
    [0, "1.94810489e-189", false],
    [4.9664435e-219, "4.96644350e-219", true],
    [0.999990519, "9.99990519e-001", true],
    [1, "1.00000000e+000", true],
    [1 - 6e-9, "1.00000000e+000", false],
    [1 - 4e-9, "1.00000000e+000", true],
    [0, "0", true],
    [0.4, "0", true],
    [0.6, "0", false],
    [1.04, "1.0", true],
    [1.06, "1.0", false],
    [-0.0298283, "−0.0298283", true],
    [12501, "1.2e4", false],
    [12499, "1.2e4", true],
    [NaN, "0.5", false],
    [Infinity, "0.5", false],
  ])("%d as %s: %s", (value, digits, expected) => {
    expect(matchesPrinted(value, digits)).toBe(expected);
  });

  test("text that is no number throws", () => {
    for (const digits of ["", "abc", "1,5", "0x10", "1e", "NaN", "--1"])
      expect(() => matchesPrinted(1, digits), digits).toThrow("decimal number");
  });
});

describe("computed by the core", () => {
  test.each(
    examples.filter(({ printed }) => printed.length > 0).map((example) => [example.id, example] as const),
  )("%s: every printed number", (_id, { config, printed }) => {
    const session = sessionOf(config);
    const { error, snapshots } = session.compute(config);
    expect(error).toBeUndefined();
    const named = new Map(snapshots.map((snapshot) => [snapshot.name, snapshot]));
    expect(countMatches(printed, (node, index) => valueAt(named.get(node), index))).toBe(printed.length);
    session.delete();
  });
});
